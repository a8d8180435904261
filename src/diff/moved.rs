//! Finds the items that moved among their siblings: as few as possible explain the new order.

use super::matching::Matching;
use super::tree::Tree;
use crate::collections::HashSet;

/// The items of the new side that were moved among the children of the same parent.
pub(super) fn reordered(old: &Tree<'_>, new: &Tree<'_>, matching: &Matching) -> HashSet<usize> {
    let mut moved = HashSet::default();
    for parent in std::iter::once(None).chain((0..new.items.len()).map(Some)) {
        let kept: Vec<(usize, usize)> = new
            .children(parent)
            .filter_map(|index| {
                let before = (*matching.old_of.get(index)?)?;
                matching.is_same(old.item(before)?.parent, parent).then_some((before, index))
            })
            .collect();
        if kept.is_sorted() {
            continue;
        }
        let mut by_old = kept.clone();
        by_old.sort_unstable();
        let old_names: Vec<_> = by_old.iter().map(|&(before, _)| old.item(before).and_then(|item| item.name)).collect();
        let new_names: Vec<_> = kept.iter().map(|&(_, index)| new.item(index).and_then(|item| item.name)).collect();
        // Symmetric: swapping the sides moves the same items.
        let staying: HashSet<usize> = if old_names <= new_names {
            let order: Vec<usize> = kept.iter().map(|&(before, _)| before).collect();
            increasing(&order).into_iter().filter_map(|at| kept.get(at)).map(|&(_, index)| index).collect()
        } else {
            let order: Vec<usize> = by_old.iter().map(|&(_, index)| index).collect();
            increasing(&order).into_iter().filter_map(|at| order.get(at).copied()).collect()
        };
        moved.extend(kept.iter().map(|&(_, index)| index).filter(|index| !staying.contains(index)));
    }
    moved
}

/// A longest increasing subsequence of different numbers, by its indices: patience sorting (Knuth, TAOCP vol. 3, 5.1.4).
fn increasing(numbers: &[usize]) -> Vec<usize> {
    let number = |at: usize| numbers.get(at).copied().unwrap_or_default();
    // At index `length - 1`: the index of the smallest number that ends a subsequence of this length.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, &value) in numbers.iter().enumerate() {
        let length = ends.partition_point(|&end| number(end) < value);
        before.push(length.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut next = ends.last().copied();
    let mut found = Vec::with_capacity(ends.len());
    while let Some(at) = next {
        found.push(at);
        next = before.get(at).copied().flatten();
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::increasing;

    #[test]
    fn longest_increasing_subsequence_is_found() {
        let found = |numbers: &[usize]| increasing(numbers).into_iter().map(|at| numbers[at]).collect::<Vec<_>>();
        assert_eq!(found(&[1, 2, 3, 4, 0]), [1, 2, 3, 4]);
        assert_eq!(found(&[4, 0, 1, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(found(&[3, 2, 1]).len(), 1);
        assert_eq!(found(&[5, 1, 6, 2, 7, 3]).len(), 3);
        assert_eq!(found(&[]), [0; 0]);
    }
}
