//! Edits of files: selects those that can be applied together, applies them, and tells what they replaced over several rounds.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::ops::Range;
use std::slice::Iter;
use std::sync::Arc;

use crate::text::alignment;
use crate::text::diagnostic::{Diagnostic, Edit, FileId};
use crate::text::source::SourceFile;

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

pub(super) fn edited(text: &str, edits: &[&Edit]) -> Option<Edited> {
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

/// A range of bytes of the old text, and the range of the new text that replaces it. Lists of replacements are sorted
/// and do not touch; the text between them is equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replacement {
    pub before: Range<usize>,
    pub after: Range<usize>,
}

/// Maximum number of lines of both texts together that [`between`] compares, in quadratic time at worst.
const MAX_LINES: usize = 20_000;

/// The replacements that make one text of another, by lines; a single one for texts with more than `MAX_LINES`.
pub fn between(before: &str, after: &str) -> Vec<Replacement> {
    let (old_lines, new_lines) = (lines(before), lines(after));
    if old_lines.len() + new_lines.len() > MAX_LINES {
        return vec![Replacement { before: 0..before.len(), after: 0..after.len() }];
    }
    let (mut old, mut new) = (0, 0);
    let mut replacements: Vec<Replacement> = Vec::new();
    for block in alignment::blocks(&old_lines, &new_lines) {
        let (old_end, new_end) = (old + length(&old_lines, block.before), new + length(&new_lines, block.after));
        if !block.is_equal {
            replacements.push(Replacement { before: old..old_end, after: new..new_end });
        }
        (old, new) = (old_end, new_end);
    }
    replacements
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The length of lines in bytes.
fn length(lines: &[&str], range: Range<usize>) -> usize {
    lines.get(range).unwrap_or_default().iter().map(|line| line.len()).sum()
}

/// The replacements of two changes after each other.
pub(super) fn composed(first: &[Replacement], second: &[Replacement]) -> Vec<Replacement> {
    let (mut first, mut second) = (first.iter().peekable(), second.iter().peekable());
    let unchanged = Replacement::default();
    // The last ones that are done. Offsets are those of the text between the changes.
    let (mut last_first, mut last_second) = (&unchanged, &unchanged);
    let mut composed = Vec::new();
    loop {
        let starts = [first.peek().map(|next| next.after.start), second.peek().map(|next| next.before.start)];
        let Some(start) = starts.into_iter().flatten().min() else { return composed };
        let offsets = |last_first: &Replacement, last_second: &Replacement, offset: usize| {
            let (in_first, in_second) = (offset - last_first.after.end, offset - last_second.before.end);
            (last_first.before.end + in_first, last_second.after.end + in_second)
        };
        let (before, after) = offsets(last_first, last_second, start);
        let mut end = start;
        // Those that overlap or touch become one.
        loop {
            if let Some(next) = next_up_to(&mut first, |next| next.after.start <= end) {
                end = end.max(next.after.end);
                last_first = next;
            } else if let Some(next) = next_up_to(&mut second, |next| next.before.start <= end) {
                end = end.max(next.before.end);
                last_second = next;
            } else {
                break;
            }
        }
        let (before_end, after_end) = offsets(last_first, last_second, end);
        composed.push(Replacement { before: before..before_end, after: after..after_end });
    }
}

fn next_up_to<'r>(
    replacements: &mut Peekable<Iter<'r, Replacement>>,
    is_near: impl Fn(&Replacement) -> bool,
) -> Option<&'r Replacement> {
    replacements.next_if(|next| is_near(next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Span;

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

    fn list(ranges: &[(Range<usize>, Range<usize>)]) -> Vec<Replacement> {
        ranges.iter().map(|(before, after)| Replacement { before: before.clone(), after: after.clone() }).collect()
    }

    #[test]
    fn changes_of_different_places_keep_theirs() {
        // abcdefgh → aXXcdefgh → aXXcdeYh
        let (first, second) = (list(&[(1..2, 1..3)]), list(&[(6..8, 6..7)]));
        assert_eq!(composed(&first, &second), list(&[(1..2, 1..3), (5..7, 6..7)]));
        // abcdefgh → abcdeYh → aXXcdeYh
        let (first, second) = (list(&[(5..7, 5..6)]), list(&[(1..2, 1..3)]));
        assert_eq!(composed(&first, &second), list(&[(1..2, 1..3), (5..7, 6..7)]));
    }

    #[test]
    fn changes_that_overlap_or_touch_become_one() {
        // abcdef → aXXXXdef → aXXYef
        assert_eq!(composed(&list(&[(1..3, 1..5)]), &list(&[(3..6, 3..4)])), list(&[(1..4, 1..4)]));
        // abcdef → aXdef → aXYef
        assert_eq!(composed(&list(&[(1..3, 1..2)]), &list(&[(2..3, 2..3)])), list(&[(1..4, 1..3)]));
        // abcdef → aXcdYf → aZf
        assert_eq!(composed(&list(&[(1..2, 1..2), (4..5, 4..5)]), &list(&[(1..5, 1..2)])), list(&[(1..5, 1..2)]));
    }

    #[test]
    fn changed_lines_are_found() {
        assert_eq!(between("a\nb\nc\nd\n", "a\nx\ny\nc\n"), list(&[(2..4, 2..6), (6..8, 8..8)]));
        assert_eq!(between("a", "a"), []);
        let many = "a\n".repeat(MAX_LINES);
        assert_eq!(between(&many, "a\n"), list(&[(0..many.len(), 0..2)]));
    }

    #[test]
    fn no_change_adds_nothing() {
        let some = list(&[(1..3, 1..2), (5..5, 4..6)]);
        assert_eq!(composed(&some, &[]), some);
        assert_eq!(composed(&[], &some), some);
    }
}
