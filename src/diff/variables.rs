//! The changes of variables, matched by name, then by id and type; and of signing cases, of which every member counts.

use super::canonical::Renames;
use super::members::Comparer;
use super::result::{Change, ChangeKind, What};
use super::side::{ServiceDocument, text_member};
use super::texts::Texts;
use super::tree_changes::Context;
use crate::common::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::model::case_key;
use crate::schema::DocumentKind;
use crate::text::diagnostic::FileId;

/// The members of a variable that count, besides its name, in alphabetical order.
const MEMBERS: [&str; 11] = [
    "description", "displayName", "hideAll", "hideLength", "hideStartIndex", "isInputParameter", "isOutputParameter",
    "isRequired", "shouldHide", "value", "variableType",
];

/// A declaration that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variable<'s> {
    document: ServiceDocument<'s>,
    node: NodeId,
    name: Option<&'s str>,
    /// Its number among those of its name.
    number: usize,
}

impl Variable<'_> {
    fn type_name(&self) -> Option<&str> {
        text_member(self.document.document, self.node, "variableType")
    }

    fn id(&self) -> Option<i64> {
        let document = self.document.document;
        let ids = ["id", "realId"].into_iter().filter_map(|key| document.integer(document.member(self.node, key)?));
        ids.into_iter().find(|id| *id != 0)
    }
}

/// The variables of the workflows, and those of the forms that no workflow declares.
pub(super) fn variables<'s>(documents: &[ServiceDocument<'s>]) -> Vec<Variable<'s>> {
    let mut all: Vec<Variable<'s>> = Vec::new();
    let mut numbers: HashMap<Option<&str>, usize> = HashMap::default();
    let mut of_workflows: HashSet<&str> = HashSet::default();
    for kind in [DocumentKind::Workflow, DocumentKind::Form] {
        for &own in documents.iter().filter(|document| document.kind == kind) {
            let document = own.document;
            let list = document.member(document.root(), "variables");
            for node in list.into_iter().flat_map(|list| document.elements(list)) {
                let name = text_member(document, node, "name");
                if kind == DocumentKind::Form && name.is_some_and(|name| of_workflows.contains(name)) {
                    continue;
                }
                if kind == DocumentKind::Workflow {
                    of_workflows.extend(name);
                }
                let number = numbers.entry(name).or_default();
                all.push(Variable { document: own, node, name, number: *number });
                *number += 1;
            }
        }
    }
    all
}

/// A variable on both sides, or on one.
pub(super) type VariablePair<'s> = (Option<Variable<'s>>, Option<Variable<'s>>);

/// Pairs the variables of both sides, in the order of the new side.
pub(super) fn pairs<'s>(old: &[Variable<'s>], new: &[Variable<'s>]) -> Vec<VariablePair<'s>> {
    let key = |variable: &Variable<'s>| (variable.name, variable.number);
    let mut by_name: HashMap<_, Variable<'s>> = old.iter().map(|variable| (key(variable), *variable)).collect();
    let mut pairs: Vec<VariablePair<'s>> =
        new.iter().map(|variable| (by_name.remove(&key(variable)), Some(*variable))).collect();
    let mut left: Vec<Option<Variable<'s>>> = old.iter().map(|variable| by_name.get(&key(variable)).copied()).collect();
    let mut by_id: HashMap<(i64, Option<&str>), Vec<usize>> = HashMap::default();
    for (index, variable) in left.iter().enumerate().rev() {
        if let Some((id, variable)) = variable.as_ref().and_then(|variable| Some((variable.id()?, variable))) {
            by_id.entry((id, variable.type_name())).or_default().push(index);
        }
    }
    let mut renamed = Vec::new();
    for (place, (before, after)) in pairs.iter().enumerate() {
        let Some(after) = after.as_ref().filter(|_| before.is_none()) else { continue };
        let found = after.id().and_then(|id| by_id.get_mut(&(id, after.type_name()))?.pop());
        renamed.extend(found.map(|index| (place, index)));
    }
    for (place, index) in renamed {
        if let (Some(pair), Some(variable)) = (pairs.get_mut(place), left.get_mut(index)) {
            pair.0 = variable.take();
        }
    }
    pairs.extend(left.into_iter().flatten().map(|variable| (Some(variable), None)));
    pairs
}

/// The names that changed.
pub(super) fn renames(pairs: &[VariablePair<'_>]) -> Renames {
    let mut renames = Renames::default();
    for (before, after) in pairs {
        if let (Some(before), Some(after)) = (before.and_then(|it| it.name), after.and_then(|it| it.name))
            && before != after
        {
            renames.add(before, after);
        }
    }
    renames
}

pub(super) fn variable_changes(
    texts: Texts<'_>,
    renames: &Renames,
    pairs: &[VariablePair<'_>],
    changes: &mut Vec<Change>,
) {
    let mut contexts: HashMap<[Option<FileId>; 2], Context<'_>> = HashMap::default();
    for &(before, after) in pairs {
        let Some(either) = after.or(before) else { continue };
        let documents = [before, after].map(|variable| Some(variable?.document));
        let context = contexts
            .entry(documents.map(|document| Some(document?.file.id)))
            .or_insert_with(|| Context::new(texts, documents[0], documents[1]));
        let name = |variable: Variable<'_>| variable.name.map(|name| texts.name(name));
        let change = |kind| Change {
            type_name: either.type_name().map(|name| texts.name(name)),
            name: name(either),
            ..context.change(kind, What::Variable, before.map(|before| before.node), after.map(|after| after.node))
        };
        let (Some(old), Some(new)) = (before, after) else {
            changes.push(change(if before.is_some() { ChangeKind::Removed } else { ChangeKind::Added }));
            continue;
        };
        if old.name != new.name {
            changes.push(Change { before: name(old), after: name(new), ..change(ChangeKind::Renamed) });
        }
        let mut comparer = Comparer::new(old.document.document, new.document.document, renames);
        for key in MEMBERS {
            let member = |variable: Variable<'_>| variable.document.document.member(variable.node, key);
            comparer.value(key, member(old), member(new), None);
        }
        let found = comparer.found.iter();
        changes.extend(found.map(|difference| context.with_values(change(ChangeKind::Changed), difference)));
    }
}

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
