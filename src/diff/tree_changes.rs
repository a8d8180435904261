//! The changes of the activities of a workflow, or of the fields of a form.

use super::documents::ServiceDocument;
use super::matching::Matching;
use super::members::{Comparer, Difference, ShownAs};
use super::moved::reordered;
use super::renames::Renames;
use super::result::{Change, ChangeKind, Details, What};
use super::scripts::changed_lines;
use super::spot::{file_name, spot, text_member};
use super::texts::{MASKED, ReadService, Texts, Value};
use super::tree::{Item, Shape, Tree};
use crate::document::NodeId;

/// The documents whose changes are listed.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    pub texts: Texts<'c>,
    pub old: Option<ServiceDocument<'c>>,
    pub new: Option<ServiceDocument<'c>>,
}

impl Context<'_> {
    /// A change without values, at these places.
    pub fn change(&self, kind: ChangeKind, what: What, old: Option<NodeId>, new: Option<NodeId>) -> Change {
        let place = |document: Option<ServiceDocument<'_>>, node: Option<NodeId>| {
            let document = document?;
            Some(spot(document.file, document.document, node?))
        };
        let document = self.new.or(self.old).map(|document| file_name(&document.file.source.name).to_owned());
        Change {
            kind,
            what,
            type_name: None,
            name: None,
            member: None,
            before: None,
            after: None,
            old: place(self.old, old),
            new: place(self.new, new),
            details: Details { document: document.unwrap_or_default(), ..Details::default() },
        }
    }

    /// The change of a member.
    pub fn with_values(&self, mut change: Change, difference: &Difference) -> Change {
        let before = value(self.texts.old, self.old, difference.before);
        let after = value(self.texts.new, self.new, difference.after);
        let texts = self.texts;
        let shown = |value: Value<'_>| match difference.shown_as {
            ShownAs::Variable => texts.variable(value),
            ShownAs::Script => texts.string(value),
            ShownAs::Value | ShownAs::Parameter => texts.value(value),
        };
        change.member = Some(texts.name(&difference.label));
        let is_masked = |value: Option<Value<'_>>| value.is_some_and(|value| value.is_masked());
        let is_masked = is_masked(before) || is_masked(after);
        let shown = |value: Value<'_>| if is_masked { MASKED.to_owned() } else { shown(value) };
        (change.before, change.after) = (before.map(shown), after.map(shown));
        change.details.is_parameter = difference.shown_as == ShownAs::Parameter;
        if difference.shown_as == ShownAs::Script {
            let raw = |value: Option<Value<'_>>| {
                value.and_then(|value| value.document.string(value.node)).unwrap_or_default().to_owned()
            };
            let (old, new) = (raw(before), raw(after));
            let shown = (change.before.clone().unwrap_or_default(), change.after.clone().unwrap_or_default());
            let (removed, added) = changed_lines((&old, &new), (&shown.0, &shown.1));
            (change.before, change.after) = (before.map(|_| removed), after.map(|_| added));
            change.details.is_script = true;
        }
        change
    }
}

fn value<'t>(
    service: &'t ReadService<'t>,
    document: Option<ServiceDocument<'t>>,
    node: Option<NodeId>,
) -> Option<Value<'t>> {
    let document = document?;
    Some(Value { service, file: document.file.id, document: document.document, node: node? })
}

/// The trees of both sides, and their matching.
pub(super) struct Trees<'t> {
    pub old: &'t Tree<'t>,
    pub new: &'t Tree<'t>,
    pub matching: &'t Matching,
}

/// The changes in the order of the new side. A removed item follows the item that preceded it.
pub(super) fn tree_changes(context: &Context<'_>, renames: &Renames, trees: &Trees<'_>) -> Vec<Change> {
    let lister = Lister { context, renames, trees };
    let kept_before = kept_before(trees);
    let moved = reordered(trees.old, trees.new, trees.matching);
    let mut changes: Vec<((usize, usize), Change)> = Vec::new();
    for (index, item) in trees.new.items.iter().enumerate() {
        let order = (index + 1, 0);
        match trees.matching.old_of.get(index).copied().flatten() {
            Some(before) => {
                let is_reordered = moved.contains(&index);
                changes.extend(lister.of_pair(before, item, is_reordered).into_iter().map(|change| (order, change)));
            }
            None if Lister::is_alone(&trees.matching.old_of, item) => {
                changes.push((order, lister.whole(ChangeKind::Added, trees.new, index, item)));
            }
            None => {}
        }
    }
    for (index, item) in trees.old.items.iter().enumerate() {
        let is_removed = trees.matching.new_of.get(index) == Some(&None);
        if is_removed && Lister::is_alone(&trees.matching.new_of, item) {
            let change = lister.whole(ChangeKind::Removed, trees.old, index, item);
            let before = kept_before.get(index).copied().flatten();
            changes.push(((lister.place_of_removed(item, before), index + 1), change));
        }
    }
    // Moves each change once, without a copy of the list.
    changes.sort_by_cached_key(|(order, _)| *order);
    changes.into_iter().map(|(_, change)| change).collect()
}

/// By old item, the new one of the last sibling before it that is still below the same parent.
fn kept_before(trees: &Trees<'_>) -> Vec<Option<usize>> {
    let mut kept = vec![None; trees.old.items.len()];
    for parent in std::iter::once(None).chain((0..trees.old.items.len()).map(Some)) {
        let mut last = None;
        for &index in trees.old.children(parent) {
            if let Some(before) = kept.get_mut(index) {
                *before = last;
            }
            let new = trees.matching.new_of.get(index).copied().flatten();
            let is_here =
                |new: &usize| trees.new.item(*new).is_some_and(|item| trees.matching.is_same(parent, item.parent));
            last = new.filter(is_here).or(last);
        }
    }
    kept
}

struct Lister<'l> {
    context: &'l Context<'l>,
    renames: &'l Renames,
    trees: &'l Trees<'l>,
}

impl Lister<'_> {
    fn what(&self) -> What {
        match self.trees.new.shape {
            Shape::Activities => What::Activity,
            Shape::Fields => What::Field,
        }
    }

    /// Whether the parent of an item is on the other side, so that the item was added or removed by itself.
    fn is_alone(other: &[Option<usize>], item: &Item) -> bool {
        item.parent.is_none_or(|parent| other.get(parent).copied().flatten().is_some())
    }

    /// The number, from 1, of the new item after which a removed one stood; 0 at the beginning. `before`: the last sibling
    /// before it that was kept, on the new side.
    fn place_of_removed(&self, item: &Item, before: Option<usize>) -> usize {
        let new_of = |index: usize| self.trees.matching.new_of.get(index).copied().flatten();
        // After everything inside the sibling.
        let sibling = before.and_then(|new| self.trees.new.item(new)).map(|new| new.end);
        sibling.or_else(|| item.parent.and_then(new_of).map(|parent| parent + 1)).unwrap_or(0)
    }

    /// An added or removed item with all inside.
    fn whole(&self, kind: ChangeKind, tree: &Tree<'_>, index: usize, item: &Item) -> Change {
        let is_added = kind == ChangeKind::Added;
        let (old, new) = if is_added { (None, Some(item.node)) } else { (Some(item.node), None) };
        let mut change = self.named(self.context.change(kind, self.what(), old, new), item);
        let other = if is_added { &self.trees.matching.old_of } else { &self.trees.matching.new_of };
        let inside = other.get(index + 1..item.end).unwrap_or_default();
        change.details.inside = inside.iter().filter(|other| other.is_none()).count();
        change.details.parent = self.parent_name(tree, item.parent);
        if tree.shape == Shape::Fields {
            let (document, texts) = (tree.document, self.context.texts);
            let bound = text_member(document, item.node, "boundTo").filter(|name| !name.is_empty());
            change.details.bound_to = bound.map(|name| texts.name(name));
            let required = document.member(item.node, "required");
            change.details.is_required = required.and_then(|node| document.boolean(node)) == Some(true);
        }
        change
    }

    fn named(&self, change: Change, item: &Item) -> Change {
        let name = |name: &Option<String>| name.as_deref().map(|name| self.context.texts.name(name));
        Change { type_name: name(&item.type_name), name: name(&item.name), ..change }
    }

    /// The name of a parent; `None` for the top level.
    fn parent_name(&self, tree: &Tree<'_>, parent: Option<usize>) -> Option<String> {
        let item = tree.item(parent?)?;
        let unnamed = || match &item.type_name {
            Some(kind) => format!("unnamed {kind}"),
            None => format!("unnamed {}", self.what().word()),
        };
        Some(self.context.texts.name(&item.name.clone().unwrap_or_else(unnamed)))
    }

    fn of_pair(&self, before: usize, item: &Item, is_reordered: bool) -> Vec<Change> {
        let Trees { old, new, matching } = *self.trees;
        let Some(old_item) = old.item(before) else { return Vec::new() };
        let change = |kind| {
            let change = self.context.change(kind, self.what(), Some(old_item.node), Some(item.node));
            self.named(change, item)
        };
        let texts = self.context.texts;
        let mut changes = Vec::new();
        if old_item.name != item.name {
            let name = |name: &Option<String>| name.as_deref().map(|name| texts.name(name));
            let (before, after) = (name(&old_item.name), name(&item.name));
            changes.push(Change { before, after, ..change(ChangeKind::Renamed) });
        }
        if is_reordered || !matching.is_same(old_item.parent, item.parent) {
            let before = self.parent_name(old, old_item.parent);
            let after = self.parent_name(new, item.parent);
            changes.push(Change { before, after, ..change(ChangeKind::Moved) });
        }
        let mut comparer = Comparer::new(old.document, new.document, self.renames);
        comparer.items((old, old_item), item);
        let found = comparer.found.iter();
        changes.extend(found.map(|difference| self.context.with_values(change(ChangeKind::Changed), difference)));
        changes
    }
}
