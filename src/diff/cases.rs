//! Signing cases: every member counts.

use super::members::Comparer;
use super::renames::Renames;
use super::result::{Change, ChangeKind, What};
use super::spot::text_member;
use super::tree_changes::Context;
use crate::model::case_key;

pub(super) fn case_changes(context: &Context<'_>, renames: &Renames, changes: &mut Vec<Change>) {
    let (old, new) = (context.old, context.new);
    let Some(either) = new.or(old) else { return };
    let name = text_member(either.document, either.document.root(), case_key::NAME);
    let change = |kind| Change {
        name: name.map(|name| context.texts.name(name)),
        ..context.change(kind, What::Case, old.map(|old| old.document.root()), new.map(|new| new.document.root()))
    };
    let (Some(before), Some(after)) = (old, new) else {
        return changes.push(change(if old.is_some() { ChangeKind::Removed } else { ChangeKind::Added }));
    };
    let mut comparer = Comparer::new(before.document, after.document, renames);
    comparer.members("", Some(before.document.root()), Some(after.document.root()), None);
    let found = comparer.found.iter();
    changes.extend(found.map(|difference| context.with_values(change(ChangeKind::Changed), difference)));
}
