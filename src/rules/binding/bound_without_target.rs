use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::model::Member;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF103",
    name: "bound-without-target",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF103-bound-without-target.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, _, binding, role| {
        let names_nothing = matches!(binding.bound_to, Member::Absent | Member::Known(_, ""));
        if !binding.is_bound() || !names_nothing {
            return;
        }
        let consequence = if role.writes() { "what is written here is lost" } else { "there is no value to give" };
        let by_id = binding.bound_to_id.value().and_then(|id| analysis.scope.declarations.with_id(id));
        let help = match by_id.and_then(|declared| declared.variable.name.value()) {
            Some(name) => format!("`boundToId` is that of `{name}`: write this name to `boundTo`"),
            None if role.writes() => {
                "name the variable in `boundTo`, or unbind it if the result is not needed".to_owned()
            }
            None => "name the variable in `boundTo`, or give a literal value instead".to_owned(),
        };
        out.report(
            &Place::value(analysis.file, binding.node),
            format!("this is bound to a variable, but names none, so {consequence}"),
        )
        .help(help);
    });
}
