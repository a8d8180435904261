//! Declaring variables whose names are used although no document declares them.

use crate::common::collections::HashSet;
use crate::document::{Document, Editor, NewValue, NodeId, NodeKind};
use crate::facts::context::Context;
use crate::facts::uses::name_uses::NameUse;
use crate::graph::{Resolution, Scope};
use crate::model::{FILE_TYPE, STRING_TYPE, Variable};
use crate::text::diagnostic::{Edit, FileId};

/// The last variables of a document, whose common members a new one gets: there may be very many variables.
const NEIGHBORS: usize = 20;
/// Bindings to one variable that get its id: each of them may have a finding whose fix changes all.
const MAX_IDS: usize = 200;

/// The members of a variable that a new one gets where its neighbors have them (docs/platform.md, Variable). A key that
/// nothing describes is left out.
const MEMBERS: [&str; 22] = [
    "name",
    "id",
    "realId",
    "value",
    "variableType",
    "displayName",
    "description",
    "shouldHide",
    "hideAll",
    "hideStartIndex",
    "hideLength",
    "hideStartIndexDisplay",
    "hideLengthDisplay",
    "hideRemaining",
    "isInputParameter",
    "isOutputParameter",
    "isRequired",
    "isSystemVariable",
    "isAssignable",
    "isBound",
    "isBoundToSetupFormField",
    "variableUsageList",
];

/// A variable to be declared.
struct New<'n> {
    name: &'n str,
    /// 0 where the variables have no ids yet.
    id: i64,
    known: &'n NameUse,
}

/// The edits that declare variables, all or none, in the documents of the service that use them: in the workflows, and in
/// forms that list their variables. A binding with the name gets the id. `None` where it is not known that something
/// writes one of them, and for a name that is near a known one, or that is bound by the id of another variable: it is
/// most likely mistyped.
pub fn declaring(cx: &Context<'_>, names: &[&str]) -> Option<Vec<Edit>> {
    let uses = cx.name_uses();
    let mut free = uses.free_ids();
    let mut taken = HashSet::default();
    let mut new = Vec::new();
    for &name in names {
        let known = uses
            .get(name)
            .filter(|known| known.is_written && !known.is_of_unknown_type && known.ids.len() <= MAX_IDS)?;
        let has_another = |id: i64| id != 0 && uses.declared_ids.contains(&id);
        if known.ids.iter().any(|(_, _, id)| has_another(*id)) {
            return None;
        }
        let own = known.ids.iter().map(|(_, _, id)| *id).find(|id| *id > 0 && uses.is_free(*id, name));
        let id = match own.filter(|id| !taken.contains(id)) {
            Some(id) => id,
            // The variables have none yet.
            None if !uses.declared_ids.is_empty() && uses.declared_ids.iter().all(|id| *id == 0) => 0,
            None => free.find(|id| !taken.contains(id))?,
        };
        taken.insert(id);
        new.push(New { name, id, known });
    }
    let mut edits = Vec::new();
    let mut declared = HashSet::default();
    for (file, scope, list, variables) in lists(cx) {
        let wanted = |new: &&New<'_>| is_declared_in(cx, file, new.known);
        let new: Vec<&New<'_>> = new.iter().filter(wanted).collect();
        if new.iter().any(|new| !is_undeclared(cx, scope, new.name)) {
            return None;
        }
        let document = cx.document(file)?;
        let mut editor = Editor::new(document, file);
        for new in new {
            declared.insert(new.name);
            let object = object(cx, document, variables, new);
            editor.insert_item(list, variables.last().map(|last| last.node), object);
        }
        edits.extend(editor.finish());
    }
    edits.extend(new.iter().flat_map(|new| id_edits(cx, new)));
    new.iter().all(|new| declared.contains(new.name)).then_some(edits)
}

/// The lists of variables of all documents, with their nodes.
fn lists<'c, 'a>(cx: &'c Context<'a>) -> impl Iterator<Item = (FileId, &'c Scope<'a>, NodeId, &'a [Variable<'a>])> {
    let workflows = cx.workflows.iter().map(|analysis| (analysis.file, &analysis.scope, &analysis.workflow.variables));
    let forms = cx.forms().map(|(form, scope)| (form.file, scope, &form.form.variables));
    workflows.chain(forms).filter_map(|(file, scope, variables)| {
        let (node, variables) = variables.known()?;
        Some((file, scope, node, variables.as_slice()))
    })
}

/// Whether a document that lists variables is one in which a name is to be declared. The only workflow has all variables,
/// and an empty list in a form means that the workflow's counts.
fn is_declared_in(cx: &Context<'_>, file: FileId, known: &NameUse) -> bool {
    match cx.forms().find(|(form, _)| form.file == file) {
        Some((form, _)) => {
            known.files.contains(&file) && form.form.variables.get().is_some_and(|variables| !variables.is_empty())
        }
        None => known.files.contains(&file) || cx.workflows.len() == 1,
    }
}

/// Whether a name is certainly no variable, and not like one but for another output of its call.
fn is_undeclared(cx: &Context<'_>, scope: &Scope<'_>, name: &str) -> bool {
    let is_other = |near: &str| !cx.name_uses().are_of_one_call(name, near);
    let is_new = match scope.resolve(name) {
        Resolution::Undefined(None) => true,
        Resolution::Undefined(Some(_)) => scope.suggester.nearest_where(name, scope.known_names(), is_other).is_none(),
        _ => false,
    };
    is_new && !scope.suggester.is_exhausted()
}

/// The edits that write the id of a new variable beside its name.
fn id_edits(cx: &Context<'_>, new: &New<'_>) -> Vec<Edit> {
    let other = new.known.ids.iter().filter(|(_, _, bound)| new.id != 0 && *bound != new.id);
    let edit = |&(file, node, _): &(FileId, NodeId, i64)| {
        Some(Edit { file, span: cx.document(file)?.span(node), new_text: new.id.to_string() })
    };
    other.filter_map(edit).collect()
}

/// The object of a new variable, with the members that its neighbors have.
fn object(cx: &Context<'_>, document: &Document, variables: &[Variable<'_>], new: &New<'_>) -> NewValue {
    let other = || cx.variable_lists().find(|(_, variables)| !variables.is_empty());
    let (document, variables) = match variables {
        // Those of another document show how this one would have them.
        [] => other().and_then(|(file, variables)| Some((cx.document(file)?, variables))).unwrap_or((document, &[])),
        _ => (document, variables),
    };
    let neighbors: Vec<NodeId> = variables.iter().rev().take(NEIGHBORS).map(|variable| variable.node).collect();
    let has = |node: &NodeId, key: &str| document.member(*node, key).is_some();
    let mut keys: Vec<&str> = match neighbors.first() {
        Some(&last) => document.children(last).filter_map(|member| document.key(member)).collect(),
        None => vec!["name", "id", "variableType"],
    };
    keys.retain(|key| MEMBERS.contains(key) && neighbors.iter().all(|node| has(node, key)));
    // Not all need to have what matters.
    let matters = [Some("variableType"), new.known.is_personal_id.then_some("shouldHide")];
    for key in matters.into_iter().flatten() {
        if !keys.contains(&key) && neighbors.iter().any(|node| has(node, key)) {
            keys.push(key);
        }
    }
    let kind =
        |key: &str| neighbors.iter().find_map(|node| document.member(*node, key)).map(|node| document.kind(node));
    let members = keys.into_iter().map(|key| (key.to_owned(), value(new, key, kind(key))));
    NewValue::Object(members.collect())
}

/// The value of a member of a new variable, of the JSON type that its neighbors have there.
fn value(new: &New<'_>, key: &str, kind: Option<NodeKind>) -> NewValue {
    let is_file = new.known.is_file;
    match (key, kind) {
        ("name", _) => new.name.into(),
        ("displayName", Some(NodeKind::String)) => spaced(new.name).into(),
        ("id" | "realId", _) => new.id.into(),
        ("variableType", _) => if is_file { FILE_TYPE } else { STRING_TYPE }.into(),
        ("shouldHide", _) => new.known.is_personal_id.into(),
        ("isAssignable", _) => true.into(),
        // The editor's mark of a variable with a form field.
        ("isBound", _) => new.known.has_field.into(),
        (_, Some(NodeKind::String)) => "".into(),
        (_, Some(NodeKind::True | NodeKind::False)) => false.into(),
        (_, Some(NodeKind::Number)) => 0.into(),
        (_, Some(NodeKind::Array)) => NewValue::Scalar("[]".to_owned()),
        (_, Some(NodeKind::Object)) => NewValue::Object(Vec::new()),
        (_, Some(NodeKind::Null) | None) => NewValue::Scalar("null".to_owned()),
    }
}

/// A name as the editor displays it: `Signer Phone` for `SignerPhone`.
fn spaced(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let is = |index: Option<usize>, test: fn(char) -> bool| {
        index.and_then(|index| letters.get(index)).is_some_and(|letter| test(*letter))
    };
    let mut spaced = String::with_capacity(name.len());
    for (index, &letter) in letters.iter().enumerate() {
        let (before, two_before) = (index.checked_sub(1), index.checked_sub(2));
        // `APPROVERSMail` is `APPROVERS Mail`, but `ESign` is one word.
        let ends_capitals = is(two_before, char::is_uppercase)
            && is(before, char::is_uppercase)
            && is(Some(index + 1), char::is_lowercase);
        if letter.is_uppercase() && (is(before, char::is_lowercase) || ends_capitals) {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::spaced;

    #[test]
    fn displayed_names_have_spaces() {
        for (name, displayed) in [
            ("SignerPhone", "Signer Phone"),
            ("APPROVERSDisplayName", "APPROVERS Display Name"),
            ("ESignId", "ESign Id"),
            ("name", "name"),
            ("Step2Name", "Step2Name"),
        ] {
            assert_eq!(spaced(name), displayed);
        }
    }
}
