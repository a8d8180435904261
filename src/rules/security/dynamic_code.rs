//! WF906

use crate::diagnostic::Severity;
use crate::rules::{Context, Fixes, Reporter, Rule, Stage};
use crate::script::syntax::DynamicCode;

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF906",
    name: "dynamic-code",
    severity: Severity::Error,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF906-dynamic-code.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.codes() {
        for dynamic in site.syntax.script().into_iter().flat_map(|script| &script.dynamic) {
            let place = site.inside(dynamic.range.clone());
            out.report(&place, message(dynamic, &site.position(&dynamic.range)), HELP);
        }
    }
    for site in cx.form_scripts() {
        for dynamic in site.syntax.script().into_iter().flat_map(|script| &script.dynamic) {
            let place = site.inside(dynamic.range.clone());
            out.report(&place, message(dynamic, &site.position(&dynamic.range)), HELP);
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
