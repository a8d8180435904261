//! Matches the items of two trees: which item of one side is which on the other.

use std::collections::VecDeque;

use super::likeness::alike;
use super::tree::{Item, Tree};
use crate::collections::HashMap;

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
