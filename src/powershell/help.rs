//! Comment-based help (`about_Comment_Based_Help`).

use std::ops::Range;

use super::syntax::{Comment, Function, StatementKind};
use crate::common::collections::HashMap;

/// The help of a function; its texts are one line each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Help {
    synopsis: String,
    description: String,
    /// By name in lower case.
    parameters: HashMap<String, String>,
}

impl Help {
    /// The synopsis, otherwise the description.
    pub fn summary(&self) -> Option<&str> {
        [&self.synopsis, &self.description].into_iter().map(String::as_str).find(|text| !text.is_empty())
    }

    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.get(&name.to_lowercase()).map(String::as_str).filter(|text| !text.is_empty())
    }
}

/// The help inside of a function, otherwise the one right before it. `groups` are those of the file.
pub(super) fn help_of(text: &str, groups: &[Range<usize>], function: &Function) -> Help {
    let nested = function.block.body.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Function(function) => Some(&function.span),
        _ => None,
    });
    let nested: Vec<&Range<usize>> = nested.collect();
    let is_own = |group: &&Range<usize>| {
        let next = nested.partition_point(|span| span.end <= group.start);
        !nested
            .get(next)
            .is_some_and(|span| span.contains(&group.start) || is_right_before(text, group.end, span.start))
    };
    let first = groups.partition_point(|group| group.start < function.body_span.start);
    let after = groups.partition_point(|group| group.start < function.body_span.end);
    let mut inside = groups.get(first..after).unwrap_or_default().iter().filter(is_own);
    let before = groups.get(..first).and_then(|before| before.iter().rfind(|group| group.end <= function.span.start));
    let before = before.filter(|group| is_right_before(text, group.end, function.span.start));
    let help = inside.find_map(|group| read(text.get(group.clone())?));
    help.or_else(|| read(text.get(before?.clone())?)).unwrap_or_default()
}

/// Block comments, and line comments on lines that follow each other.
pub(super) fn groups(text: &str, comments: &[Comment]) -> Vec<Range<usize>> {
    let mut groups: Vec<(Range<usize>, bool)> = Vec::new();
    for comment in comments {
        if let Some((group, false)) = groups.last_mut()
            && !comment.is_block
            && are_on_adjacent_lines(text, group.end, comment.start)
        {
            group.end = comment.end;
            continue;
        }
        groups.push((comment.start..comment.end, comment.is_block));
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

fn are_on_adjacent_lines(text: &str, end: usize, start: usize) -> bool {
    text.get(end..start).is_some_and(|gap| line_ends(gap) == Some(1))
}

/// At most one blank line is between a comment and a function.
fn is_right_before(text: &str, end: usize, start: usize) -> bool {
    text.get(end..start).and_then(line_ends).is_some_and(|ends| ends <= 2)
}

/// The line ends in whitespace; `None` if there is anything else.
fn line_ends(gap: &str) -> Option<usize> {
    gap.chars().all(char::is_whitespace).then(|| gap.matches('\n').count().max(gap.matches('\r').count()))
}

/// `None` for a comment without any of the keywords.
fn read(comment: &str) -> Option<Help> {
    let inside = comment.strip_prefix("<#").and_then(|inside| inside.strip_suffix("#>")).unwrap_or(comment);
    let mut help = Help::default();
    let (mut section, mut parameter) = (None, String::new());
    for line in inside.lines() {
        let mut line = line.trim().trim_start_matches('#').trim();
        if let Some((keyword, rest)) = keyword(line) {
            line = rest;
            if keyword == "parameter" {
                let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                (parameter, line) = (name.to_lowercase(), rest);
            }
            section = Some(keyword);
        }
        let text = match section.as_deref() {
            Some("synopsis") => &mut help.synopsis,
            Some("description") => &mut help.description,
            Some("parameter") => help.parameters.entry(parameter.clone()).or_default(),
            _ => continue,
        };
        for word in line.split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
    section.map(|_| help)
}

/// `.KEYWORD rest`
fn keyword(line: &str) -> Option<(String, &str)> {
    let rest = line.strip_prefix('.')?;
    let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
    let word = rest.get(..end)?.to_ascii_lowercase();
    let rest = rest.get(end..)?;
    let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let is_known = match word.as_str() {
        "synopsis" | "description" | "parameter" | "example" | "inputs" | "outputs" | "notes" | "link" => true,
        "component" | "role" | "functionality" | "externalhelp" => true,
        word => word.starts_with("forwardhelp") || word == "remotehelprunspace",
    };
    (is_whole && is_known).then(|| (word, rest.trim()))
}
