use crate::diagnostic::Severity;
use crate::facts::Context;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::DynamicCode;

pub const RULE: Rule = Rule {
    code: "WF906",
    name: "dynamic-code",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF906-dynamic-code.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.codes() {
        for dynamic in site.syntax.script().into_iter().flat_map(|script| &script.dynamic) {
            let place = site.inside(dynamic.range.clone());
            out.report(&place, message(dynamic, &site.position(&dynamic.range))).help(HELP);
        }
    }
    for site in cx.form_scripts() {
        for dynamic in site.syntax.script().into_iter().flat_map(|script| &script.dynamic) {
            let place = site.inside(dynamic.range.clone());
            out.report(&place, message(dynamic, &site.position(&dynamic.range))).help(HELP);
        }
    }
}

const HELP: &str = "write the code out; to read JSON use `JSON.parse`";

fn message(dynamic: &DynamicCode, position: &str) -> String {
    format!(
        "`{}` runs a text as code{position}: whoever has a hand in the text decides what the script does",
        dynamic.name
    )
}
