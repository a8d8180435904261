//! One change of a workflow: the replacements in the text of its document.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use crate::config::Mutation;
use crate::document::{Document, NodeId};
use crate::model::{Activity, ActivityId, Workflow};
use crate::text::source::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowChange {
    pub mutation: Mutation,
    /// The activity that is changed.
    pub activity: ActivityId,
    /// The neighbor with which it is swapped.
    pub other: Option<ActivityId>,
    /// What is changed.
    pub node: NodeId,
    /// The change as a clause, such as "`Publish` is dropped".
    pub clause: String,
    pub edits: Vec<Edit>,
}

impl WorkflowChange {
    pub fn new(mutation: Mutation, activity: &Activity<'_>, node: NodeId, clause: String, edits: Vec<Edit>) -> Self {
        Self { mutation, activity: activity.id, other: None, node, clause, edits }
    }
}

/// A workflow whose changes are listed.
#[derive(Debug, Clone, Copy)]
pub struct Site<'d> {
    pub document: &'d Document,
    pub workflow: &'d Workflow<'d>,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    span: Span,
    with: With,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum With {
    Text(String),
    /// Another part of the text, which may be large.
    CopyOf(Span),
}

impl Edit {
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, with: With::Text(text.into()) }
    }

    /// Replaces a value by JSON.
    pub fn value(document: &Document, node: NodeId, json: impl Into<String>) -> Self {
        Self::new(document.span(node), json)
    }

    pub fn copy(span: Span, of: Span) -> Self {
        Self { span, with: With::CopyOf(of) }
    }
}

/// The text with some edits, which do not overlap. `None` if one is not within it.
pub fn edited(text: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.span);
    let mut edited = String::with_capacity(text.len());
    let mut at = 0;
    for Edit { span, with } in sorted {
        let range = span.range();
        edited.push_str(text.get(at..range.start)?);
        edited.push_str(match with {
            With::Text(text) => text,
            With::CopyOf(part) => text.get(part.range())?,
        });
        at = range.end;
    }
    edited.push_str(text.get(at..)?);
    Some(edited)
}

/// A hash of JSON without its white space. Collisions are improbable.
pub fn hash(json: &str) -> u128 {
    let mut hasher = SipHasher13::new();
    let mut is_in_string = false;
    let mut is_escaped = false;
    // Runs of bytes are hashed at once.
    let mut start = 0;
    let bytes = json.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' if !is_in_string => {
                hasher.write(bytes.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            b'"' if !is_escaped => is_in_string = !is_in_string,
            _ => {}
        }
        is_escaped = is_in_string && *byte == b'\\' && !is_escaped;
    }
    hasher.write(bytes.get(start..).unwrap_or_default());
    hasher.finish128().as_u128()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_any_order() {
        let [a, b] = [Span::new(1, 2), Span::new(4, 6)];
        let swapped = edited("[a, bb]", &[Edit::copy(b, a), Edit::copy(a, b)]);
        assert_eq!(swapped.as_deref(), Some("[bb, a]"));
        assert_eq!(edited("abc", &[Edit::new(Span::new(3, 3), "d"), Edit::new(a, "")]).as_deref(), Some("acd"));
        assert_eq!(edited("ä", &[Edit::new(a, "")]), None);
        assert_eq!(edited("abc", &[Edit::new(Span::new(0, 2), ""), Edit::new(a, "")]), None, "they overlap");
    }

    #[test]
    fn white_space_between_values_does_not_count() {
        let same = [r#"{"a b":[1,"\" x"]}"#, "{ \"a b\" : [\n\t1 ,\r\n\"\\\" x\" ] }"];
        assert_eq!(hash(same[0]), hash(same[1]));
        for other in
            [r#"{"ab":[1,"\" x"]}"#, r#"{"a b":[1,"\"x"]}"#, r#"{"a b":[1,"\\" x"]}"#, r#"{"a b":[1,"\" x"]}1"#]
        {
            assert_ne!(hash(same[0]), hash(other), "{other}");
        }
    }
}
