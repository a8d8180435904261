//! What fixes replace in a file, over several rounds.

use std::iter::Peekable;
use std::ops::Range;
use std::slice::Iter;

use crate::alignment;

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
