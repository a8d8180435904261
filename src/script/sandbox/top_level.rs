//! Adapts scripts to the engine, and failures of the engine to scripts.
//!
//! A script may end with `return`, which the engine accepts only in functions.
//!
//! `return a;` becomes `{void( a);break end}`, and the script is put into a block of that label. So its variables stay
//! global, `try` and `finally` work as they would, and what precedes the end of a statement keeps its position.

use super::job::{FailureKind, ScriptFailure};
use crate::script::syntax::{
    Script, ScriptKind, Syntax, SyntaxErrorKind, analyze, line_and_column, line_starts, offset,
};

/// The global names of ECMAScript that the engine does not have, or only in functions.
pub const NOT_SIMULATED: [&str; 2] = ["Intl", "arguments"];

const LABEL: &str = "$wflint_end";

/// A script as the engine runs it.
pub(super) struct Prepared {
    pub script: String,
    /// `None` if the engine takes the script as it is.
    changed: Option<Changed>,
}

struct Changed {
    text: String,
    /// Offsets in the script, ascending, and the numbers of bytes that were inserted there.
    insertions: Vec<(usize, usize)>,
}

impl Prepared {
    pub fn new(script: &str) -> Result<Self, ScriptFailure> {
        let mut changed = None;
        // Most scripts have none of these, and need not be parsed.
        if ["return", "await", "#!"].iter().any(|word| script.contains(word)) {
            match analyze(ScriptKind::Script, script) {
                Syntax::Script(found) => changed = change(script, &found),
                Syntax::Error(error) if error.kind == SyntaxErrorKind::TopLevelAwait => {
                    let (line, column) = line_and_column(script, &error.line_starts, error.range.start);
                    let message = "top-level `await` is not simulated";
                    let failure = ScriptFailure::new(FailureKind::Unsupported, message);
                    return Err(ScriptFailure {
                        line: line.try_into().ok(),
                        column: column.try_into().ok(),
                        ..failure
                    });
                }
                _ => {}
            }
        }
        Ok(Self { script: script.to_owned(), changed })
    }

    /// What the engine runs instead of the script.
    pub fn changed_text(&self) -> Option<&str> {
        Some(&self.changed.as_ref()?.text)
    }

    /// A failure of the changed script, with its position in the script itself.
    pub fn restore(&self, mut failure: ScriptFailure) -> ScriptFailure {
        let valid = || matches!(analyze(ScriptKind::Script, &self.script), Syntax::Script(_));
        if failure.kind == FailureKind::Syntax && !self.script.contains('\0') && valid() {
            failure.kind = FailureKind::Unsupported;
            failure.message = format!("syntax that the script engine lacks is not simulated: {}", failure.message);
        }
        let missing =
            failure.message.strip_prefix("ReferenceError: ").and_then(|rest| rest.strip_suffix(" is not defined"));
        if let Some(name) = missing.filter(|name| failure.kind == FailureKind::Thrown && NOT_SIMULATED.contains(name)) {
            failure.kind = FailureKind::Unsupported;
            failure.message = format!("`{name}` is not simulated");
        }
        let Some(changed) = &self.changed else { return failure };
        let position = failure.line.zip(failure.column);
        let Some(mut at) = position.and_then(|(line, column)| offset(&changed.text, line, column)) else {
            return failure;
        };
        for (start, length) in &changed.insertions {
            if at > *start {
                at = at.saturating_sub(*length).max(*start);
            }
        }
        let (line, column) = line_and_column(&self.script, &line_starts(&self.script), at);
        ScriptFailure { line: line.try_into().ok(), column: column.try_into().ok(), ..failure }
    }
}

fn change(script: &str, found: &Script) -> Option<Changed> {
    let has_hashbang = script.starts_with("#!");
    if found.returns.is_empty() && !has_hashbang {
        return None;
    }
    let mut change = Change { script, at: 0, changed: Changed { text: String::new(), insertions: Vec::new() } };
    if !found.returns.is_empty() {
        change.insert(if found.is_strict { "'use strict';" } else { "" });
        change.insert(LABEL);
        change.insert(":{");
    }
    if has_hashbang {
        change.replace(0, 2, "//");
    }
    for statement in &found.returns {
        change.replace(statement.start, statement.start + "return".len(), "{void(");
        change.copy(statement.argument_end.unwrap_or(statement.start + "return".len()));
        change.insert(if statement.argument_end.is_some() { ");break " } else { "0);break " });
        change.insert(LABEL);
        if script.get(..statement.end).is_some_and(|before| before.ends_with(';')) {
            change.replace(statement.end - 1, statement.end, "}");
        } else {
            change.insert("}");
        }
    }
    change.copy(script.len());
    if !found.returns.is_empty() {
        change.changed.text.push_str("\n}");
    }
    Some(change.changed)
}

struct Change<'s> {
    script: &'s str,
    /// How much of the script was copied.
    at: usize,
    changed: Changed,
}

impl Change<'_> {
    fn copy(&mut self, end: usize) {
        self.changed.text.push_str(self.script.get(self.at..end).unwrap_or_default());
        self.at = self.at.max(end);
    }

    fn insert(&mut self, text: &str) {
        self.changed.text.push_str(text);
        self.changed.insertions.push((self.at, text.len()));
    }

    /// Replaces a part by one of the same length.
    fn replace(&mut self, start: usize, end: usize, text: &str) {
        self.copy(start);
        self.changed.text.push_str(text);
        self.at = end;
    }
}
