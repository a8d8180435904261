//! Matches the items of two trees: which item of one side is which on the other, which moved, and where each is now.

use std::collections::VecDeque;

use super::members::{MemberPair, by_key};
use super::tree::{Item, Tree};
use crate::common::collections::{HashMap, HashSet};
use crate::project::File;
use crate::text::diagnostic::{FileId, Location};

/// Maximum rounds of the search. Each goes at least one level deeper, and documents have at most 256 levels.
const MAX_ROUNDS: usize = 512;

/// The matching item of the other side, by item.
#[derive(Debug)]
pub(super) struct Matching {
    pub new_of: Vec<Option<usize>>,
    pub old_of: Vec<Option<usize>>,
}

impl Matching {
    pub fn new(old: &Tree<'_>, new: &Tree<'_>) -> Self {
        let matching = Self { new_of: vec![None; old.items.len()], old_of: vec![None; new.items.len()] };
        let mut matcher = Matcher { old, new, matching, pending: vec![(None, None)], parents: Vec::new() };
        for _ in 0..MAX_ROUNDS {
            matcher.match_children();
            if !(matcher.match_ids() || matcher.match_names() || matcher.match_alike()) {
                break;
            }
        }
        matcher.matching
    }

    pub fn is_same(&self, old: Option<usize>, new: Option<usize>) -> bool {
        match (old, new) {
            (None, None) => true,
            (Some(old), Some(new)) => self.new_of.get(old) == Some(&Some(new)),
            _ => false,
        }
    }
}

struct Matcher<'m, 'd> {
    old: &'m Tree<'d>,
    new: &'m Tree<'d>,
    matching: Matching,
    /// Parents on both sides whose children have not been compared; `None` for the root.
    pending: Vec<(Option<usize>, Option<usize>)>,
    /// Parents whose children have been compared.
    parents: Vec<(Option<usize>, Option<usize>)>,
}

type Names<'d> = (Option<&'d str>, Option<&'d str>);

const fn names<'d>(item: &Item<'d>) -> Names<'d> {
    (item.type_name, item.name)
}

impl<'m, 'd> Matcher<'m, 'd> {
    fn pair(&mut self, old: usize, new: usize) {
        if let (Some(new_of), Some(old_of)) = (self.matching.new_of.get_mut(old), self.matching.old_of.get_mut(new)) {
            (*new_of, *old_of) = (Some(new), Some(old));
            self.pending.push((Some(old), Some(new)));
        }
    }

    fn unmatched_old(&self, items: impl Iterator<Item = usize>) -> Vec<(usize, &'m Item<'d>)> {
        let is_free = |&index: &usize| self.matching.new_of.get(index) == Some(&None);
        items.filter(is_free).filter_map(|index| Some((index, self.old.item(index)?))).collect()
    }

    fn unmatched_new(&self, items: impl Iterator<Item = usize>) -> Vec<(usize, &'m Item<'d>)> {
        let is_free = |&index: &usize| self.matching.old_of.get(index) == Some(&None);
        items.filter(is_free).filter_map(|index| Some((index, self.new.item(index)?))).collect()
    }

    /// Matches children of the same parent by name and type; of several with the same ones, equal items first, then in
    /// order.
    fn match_children(&mut self) {
        while let Some((old_parent, new_parent)) = self.pending.pop() {
            self.parents.push((old_parent, new_parent));
            let of_old = self.unmatched_old(self.old.children(old_parent));
            let of_new = self.unmatched_new(self.new.children(new_parent));
            self.match_by(&of_old, &of_new, |item| Some((names(item), item.whole)));
            let of_old = self.unmatched_old(self.old.children(old_parent));
            let of_new = self.unmatched_new(self.new.children(new_parent));
            self.match_by(&of_old, &of_new, |item| Some(names(item)));
        }
    }

    /// Pairs items with equal keys in their order.
    fn match_by<K: std::hash::Hash + Eq>(
        &mut self,
        old: &[(usize, &'m Item<'d>)],
        new: &[(usize, &'m Item<'d>)],
        key: impl Fn(&'m Item<'d>) -> Option<K>,
    ) -> bool {
        let mut of_new: HashMap<K, VecDeque<usize>> = HashMap::default();
        for &(index, item) in new {
            if let Some(key) = key(item) {
                of_new.entry(key).or_default().push_back(index);
            }
        }
        let mut has_found = false;
        for &(index, item) in old {
            if let Some(found) = key(item).and_then(|key| of_new.get_mut(&key)?.pop_front()) {
                self.pair(index, found);
                has_found = true;
            }
        }
        has_found
    }

    fn all_unmatched(&self) -> [Vec<(usize, &'m Item<'d>)>; 2] {
        [self.unmatched_old(0..self.old.items.len()), self.unmatched_new(0..self.new.items.len())]
    }

    /// Matches items by type and id, anywhere in the tree.
    fn match_ids(&mut self) -> bool {
        let [old, new] = self.all_unmatched();
        self.match_by(&old, &new, |item| (item.id != 0).then_some((item.type_name, item.id)))
    }

    /// Matches items by name and type, anywhere in the tree, if only one is left on each side.
    fn match_names(&mut self) -> bool {
        let [old, new] = self.all_unmatched();
        let count = |items: &[(usize, &'m Item<'d>)]| {
            let mut counts: HashMap<Names<'d>, usize> = HashMap::default();
            for (_, item) in items {
                *counts.entry(names(item)).or_default() += 1;
            }
            counts
        };
        let counts = [count(&old), count(&new)];
        self.match_by(&old, &new, |item| {
            let is_single = counts.iter().all(|counts| counts.get(&names(item)) == Some(&1));
            (item.name.is_some() && is_single).then(|| names(item))
        })
    }

    /// Matches similar children of the same parent.
    fn match_alike(&mut self) -> bool {
        let mut pairs = Vec::new();
        for &(old_parent, new_parent) in &self.parents {
            let indices =
                |items: Vec<(usize, &'m Item<'d>)>| items.into_iter().map(|(index, _)| index).collect::<Vec<_>>();
            let of_old = indices(self.unmatched_old(self.old.children(old_parent)));
            let of_new = indices(self.unmatched_new(self.new.children(new_parent)));
            if !of_old.is_empty() && !of_new.is_empty() {
                pairs.extend(alike((self.old, &of_old), (self.new, &of_new)));
            }
        }
        // All of their children that can be matched are matched.
        self.parents.clear();
        let has_found = !pairs.is_empty();
        for (old, new) in pairs {
            self.pair(old, new);
        }
        has_found
    }
}

/// The maximum number of siblings, on each side, that are compared with each other.
const MAX_COMPARED: usize = 64;

/// The pairs of similar items of one type, the most similar first. Each item is in at most one pair.
pub(super) fn alike(old: (&Tree<'_>, &[usize]), new: (&Tree<'_>, &[usize])) -> Vec<(usize, usize)> {
    let mut scored = Vec::new();
    for (at, &one) in old.1.iter().take(MAX_COMPARED).enumerate() {
        for (place, &other) in new.1.iter().take(MAX_COMPARED).enumerate() {
            let (Some(old_item), Some(new_item)) = (old.0.item(one), new.0.item(other)) else { continue };
            if old_item.type_name != new_item.type_name {
                continue;
            }
            let (equal, all) = likeness((old.0, one, old_item), (new.0, other, new_item));
            if equal * 2 > all || all == 0 {
                // Parts of a million, so that scores have an order.
                let score = (equal * 1_000_000).checked_div(all).unwrap_or(1_000_000);
                scored.push((std::cmp::Reverse(score), at.abs_diff(place), at + place, at, one, other));
            }
        }
    }
    scored.sort_unstable();
    pairs_of_best(scored.into_iter().map(|(_, _, _, _, one, other)| (one, other)))
}

/// The pairs, the best first, without those of which one side is in a better one.
pub(super) fn pairs_of_best(pairs: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for (one, other) in pairs {
        if !kept.iter().any(|pair| pair.0 == one || pair.1 == other) {
            kept.push((one, other));
        }
    }
    kept
}

/// The number of equal members and children, and the number of all. Children are compared by name and type.
fn likeness(
    (old_tree, old_index, old): (&Tree<'_>, usize, &Item<'_>),
    (new_tree, new_index, new): (&Tree<'_>, usize, &Item<'_>),
) -> (usize, usize) {
    let pairs = by_key(&old.members, &new.members);
    let is_equal = |(old, new): &MemberPair<'_, '_>| old.map(|member| member.value) == new.map(|member| member.value);
    let members = pairs.iter().filter(|pair| is_equal(pair)).count();
    let mut children: HashMap<(Option<&str>, Option<&str>), usize> = HashMap::default();
    let (of_old, of_new) = (|| old_tree.children(Some(old_index)), || new_tree.children(Some(new_index)));
    for child in of_old().filter_map(|child| old_tree.item(child)) {
        *children.entry((child.type_name, child.name)).or_default() += 1;
    }
    let found = of_new().filter_map(|child| new_tree.item(child)).filter(|child| {
        match children.get_mut(&(child.type_name, child.name)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    });
    let found = found.count();
    (members + found, pairs.len() + of_old().count().max(of_new().count()))
}

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

/// The places of activities that are on both sides.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Documents that are equal.
    equal: HashMap<FileId, FileId>,
    /// By document and pointer.
    activities: HashMap<(FileId, String), (FileId, String)>,
}

impl Places {
    pub fn add_equal(&mut self, old: &File, new: &File) {
        self.equal.insert(old.id, new.id);
    }

    pub fn add(&mut self, old: (&File, &Tree<'_>), new: (&File, &Tree<'_>), matching: &Matching) {
        for (index, found) in matching.new_of.iter().enumerate() {
            let pair = found.and_then(|found| Some((old.1.item(index)?, new.1.item(found)?)));
            if let Some((before, after)) = pair {
                let place = |file: &File, tree: &Tree<'_>, node| (file.id, tree.document.pointer(node));
                self.activities.insert(place(old.0, old.1, before.node), place(new.0, new.1, after.node));
            }
        }
    }

    /// The place on the new side of an activity of the old one.
    pub fn now(&self, location: &Location) -> Option<Location> {
        if let Some(&file) = self.equal.get(&location.file) {
            return Some(Location { file, ..location.clone() });
        }
        let (file, pointer) = self.activities.get(&(location.file, location.pointer.clone()))?;
        Some(Location { file: *file, pointer: pointer.clone(), span: location.span })
    }
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
