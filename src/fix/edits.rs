//! Edits of files: which can be applied together, and applying them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Edit, FileId};
use crate::source::{SourceFile, Span};

/// The findings whose fixes do not overlap; of overlapping ones the first.
pub(super) fn without_overlaps<'d>(findings: impl Iterator<Item = &'d Diagnostic>) -> Vec<&'d Diagnostic> {
    let mut taken: BTreeMap<FileId, BTreeMap<u32, u32>> = BTreeMap::new();
    findings
        .filter(|finding| {
            let taken = taken.entry(finding.location.file).or_default();
            let spans: Vec<Span> = edits(finding).iter().map(|edit| edit.span).collect();
            let is_free = spans.iter().all(|&span| is_free(taken, span));
            // The edits of one fix must be sorted and disjoint as well.
            let is_apart = spans.is_sorted_by(|a, b| a.end < b.start);
            if is_free && is_apart {
                taken.extend(spans.iter().map(|span| (span.start, span.end)));
            }
            is_free && is_apart
        })
        .collect()
}

/// Whether a span neither overlaps nor touches one that is taken: the order of two insertions at one
/// place would be arbitrary.
fn is_free(taken: &BTreeMap<u32, u32>, span: Span) -> bool {
    let before = taken.range(..=span.end).next_back();
    before.is_none_or(|(_, &end)| end < span.start)
}

/// The contents of the files with the fixes of some findings, which must not overlap.
pub(super) fn apply(
    findings: &[&Diagnostic],
    sources: &BTreeMap<FileId, SourceFile>,
) -> impl Iterator<Item = (FileId, Arc<str>)> {
    let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for finding in findings {
        by_file.entry(finding.location.file).or_default().extend(edits(finding));
    }
    let changed = move |(file, mut edits): (FileId, Vec<&Edit>)| {
        edits.sort_by_key(|edit| edit.span);
        Some((file, edited(&sources.get(&file)?.text, &edits)?))
    };
    by_file.into_iter().filter_map(changed)
}

fn edited(text: &str, edits: &[&Edit]) -> Option<Arc<str>> {
    let mut edited = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        edited.push_str(text.get(at..range.start)?);
        edited.push_str(&edit.new_text);
        at = range.end;
    }
    edited.push_str(text.get(at..)?);
    Some(edited.into())
}

fn edits(finding: &Diagnostic) -> &[Edit] {
    finding.fix.as_ref().map_or(&[], |fix| &fix.edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(taken: &[(u32, u32)], start: u32, end: u32) -> bool {
        is_free(&taken.iter().copied().collect(), Span::new(start, end))
    }

    #[test]
    fn overlapping_and_touching_spans_are_not_free() {
        let taken = [(10, 20), (30, 30)];
        for (start, end) in [(0, 9), (21, 29), (31, 40), (5, 5)] {
            assert!(free(&taken, start, end), "{start}..{end}");
        }
        for (start, end) in [(0, 10), (12, 13), (0, 40), (20, 22), (30, 30), (15, 35)] {
            assert!(!free(&taken, start, end), "{start}..{end}");
        }
    }

    #[test]
    fn text_between_edits_is_kept() {
        let edit = |start, end, text: &str| Edit { span: Span::new(start, end), new_text: text.to_owned() };
        let edits = [edit(1, 2, "XX"), edit(4, 4, "+"), edit(5, 6, "")];
        assert_eq!(edited("abcdef", &edits.iter().collect::<Vec<_>>()).as_deref(), Some("aXXcd+e"));
        assert_eq!(edited("ä", &[&edit(1, 2, "")]), None, "inside of a character");
    }
}
