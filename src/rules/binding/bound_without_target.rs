use crate::facts::{Context, Place};
use crate::model::Member;
use crate::rules::binding::{bound, describe, fitting_variable};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF103-bound-without-target", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, activity, binding, role| {
        let defect = match binding.bound_to {
            Member::Absent => "`boundTo` is missing",
            Member::Known(_, "") => "`boundTo` is empty",
            _ => return,
        };
        if !binding.is_bound() {
            return;
        }
        let by_id =
            binding.bound_to_id.known().and_then(|(_, &id)| Some((id, analysis.scope.declarations.with_id(id)?)));
        let by_id = by_id.and_then(|(id, declared)| Some((id, declared.variable.name.value()?)));
        let subject = describe(analysis, activity, binding, role);
        let message = format!("missing variable for {subject}, {defect}");
        let mut draft = out.report(&Place::value(analysis.file, binding.node), message);
        draft.help(match (by_id, role.writes()) {
            (Some(_), _) => "select another variable if that one is not meant",
            (None, true) => "set `boundTo` to a variable, or unbind it if the result is not needed",
            (None, false) => "set `boundTo` to a variable, or give a literal instead",
        });
        if !draft.is_listed() {
            return;
        }
        let fix = match by_id {
            Some((id, name)) => Some((name, format!("set `boundTo` to {}, the variable with id {id}", quote(name)))),
            None => {
                fitting_variable(cx, analysis, activity, role).map(|name| (name, format!("bind it to {}", quote(name))))
            }
        };
        let edits = |(name, title)| Some((bound(cx, analysis, activity, binding, role, name)?, title));
        if let Some((edits, title)) = fix.and_then(edits) {
            draft.fix(Applicability::Unsafe, title, edits);
        }
    });
}
