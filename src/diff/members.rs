//! Compares the members of two matched elements: one difference for each member that changed its meaning.

use super::canonical::{Renames, Source, canonical, present, sorted_members, source};
use super::tree::{INNER_FIELDS, Item, Member, MemberKey, Shape, Tree};
use crate::document::{Document, NodeId, NodeKind};

/// The members that are scripts, where they are strings.
const SCRIPTS: [&str; 4] = ["onChange", "onLoad", "onSubmit", "script"];

/// A member that differs. At least one of the two values exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// The key; dotted for a nested member.
    pub label: String,
    pub before: Option<NodeId>,
    pub after: Option<NodeId>,
    pub shown_as: ShownAs,
}

/// How the values of a difference are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownAs {
    Value,
    /// A string that is the name of a variable.
    Variable,
    Script,
    /// The value of a parameter, which is not set if it is absent.
    Parameter,
}

/// Compares values of two documents.
pub(super) struct Comparer<'c> {
    pub old: &'c Document,
    pub new: &'c Document,
    pub renames: &'c Renames,
    pub found: Vec<Difference>,
}

impl<'c> Comparer<'c> {
    pub fn new(old: &'c Document, new: &'c Document, renames: &'c Renames) -> Self {
        Self { old, new, renames, found: Vec::new() }
    }

    /// Compares the members of two items, in the order of their keys.
    pub fn items(&mut self, (old_tree, old): (&Tree<'_>, &Item<'_>), new: &Item<'_>) {
        let is_field = old_tree.shape == Shape::Fields;
        for (old, new) in by_key(&old.members, &new.members) {
            if old.map(|old| old.value) == new.map(|new| new.value) {
                continue;
            }
            let Some(key) = old.or(new).map(|member| &member.key) else { continue };
            let (old, new) = (old.map(|old| old.node), new.map(|new| new.node));
            match *key {
                MemberKey::Parameter(name, _) => self.parameter(name, old, new),
                MemberKey::Member(key) if is_field && key == "boundTo" => self.variable(key, old, new),
                MemberKey::Member(key) if is_field && key == INNER_FIELDS => self.value(key, old, new, Some("fields")),
                MemberKey::Member(key) => self.value(key, old, new, None),
            }
        }
    }

    /// Compares a member, and those in it.
    pub fn value(&mut self, label: &str, old: Option<NodeId>, new: Option<NodeId>, except: Option<&str>) {
        let is_split = match (is_split(self.old, old), is_split(self.new, new)) {
            (Some(true), Some(true)) => true,
            (Some(true), None) => is_filled(self.old, old),
            (None, Some(true)) => is_filled(self.new, new),
            _ => false,
        };
        if is_split {
            return self.members(label, old, new, except);
        }
        if self.are_equal(old, new) {
            return;
        }
        let is_text =
            |document: &Document, node: Option<NodeId>| node.is_none_or(|node| document.string(node).is_some());
        let is_script = SCRIPTS.contains(&label) && is_text(self.old, old) && is_text(self.new, new);
        self.push(label, old, new, if is_script { ShownAs::Script } else { ShownAs::Value });
    }

    /// Compares the members of two objects, one of which may be absent.
    pub fn members(&mut self, label: &str, old: Option<NodeId>, new: Option<NodeId>, except: Option<&str>) {
        let of_old = old.map_or_else(Vec::new, |old| sorted_members(self.old, old));
        let of_new = new.map_or_else(Vec::new, |new| sorted_members(self.new, new));
        let mut keys: Vec<&str> = of_old.iter().chain(&of_new).map(|(key, _)| *key).collect();
        keys.sort_unstable();
        keys.dedup();
        let find = |members: &[(&str, NodeId)], key: &str| {
            members
                .binary_search_by(|(other, _)| (*other).cmp(key))
                .ok()
                .and_then(|at| members.get(at))
                .map(|found| found.1)
        };
        for key in keys.into_iter().filter(|key| Some(*key) != except) {
            let inner = if label.is_empty() { key.to_owned() } else { format!("{label}.{key}") };
            self.value(&inner, find(&of_old, key), find(&of_new, key), None);
        }
    }

    fn parameter(&mut self, name: &str, old: Option<NodeId>, new: Option<NodeId>) {
        let name = if name.is_empty() { "unnamed parameter" } else { name };
        let of = |document: &Document, node: Option<NodeId>, key: &str| present(document, node?, key);
        let (before, after) = (of(self.old, old, "value"), of(self.new, new, "value"));
        let is_set = |document, value: Option<NodeId>| {
            value.is_some_and(|value| source(document, value) != Some(Source::NotSet))
        };
        if (is_set(self.old, before) || is_set(self.new, after)) && !self.are_equal(before, after) {
            self.push(name, before, after, ShownAs::Parameter);
        }
        if old.is_some() && new.is_some() {
            for key in ["providerParameterType", "required"] {
                self.value(&format!("{name}.{key}"), of(self.old, old, key), of(self.new, new, key), None);
            }
        }
    }

    fn variable(&mut self, label: &str, old: Option<NodeId>, new: Option<NodeId>) {
        let before = old.and_then(|old| self.old.string(old));
        let after = new.and_then(|new| self.new.string(new));
        match (before, after) {
            (Some(before), Some(after)) if before == after || self.renames.name(before) == after => {}
            (Some(_), Some(_)) => self.push(label, old, new, ShownAs::Variable),
            _ => self.value(label, old, new, None),
        }
    }

    /// Whether two values mean the same. A value that names a renamed variable may have its old or its new name.
    fn are_equal(&self, old: Option<NodeId>, new: Option<NodeId>) -> bool {
        let (old, new) = match (old, new) {
            (None, None) => return true,
            (Some(old), Some(new)) => (old, new),
            _ => return false,
        };
        let none = Renames::default();
        let after = canonical(self.new, new, &none);
        canonical(self.old, old, self.renames) == after
            || !self.renames.is_empty() && canonical(self.old, old, &none) == after
    }

    fn push(&mut self, label: &str, before: Option<NodeId>, after: Option<NodeId>, shown_as: ShownAs) {
        self.found.push(Difference { label: label.to_owned(), before, after, shown_as });
    }
}

/// Whether a value is compared by its members, not as a whole; `None` without a value.
fn is_split(document: &Document, node: Option<NodeId>) -> Option<bool> {
    node.map(|node| document.kind(node) == NodeKind::Object && source(document, node).is_none())
}

fn is_filled(document: &Document, object: Option<NodeId>) -> bool {
    object.is_some_and(|object| document.children(object).len() > 0)
}

/// A member on both sides, or on one.
pub(super) type MemberPair<'m, 'd> = (Option<&'m Member<'d>>, Option<&'m Member<'d>>);

/// The members of both lists, which are sorted, side by side.
pub(super) fn by_key<'m, 'd>(old: &'m [Member<'d>], new: &'m [Member<'d>]) -> Vec<MemberPair<'m, 'd>> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut pairs = Vec::with_capacity(old.len().max(new.len()));
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return pairs,
            (Some(one), Some(other)) => one.key.cmp(&other.key),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
        };
        let one = if order.is_le() { old.next() } else { None };
        let other = if order.is_ge() { new.next() } else { None };
        pairs.push((one, other));
    }
}
