//! Comment-based help (`about_Comment_Based_Help`).

use std::ops::Range;

use super::syntax::{Comment, Function, Statement, StatementKind};
use crate::collections::HashMap;

/// The words that begin a section.
const KEYWORDS: [&str; 15] = [
    "synopsis",
    "description",
    "parameter",
    "example",
    "inputs",
    "outputs",
    "notes",
    "link",
    "component",
    "role",
    "functionality",
    "forwardhelptargetname",
    "forwardhelpcategory",
    "remotehelprunspace",
    "externalhelp",
];

/// The help of a function; its texts are one line each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Help {
    synopsis: String,
    description: String,
    /// In the order of the text.
    parameters: Vec<String>,
    /// Their indexes by name in lower case; of several with one name the first.
    by_name: HashMap<String, usize>,
}

impl Help {
    /// The synopsis, otherwise the description.
    pub fn summary(&self) -> Option<&str> {
        [&self.synopsis, &self.description].into_iter().map(String::as_str).find(|text| !text.is_empty())
    }

    pub fn parameter(&self, name: &str) -> Option<&str> {
        let text = self.parameters.get(*self.by_name.get(&name.to_lowercase())?)?;
        Some(text.as_str()).filter(|text| !text.is_empty())
    }
}

/// The help inside of a function, otherwise the one right before it.
pub(super) fn help_of(text: &str, comments: &[Comment], function: &Function) -> Help {
    let mut nested = Vec::new();
    nested_functions(&function.block.body, &mut nested);
    let first = comments.partition_point(|comment| comment.start < function.body_span.start);
    let after = comments.partition_point(|comment| comment.start < function.body_span.end);
    let inside = groups(text, comments.get(first..after).unwrap_or_default());
    let is_own = |group: &Range<usize>| {
        let next = nested.partition_point(|span| span.start <= group.start);
        let around = next.checked_sub(1).and_then(|index| nested.get(index));
        !around.is_some_and(|span| span.contains(&group.start))
            && !nested.get(next).is_some_and(|span| is_right_before(text, group.end, span.start))
    };
    if let Some(help) = inside.into_iter().filter(is_own).find_map(|group| read(text.get(group)?)) {
        return help;
    }
    let before = comments.partition_point(|comment| comment.end <= function.span.start);
    let group = last_group(text, comments.get(..before).unwrap_or_default());
    let group = group.filter(|group| is_right_before(text, group.end, function.span.start));
    group.and_then(|group| read(text.get(group)?)).unwrap_or_default()
}

/// The outermost functions in a function, in the order of the text.
fn nested_functions(statements: &[Statement], found: &mut Vec<Range<usize>>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Function(function) => found.push(function.span.clone()),
            StatementKind::Branches { blocks, .. } => {
                for block in blocks {
                    nested_functions(block, found);
                }
            }
            StatementKind::Try { body, handlers, last } => {
                nested_functions(body, found);
                for block in handlers {
                    nested_functions(block, found);
                }
                nested_functions(last, found);
            }
            StatementKind::Loop { body, .. } | StatementKind::Block(body) => nested_functions(body, found),
            _ => {}
        }
    }
}

/// Block comments, and line comments on lines that follow each other.
fn groups(text: &str, comments: &[Comment]) -> Vec<Range<usize>> {
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

/// The last of these groups.
fn last_group(text: &str, comments: &[Comment]) -> Option<Range<usize>> {
    let (last, others) = comments.split_last()?;
    let mut group = last.start..last.end;
    if !last.is_block {
        for comment in others.iter().rev() {
            if comment.is_block || !are_on_adjacent_lines(text, comment.end, group.start) {
                break;
            }
            group.start = comment.start;
        }
    }
    Some(group)
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
    let mut section = None;
    for line in inside.lines() {
        let line = line.trim().trim_start_matches('#').trim();
        if let Some((keyword, rest)) = keyword(line) {
            let (name, rest) = match keyword.as_str() {
                "parameter" => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
                _ => ("", rest),
            };
            if keyword == "parameter" {
                help.by_name.entry(name.to_lowercase()).or_insert(help.parameters.len());
                help.parameters.push(String::new());
            }
            section = Some(keyword);
            help.add(section.as_deref(), rest);
            continue;
        }
        help.add(section.as_deref(), line);
    }
    section.map(|_| help)
}

impl Help {
    fn add(&mut self, section: Option<&str>, line: &str) {
        let text = match section {
            Some("synopsis") => &mut self.synopsis,
            Some("description") => &mut self.description,
            Some("parameter") => match self.parameters.last_mut() {
                Some(text) => text,
                None => return,
            },
            _ => return,
        };
        for word in line.split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
}

/// `.KEYWORD rest`
fn keyword(line: &str) -> Option<(String, &str)> {
    let rest = line.strip_prefix('.')?;
    let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
    let word = rest.get(..end)?.to_ascii_lowercase();
    let rest = rest.get(end..)?;
    let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (is_whole && KEYWORDS.contains(&word.as_str())).then(|| (word, rest.trim()))
}
