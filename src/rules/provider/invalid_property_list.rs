use std::collections::BTreeMap;

use crate::catalog::ParameterKind;
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF220-invalid-property-list", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::PropertyList) {
            let Some(text) = value.text() else { continue };
            for (message, help) in faults(value.name, text) {
                out.report(&site.at(value.node), message).help(help);
            }
        }
    }
}

/// The faults of a list, each once.
fn faults(name: &str, text: &str) -> Vec<(String, &'static str)> {
    let name = quote(name);
    if text.trim().is_empty() {
        return vec![(format!("blank {name}"), "name the properties, or remove the value")];
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for property in text.split(',').map(str::trim) {
        *counts.entry(property).or_default() += 1;
    }
    let faults = counts.into_iter().filter_map(|(property, count)| match (property, count) {
        ("", _) => Some((format!("empty name in {name}"), "remove the extra comma, or name the property")),
        (_, 1) => None,
        (_, _) => Some((format!("duplicate property {} in {name}", quote(property)), "name each property once")),
    });
    faults.collect()
}
