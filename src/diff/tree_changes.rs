//! The changes of the activities of a workflow, or of the fields of a form.

use std::borrow::Cow;
use std::sync::Arc;

use super::canonical::Renames;
use super::matching::{Matching, reordered};
use super::members::{Comparer, Difference, ShownAs};
use super::result::{Change, ChangeKind, ChangedFiles, Details, What};
use super::side::{ServiceDocument, file_name, spot, text_member};
use super::texts::{MASKED, ReadService, Texts, Value};
use super::tree::{Item, Shape, Tree};
use crate::document::NodeId;
use crate::fix::between;

/// The documents whose changes are listed.
pub(super) struct Context<'c> {
    pub texts: Texts<'c>,
    pub old: Option<ServiceDocument<'c>>,
    pub new: Option<ServiceDocument<'c>>,
    files: Arc<ChangedFiles>,
}

impl<'c> Context<'c> {
    pub fn new(texts: Texts<'c>, old: Option<ServiceDocument<'c>>, new: Option<ServiceDocument<'c>>) -> Self {
        let name = |document: ServiceDocument<'_>| document.file.source.name.clone();
        let (of_old, of_new) = (old.map(name), new.map(name));
        let document = file_name(of_new.as_deref().or(of_old.as_deref()).unwrap_or_default()).to_owned();
        Self { texts, old, new, files: Arc::new(ChangedFiles { document, old: of_old, new: of_new }) }
    }

    /// A change without values, at these places.
    pub fn change(&self, kind: ChangeKind, what: What, old: Option<NodeId>, new: Option<NodeId>) -> Change {
        let place = |document: Option<ServiceDocument<'_>>, node: Option<NodeId>| {
            let document = document?;
            Some(Box::new(spot(document.file, document.document, node?)))
        };
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
            files: Arc::clone(&self.files),
            details: None,
            is_script: false,
            is_parameter: false,
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
        let shown = |value: Value<'_>| if is_masked { MASKED.into() } else { shown(value) };
        (change.before, change.after) = (before.map(shown), after.map(shown));
        change.is_parameter = difference.shown_as == ShownAs::Parameter;
        if difference.shown_as == ShownAs::Script {
            let raw = |value: Option<Value<'_>>| {
                value.and_then(|value| value.document.string(value.node)).unwrap_or_default().to_owned()
            };
            let (old, new) = (raw(before), raw(after));
            let shown = (change.before.clone().unwrap_or_default(), change.after.clone().unwrap_or_default());
            let (removed, added) = changed_lines((&old, &new), (&shown.0, &shown.1));
            (change.before, change.after) = (before.map(|_| removed.into()), after.map(|_| added.into()));
            change.is_script = true;
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
pub(super) fn tree_changes(context: &Context<'_>, renames: &Renames, trees: &Trees<'_>, changes: &mut Vec<Change>) {
    let lister = Lister { context, renames, trees };
    let moved = reordered(trees.old, trees.new, trees.matching);
    let mut removed = lister.removed().into_iter().peekable();
    let mut add_removed = |place: usize, changes: &mut Vec<Change>| {
        while let Some((_, index)) = removed.next_if(|removed| removed.0 <= place) {
            let item = trees.old.item(index);
            changes.extend(item.map(|item| lister.whole(ChangeKind::Removed, trees.old, index, item)));
        }
    };
    add_removed(0, changes);
    for (index, item) in trees.new.items.iter().enumerate() {
        match trees.matching.old_of.get(index).copied().flatten() {
            Some(before) => lister.add_pair(before, item, moved.contains(&index), changes),
            None if Lister::is_alone(&trees.matching.old_of, item) => {
                changes.push(lister.whole(ChangeKind::Added, trees.new, index, item));
            }
            None => {}
        }
        add_removed(index + 1, changes);
    }
}

/// By old item, the new one of the last sibling before it that is still below the same parent.
fn kept_before(trees: &Trees<'_>) -> Vec<Option<usize>> {
    let mut kept = vec![None; trees.old.items.len()];
    for parent in std::iter::once(None).chain((0..trees.old.items.len()).map(Some)) {
        let mut last = None;
        for index in trees.old.children(parent) {
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

    /// The old items that were removed by themselves, each with the number, from 1, of the new item after which it
    /// stood, in this order.
    fn removed(&self) -> Vec<(usize, usize)> {
        let Trees { old, matching, .. } = self.trees;
        let kept_before = kept_before(self.trees);
        let items = old.items.iter().enumerate().zip(kept_before).filter(|((index, item), _)| {
            matching.new_of.get(*index) == Some(&None) && Self::is_alone(&matching.new_of, item)
        });
        let mut removed: Vec<(usize, usize)> =
            items.map(|((index, item), before)| (self.place_of_removed(item, before), index)).collect();
        removed.sort_unstable();
        removed
    }

    /// Whether the parent of an item is on the other side, so that the item was added or removed by itself.
    fn is_alone(other: &[Option<usize>], item: &Item<'_>) -> bool {
        item.parent.is_none_or(|parent| other.get(parent).copied().flatten().is_some())
    }

    /// The number, from 1, of the new item after which a removed one stood; 0 at the beginning. `before`: the last sibling
    /// before it that was kept, on the new side.
    fn place_of_removed(&self, item: &Item<'_>, before: Option<usize>) -> usize {
        let new_of = |index: usize| self.trees.matching.new_of.get(index).copied().flatten();
        // After everything inside the sibling.
        let sibling = before.and_then(|new| self.trees.new.item(new)).map(|new| new.end);
        sibling.or_else(|| item.parent.and_then(new_of).map(|parent| parent + 1)).unwrap_or(0)
    }

    /// An added or removed item with all inside.
    fn whole(&self, kind: ChangeKind, tree: &Tree<'_>, index: usize, item: &Item<'_>) -> Change {
        let is_added = kind == ChangeKind::Added;
        let (old, new) = if is_added { (None, Some(item.node)) } else { (Some(item.node), None) };
        let mut change = self.named(self.context.change(kind, self.what(), old, new), item);
        let other = if is_added { &self.trees.matching.old_of } else { &self.trees.matching.new_of };
        let inside = other.get(index + 1..item.end).unwrap_or_default();
        let mut details = Details {
            inside: inside.iter().filter(|other| other.is_none()).count(),
            parent: self.parent_name(tree, item.parent),
            ..Details::default()
        };
        if tree.shape == Shape::Fields {
            let (document, texts) = (tree.document, self.context.texts);
            let bound = text_member(document, item.node, "boundTo").filter(|name| !name.is_empty());
            details.bound_to = bound.map(|name| texts.name(name));
            let required = document.member(item.node, "required");
            details.is_required = required.and_then(|node| document.boolean(node)) == Some(true);
        }
        change.details = (details != Details::default()).then(|| Box::new(details));
        change
    }

    fn named(&self, change: Change, item: &Item<'_>) -> Change {
        let texts = self.context.texts;
        let (type_name, name) = (item.type_name.map(|name| texts.name(name)), item.name.map(|name| texts.name(name)));
        Change { type_name, name, ..change }
    }

    /// The name of a parent; `None` for the top level.
    fn parent_name(&self, tree: &Tree<'_>, parent: Option<usize>) -> Option<Box<str>> {
        let item = tree.item(parent?)?;
        let unnamed = || format!("unnamed {}", item.type_name.unwrap_or(self.what().word()));
        let name = item.name.map_or_else(|| Cow::Owned(unnamed()), Cow::Borrowed);
        Some(self.context.texts.name(&name))
    }

    /// The differences of an item that is on both sides.
    fn add_pair(&self, before: usize, item: &Item<'_>, is_reordered: bool, changes: &mut Vec<Change>) {
        let Trees { old, new, matching } = *self.trees;
        let Some(old_item) = old.item(before) else { return };
        let change = |kind| {
            let change = self.context.change(kind, self.what(), Some(old_item.node), Some(item.node));
            self.named(change, item)
        };
        let texts = self.context.texts;
        if old_item.name != item.name {
            let name = |name: Option<&str>| name.map(|name| texts.name(name));
            let (before, after) = (name(old_item.name), name(item.name));
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
    }
}

/// The lines that were removed, and those that were added. `shown` are both scripts as they are shown, with as many lines
/// as the scripts have.
pub(super) fn changed_lines((old, new): (&str, &str), shown: (&str, &str)) -> (String, String) {
    let (mut removed, mut added) = (Lines::new(old, shown.0), Lines::new(new, shown.1));
    for replacement in between(old, new) {
        removed.take(replacement.before.start, replacement.before.end);
        added.take(replacement.after.start, replacement.after.end);
    }
    (removed.text(), added.text())
}

/// The lines of a script, taken from front to back.
struct Lines<'t> {
    rest: std::iter::Zip<std::str::SplitInclusive<'t, char>, std::str::Split<'t, char>>,
    /// The offset of the rest.
    at: usize,
    taken: Vec<&'t str>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, shown: &'t str) -> Self {
        Self { rest: text.split_inclusive('\n').zip(shown.split('\n')), at: 0, taken: Vec::new() }
    }

    fn take(&mut self, start: usize, end: usize) {
        while self.at < end
            && let Some((line, shown)) = self.rest.next()
        {
            if self.at >= start {
                self.taken.push(shown);
            }
            self.at += line.len();
        }
    }

    fn text(&self) -> String {
        self.taken.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::changed_lines;

    #[test]
    fn only_changed_lines_are_taken() {
        let (old, new) = ("a\nb\nc\nd", "a\nx\nc\nd\ne");
        assert_eq!(changed_lines((old, new), (old, new)), ("b\nd".to_owned(), "x\nd\ne".to_owned()));
        assert_eq!(changed_lines(("", "a"), ("", "A")), (String::new(), "A".to_owned()));
        let (old, new) = ("p = 1\nq", "p = 2\nq");
        assert_eq!(changed_lines((old, new), ("p = •\nq", "p = •\nq")), ("p = •".to_owned(), "p = •".to_owned()));
    }
}
