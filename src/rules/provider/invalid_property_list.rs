//! WF220

use crate::catalog::ParameterKind;
use crate::collections::HashSet;
use crate::diagnostic::{Severity, quote};
use crate::rules::provider::literals;
use crate::rules::{Context, Fixes, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF220",
    name: "invalid-property-list",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF220-invalid-property-list.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for given in literals(&site, ParameterKind::PropertyList) {
            let Some(text) = given.text() else { continue };
            let mut seen = HashSet::default();
            let names = text.split(',').map(str::trim);
            let Some(wrong) = names.into_iter().find(|name| name.is_empty() || !seen.insert(*name)) else { continue };
            let (message, help) = if text.trim().is_empty() {
                (
                    format!("{} is blank", quote(given.name)),
                    "name the properties, or leave the parameter without a value",
                )
            } else if wrong.is_empty() {
                (
                    format!("{} has a comma with no name beside it", quote(given.name)),
                    "remove the comma, or name the property",
                )
            } else {
                (format!("{} asks for {} twice", quote(given.name), quote(wrong)), "name each property once")
            };
            out.report(&site.at(given.node), message, help);
        }
    }
}
