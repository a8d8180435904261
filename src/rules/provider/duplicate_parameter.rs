use crate::collections::HashMap;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, named_parameters};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF206",
    name: "duplicate-parameter",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF206-duplicate-parameter.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let mut first = HashMap::default();
        for (name, parameter) in named_parameters(site.provider) {
            let Some(earlier) = first.get(name) else {
                first.insert(name, parameter.node);
                continue;
            };
            out.report(
                &site.at(parameter.node),
                format!(
                    "the parameter {} is given more than once, and only one of the values can be used",
                    quote(name)
                ),
            )
            .help("keep one of them")
            .related(&site.at(*earlier), "the first one");
        }
    }
}
