//! The outline as plain text: one line for each step.

use std::fmt::Write;

use super::{Outline, OutlineStep, Part};

/// Deeper levels are not indented further; their numbers show where they are.
const MAX_INDENTED: usize = 8;
const INDENT: &str = "   ";

impl Outline {
    /// The title, the introduction, a numbered line for each step, and the conclusion.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.title);
        for paragraph in &self.introduction {
            let _ = writeln!(text, "{}", plain(paragraph));
        }
        if !self.introduction.is_empty() {
            text.push('\n');
        }
        write_steps(&self.steps, "", 0, &mut text);
        if !self.conclusion.is_empty() {
            let _ = writeln!(text, "\n{}", plain(&self.conclusion));
        }
        text
    }
}

impl OutlineStep {
    /// The sentences as plain text.
    pub fn text(&self) -> String {
        match self.parts.split_first() {
            // The title needs no quotes.
            Some((Part::Name(name), rest)) => format!("{name}{}", plain(rest)),
            _ => plain(&self.parts),
        }
    }
}

/// Recurses with the nesting of activities, which the depth limit of the document bounds.
fn write_steps(steps: &[OutlineStep], parent: &str, depth: usize, text: &mut String) {
    for (number, step) in (1..).zip(steps) {
        let number = format!("{parent}{number}.");
        let _ = writeln!(text, "{}{number} {}", INDENT.repeat(depth.min(MAX_INDENTED)), step.text());
        write_steps(&step.children, &number, depth + 1, text);
    }
}

fn plain(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(words) => text.push_str(words),
            Part::Name(name) => text.extend(["`", name, "`"]),
            Part::Value(value) => text.extend(["\"", value, "\""]),
        }
    }
    text
}
