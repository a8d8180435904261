use crate::facts::{Context, Place};
use crate::model::Member;
use crate::rules::binding::describe;
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF103-bound-without-target", Error, check);

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
        let help = match by_id {
            Some((id, name)) => format!("set `boundTo` to {}, the variable with id {id}", quote(name)),
            None if role.writes() => "set `boundTo` to a variable, or unbind it if the result is not needed".to_owned(),
            None => "set `boundTo` to a variable, or give a literal instead".to_owned(),
        };
        let subject = describe(analysis, activity, binding, role);
        out.report(&Place::value(analysis.file, binding.node), format!("missing variable for {subject}, {defect}"))
            .help(help);
    });
}
