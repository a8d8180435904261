use crate::facts::{Context, Place};
use crate::model::Member;
use crate::rules::form::describe;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF602-field-bound-flag-mismatch", Warning, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in &form.form.fields {
            let Some((node, &flag)) = field.is_bound.known() else { continue };
            let is_bound = field.bound_to.value().is_some_and(|name| !name.is_empty());
            let target = match field.bound_to {
                _ if flag == is_bound => continue,
                Member::Unknown(_) => continue,
                Member::Absent => "missing".to_owned(),
                Member::Known(_, "") => "empty".to_owned(),
                Member::Known(_, name) => quote(name),
            };
            let message = format!("`isBound` of {} is `{flag}`, but `boundTo` is {target}", describe(field));
            let mut draft = out.report(&Place::value(form.file, node), message);
            if let Some(bound_to) = field.bound_to.node() {
                draft.cause(Cause::Node(form.file, bound_to));
            }
            let title = format!("set `isBound` to `{is_bound}`");
            draft.fix_value(Applicability::Safe, title, node, is_bound.to_string());
        }
    }
}
