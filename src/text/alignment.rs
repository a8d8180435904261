//! Aligns two versions of a list.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// Items of the older list, and what stands in their place in the newer one.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    pub before: Range<usize>,
    pub after: Range<usize>,
    pub is_equal: bool,
}

/// The blocks that both lists consist of, in order; none is empty on both sides. Few items change, though not always
/// the fewest: the time is linear unless both lists have the same few items in another order, often.
pub fn blocks<T: AsRef<str>>(before: &[T], after: &[T]) -> Vec<Block> {
    let mut input = InternedInput::default();
    input.update_before(before.iter().map(AsRef::as_ref));
    input.update_after(after.iter().map(AsRef::as_ref));
    let (mut old, mut new) = (0, 0);
    let mut blocks = Vec::new();
    let mut push = |old_end: usize, new_end: usize, is_equal| {
        if (old, new) != (old_end, new_end) {
            blocks.push(Block { before: old..old_end, after: new..new_end, is_equal });
        }
        (old, new) = (old_end, new_end);
    };
    for hunk in Diff::compute(Algorithm::Histogram, &input).hunks() {
        push(hunk.before.start as usize, hunk.after.start as usize, true);
        push(hunk.before.end as usize, hunk.after.end as usize, false);
    }
    push(before.len(), after.len(), true);
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn changed_items_stand_between_equal_ones() {
        let block = |before, after, is_equal| Block { before, after, is_equal };
        let expected =
            [block(0..1, 0..1, true), block(1..2, 1..3, false), block(2..3, 3..4, true), block(3..4, 4..4, false)];
        assert_eq!(blocks(&["a", "b", "c", "d"], &["a", "x", "y", "c"]), expected);
        assert_eq!(blocks::<&str>(&[], &[]), []);
    }

    proptest! {
        #[test]
        fn blocks_make_up_both_lists(before in vec("[a-d]", 0..40), after in vec("[a-d]", 0..40)) {
            let (mut old, mut new) = (0, 0);
            for block in blocks(&before, &after) {
                prop_assert_eq!((block.before.start, block.after.start), (old, new));
                prop_assert!(!block.is_equal || before[block.before.clone()] == after[block.after.clone()]);
                prop_assert!(!block.before.is_empty() || !block.after.is_empty());
                (old, new) = (block.before.end, block.after.end);
            }
            prop_assert_eq!((old, new), (before.len(), after.len()));
        }
    }
}
