//! Edits of files: selects those that can be applied together, and applies them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::replacement::Replacement;
use crate::diagnostic::{Diagnostic, Edit, FileId};
use crate::source::SourceFile;

/// A text with edits, and what they replaced.
#[derive(Debug)]
pub(super) struct Edited {
    pub text: Arc<str>,
    pub replacements: Vec<Replacement>,
}

/// The findings whose fixes do not overlap; of overlapping ones the first. Several fixes may make the same
/// replacement: a name that several bindings use is renamed once in the array that lists it.
pub(super) fn without_overlaps<'d>(findings: impl Iterator<Item = &'d Diagnostic>) -> Vec<&'d Diagnostic> {
    let mut taken: BTreeMap<FileId, Taken<'d>> = BTreeMap::new();
    findings
        .filter(|finding| {
            let edits = edits(finding);
            let is_free = edits.iter().all(|edit| taken.get(&edit.file).is_none_or(|taken| is_free(taken, edit)));
            // The edits of one fix must be sorted and disjoint as well.
            let is_apart = edits.is_sorted_by(|a, b| (a.file, a.span.end) < (b.file, b.span.start));
            if is_free && is_apart {
                for edit in edits {
                    taken.entry(edit.file).or_default().insert(edit.span.start, edit);
                }
            }
            is_free && is_apart
        })
        .collect()
}

/// The edits of one file by their start.
type Taken<'d> = BTreeMap<u32, &'d Edit>;

/// Whether an edit neither overlaps nor touches one that is taken: the order of two insertions at one
/// place would be arbitrary. The same replacement may be made twice.
fn is_free(taken: &Taken<'_>, edit: &Edit) -> bool {
    let before = taken.range(..=edit.span.end).next_back();
    before.is_none_or(|(_, &before)| {
        before.span.end < edit.span.start || before == edit && edit.span.start < edit.span.end
    })
}

/// The contents of the files with the fixes of some findings, which must not overlap.
pub(super) fn apply(
    findings: &[&Diagnostic],
    sources: &BTreeMap<FileId, SourceFile>,
) -> impl Iterator<Item = (FileId, Edited)> {
    let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for finding in findings {
        for edit in edits(finding) {
            by_file.entry(edit.file).or_default().push(edit);
        }
    }
    let changed = move |(file, mut edits): (FileId, Vec<&Edit>)| {
        edits.sort_by_key(|edit| edit.span);
        edits.dedup();
        Some((file, edited(&sources.get(&file)?.text, &edits)?))
    };
    by_file.into_iter().filter_map(changed)
}

fn edited(text: &str, edits: &[&Edit]) -> Option<Edited> {
    // Allocated at its full size: growing a large string would need three times its memory.
    let added: usize = edits.iter().map(|edit| edit.new_text.len()).sum();
    let mut edited = String::with_capacity(text.len() + added);
    let mut replacements = Vec::with_capacity(edits.len());
    let mut at = 0;
    for edit in edits {
        let before = edit.span.range();
        edited.push_str(text.get(at..before.start)?);
        let start = edited.len();
        edited.push_str(&edit.new_text);
        at = before.end;
        replacements.push(Replacement { before, after: start..edited.len() });
    }
    edited.push_str(text.get(at..)?);
    Some(Edited { text: edited.into(), replacements })
}

fn edits(finding: &Diagnostic) -> &[Edit] {
    finding.fix.as_ref().map_or(&[], |fix| &fix.edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit { file: FileId(0), span: Span::new(start, end), new_text: text.to_owned() }
    }

    fn free(taken: &[(u32, u32)], start: u32, end: u32) -> bool {
        let taken: Vec<Edit> = taken.iter().map(|&(start, end)| edit(start, end, "taken")).collect();
        is_free(&taken.iter().map(|edit| (edit.span.start, edit)).collect(), &edit(start, end, ""))
    }

    #[test]
    fn same_replacement_may_be_made_twice_but_not_the_same_insertion() {
        let taken = [edit(10, 20, "name"), edit(30, 30, "name")];
        let taken = taken.iter().map(|edit| (edit.span.start, edit)).collect();
        assert!(is_free(&taken, &edit(10, 20, "name")));
        assert!(!is_free(&taken, &edit(10, 20, "other")));
        assert!(!is_free(&taken, &edit(30, 30, "name")));
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
        let edits = [edit(1, 2, "XX"), edit(4, 4, "+"), edit(5, 6, "")];
        let edited_text = edited("abcdef", &edits.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(&*edited_text.text, "aXXcd+e");
        let replaced: Vec<_> = edited_text.replacements.into_iter().map(|part| (part.before, part.after)).collect();
        assert_eq!(replaced, [(1..2, 1..3), (4..4, 5..6), (5..6, 7..7)]);
        assert!(edited("ä", &[&edit(1, 2, "")]).is_none(), "inside of a character");
    }
}
