//! Edits of parts of strings: of a script, or of a value with blanks.

use std::ops::Range;

use super::parameter_copies::node_and_copy;
use crate::document::{Document, NodeId};
use crate::graph::Analysis;
use crate::model::{Activity, Literal};
use crate::text::diagnostic::{Edit, FileId};
use crate::text::json_inside;

/// The edit that replaces a part of a string, given as a byte range of its unescaped characters.
pub fn part_edit(document: &Document, file: FileId, string: NodeId, part: Range<usize>, text: &str) -> Edit {
    Edit { file, span: document.span_inside(string, part), new_text: json_inside(text) }
}

/// The edits that remove parts of a string, also of its copy in `allProviderParameters`. They hold nothing of the string,
/// which may be personal data.
pub fn removed_parts(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    string: NodeId,
    parts: &[Range<usize>],
) -> Vec<Edit> {
    let edits =
        |node| parts.iter().map(move |part| part_edit(analysis.document, analysis.file, node, part.clone(), ""));
    node_and_copy(analysis, activity, string).flat_map(edits).collect()
}

/// The ranges of the white space at the start and at the end of a string.
pub fn outer_blanks(text: &str) -> Vec<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let parts = [0..start, start.max(text.trim_end().len())..text.len()];
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

/// The boolean that a literal of another type plainly means.
pub fn meant_boolean(literal: Literal<'_>) -> Option<bool> {
    match literal {
        Literal::Text(text) if text.trim().eq_ignore_ascii_case("true") => Some(true),
        Literal::Text(text) if text.trim().eq_ignore_ascii_case("false") => Some(false),
        Literal::Number("1") => Some(true),
        Literal::Number("0") => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_around_a_text_are_found() {
        assert_eq!(outer_blanks(" a b\u{a0}\n"), [0..1, 4..7]);
        assert_eq!(outer_blanks("a ").first(), Some(&(1..2)));
        assert!(outer_blanks("a").is_empty());
        assert_eq!(outer_blanks("  ").first(), Some(&(0..2)));
    }
}
