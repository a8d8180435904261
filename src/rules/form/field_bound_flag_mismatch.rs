use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::{Context, Place};
use crate::model::Member;
use crate::rules::form::is_unknown;
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF602",
    name: "field-bound-flag-mismatch",
    severity: Severity::Warning,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF602-field-bound-flag-mismatch.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (form, scope) in cx.forms() {
        for field in &form.form.fields {
            let Some((node, &flag)) = field.is_bound.known() else { continue };
            let target = match field.bound_to {
                Member::Unknown(_) => continue,
                Member::Absent => "",
                Member::Known(_, name) => name,
            };
            let is_bound = !target.is_empty();
            if flag == is_bound || is_bound && is_unknown(scope, target) {
                continue;
            }
            let message = if is_bound {
                format!("the field is bound to {}, but `isBound` says that it is not", quote(target))
            } else {
                "`isBound` says that the field is bound, but it names no variable".to_owned()
            };
            out.report(&Place::value(form.file, node), message).help(format!("set `isBound` to {is_bound}")).fix_value(
                Applicability::Safe,
                format!("set isBound to {is_bound}"),
                node,
                is_bound.to_string(),
            );
        }
    }
}
