use crate::facts::{Context, Place, with_copy};
use crate::project::Declared;
use crate::rules::binding::NO_ID;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF102-binding-id-mismatch", Error, check, fixes: Fixes::SafeOrUnsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, activity, binding, _| {
        let (Some((_, name)), Some((node, &given))) = (binding.target(), binding.bound_to_id.known()) else { return };
        let declarations = &analysis.scope.declarations;
        let mut first = None;
        for Declared { variable, .. } in declarations.named(name) {
            let (Some(id), real_id) = (variable.id.value().filter(|&id| id != NO_ID), variable.details().real_id)
            else {
                return;
            };
            if real_id.is_unknown() || given == id || real_id.value() == Some(given) {
                return;
            }
            first.get_or_insert(id);
        }
        let Some(id) = first.filter(|_| !declarations.are_too_many(name)) else { return };
        let written = analysis.document.number(node).unwrap_or_default();
        let message = format!("`boundToId` is {written}, but {} has id {id}", quote(name));
        let title = format!("set `boundToId` to {id}");
        let edits = with_copy(analysis, activity, node, &id.to_string());
        let mut draft = out.report(&Place::value(analysis.file, node), message);
        draft.cause(Cause::Variable(name.to_owned()));
        let other = declarations.with_id(given);
        match other.and_then(|other| other.variable.name.value().map(|name| (other, quote(name)))) {
            Some((other, other_name)) => {
                draft
                    .help(format!("set `boundTo` to {other_name} if that variable is meant"))
                    .related(&Place::value(other.file, other.variable.node), format!("{other_name} has id {given}"))
                    .fix(Applicability::Unsafe, title, edits);
            }
            None => {
                draft.fix(Applicability::Safe, title, edits);
            }
        }
    });
}
