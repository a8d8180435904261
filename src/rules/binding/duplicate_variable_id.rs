use crate::facts::{Context, Place, renumbering};
use crate::model::Variable;
use crate::rules::binding::{NO_ID, duplicates};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, FileId};
use crate::text::quote;

pub const RULE: Rule = rule!("WF108-duplicate-variable-id", Error, check, fixes: Fixes::Unsafe);

/// Bindings that a fix renumbers: very many variables may have one id.
const MAX_IDS: usize = 200;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut given = 0;
    for (file, variables) in cx.variable_lists() {
        let id_of = |variable: &Variable<'_>| variable.id.value().filter(|&id| id != NO_ID);
        for (first, second) in duplicates(variables, id_of) {
            let (Some((node, &id)), Some(first_id)) = (second.id.known(), first.id.node()) else { continue };
            let [first_name, second_name] = [first, second].map(|variable| variable.name.value());
            let [one, two] = [first_name, second_name].map(|name| quote(name.unwrap_or_default()));
            let mut draft =
                out.report(&Place::value(file, node), format!("duplicate id {id} of variables {one} and {two}"));
            draft.help("give one of them a unique id").related(&Place::value(file, first_id), format!("id of {one}"));
            for name in [first_name, second_name].into_iter().flatten() {
                draft.cause(Cause::Variable(name.to_owned()));
            }
            if let (Some(first), Some(second)) = (first_name, second_name)
                && let Some((title, edits)) = repair(cx, (file, variables), [first, second], id, given)
            {
                given += 1;
                draft.fix(Applicability::Unsafe, title, edits);
            }
        }
    }
}

/// Title and edits that give one of two variables another id: the one that other documents or bindings know by another id,
/// otherwise the second one. `given` is how many fixes there are before, each with an id of its own.
fn repair(
    cx: &Context<'_>,
    (file, variables): (FileId, &[Variable<'_>]),
    [first, second]: [&str; 2],
    id: i64,
    given: usize,
) -> Option<(String, Vec<Edit>)> {
    let uses = cx.name_uses();
    let bound = |name: &str| uses.get(name).map_or(0, |known| known.ids.len());
    // Both would get the new id.
    if first == second || bound(first).max(bound(second)) > MAX_IDS {
        return None;
    }
    let [of_first, of_second] = [first, second].map(|name| known_id(cx, file, name));
    let is_new = |known: &i64| *known != id && !variables.iter().any(|variable| variable.id.value() == Some(*known));
    let free = || uses.free_ids().nth(given);
    // With a third one, another id of the first would leave two.
    let are_two = variables.iter().filter(|variable| variable.id.value() == Some(id)).count() == 2;
    let (name, new) = match (of_first.filter(is_new), of_second.filter(is_new)) {
        (_, Some(new)) => (second, new),
        (Some(new), None) if are_two => (first, new),
        (None, None) if are_two && of_second == Some(id) && of_first != Some(id) => (first, free()?),
        _ => (second, free()?),
    };
    Some((format!("set the id of {} to {new}", quote(name)), renumbering(cx, name, id, new)))
}

/// The id by which the rest of the service knows a variable of a document: for a form that of the workflows; otherwise the
/// only one that bindings have.
fn known_id(cx: &Context<'_>, file: FileId, name: &str) -> Option<i64> {
    let is_form = cx.forms().any(|(form, _)| form.file == file);
    let workflows = cx.workflows.iter().filter(|analysis| analysis.file != file);
    let variables = workflows.filter_map(|analysis| analysis.workflow.variables.get()).flatten();
    let declared = variables.filter(|variable| variable.name.value() == Some(name));
    let declared = only(declared.filter_map(|variable| variable.id.value()).filter(|_| is_form));
    let uses = cx.name_uses();
    let bound = || {
        let ids = uses.get(name)?.ids.iter().map(|(_, _, id)| *id);
        only(ids)
    };
    declared.or_else(bound)
}

/// The id, if all are equal.
fn only(ids: impl Iterator<Item = i64>) -> Option<i64> {
    let mut ids = ids.filter(|&id| id != NO_ID);
    let first = ids.next()?;
    ids.all(|id| id == first).then_some(first)
}
