use std::collections::BTreeMap;

use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF220",
    name: "invalid-property-list",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF220-invalid-property-list.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for given in literals(&site, ParameterKind::PropertyList) {
            let Some(text) = given.text() else { continue };
            for (message, help) in faults(given.name, text) {
                out.report(&site.at(given.node), message).help(help);
            }
        }
    }
}

/// What is wrong with a list, each fault once.
fn faults(name: &str, text: &str) -> Vec<(String, &'static str)> {
    let name = quote(name);
    if text.trim().is_empty() {
        let help = "name the properties, or leave the parameter without a value";
        return vec![(format!("{name} is blank"), help)];
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for property in text.split(',').map(str::trim) {
        *counts.entry(property).or_default() += 1;
    }
    let told = counts.into_iter().filter_map(|(property, count)| match (property, count) {
        ("", _) => {
            Some((format!("{name} has a comma with no name beside it"), "remove the comma, or name the property"))
        }
        (_, 1) => None,
        (_, _) => Some((format!("{name} asks for {} more than once", quote(property)), "name each property once")),
    });
    told.collect()
}
