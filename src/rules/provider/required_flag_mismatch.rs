use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::{Context, known_parameters};
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF208",
    name: "required-flag-mismatch",
    severity: Severity::Warning,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF208-required-flag-mismatch.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for (parameter, known) in known_parameters(&site) {
            let Some((node, &given)) = parameter.required.known() else { continue };
            if given == known.required {
                continue;
            }
            let said = if known.required { "needs" } else { "does not need" };
            let method = site.outputs.method.map_or("", |method| method.name.as_str());
            out.report(
                &site.at(node),
                format!("{} {said} a value for {}, but `required` is {given} here", quote(method), quote(&known.name)),
            )
            .help(format!("set `required` to {}", known.required))
            .fix_value(
                Applicability::Safe,
                format!("set required to {}", known.required),
                node,
                known.required.to_string(),
            );
        }
    }
}
