use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::ParameterKind;
use crate::facts::{Context, literals, with_copy};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF220-invalid-property-list", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::PropertyList) {
            let Some(text) = value.text() else { continue };
            let repaired = repaired(text);
            for (message, help) in faults(value.name, text) {
                let mut draft = out.report(&site.at(value.node), message);
                draft.help(help);
                if !repaired.is_empty() {
                    let json = serde_json::Value::from(repaired.as_str()).to_string();
                    let edits = with_copy(site.analysis, site.activity, value.node, &json);
                    draft.fix(Applicability::Unsafe, format!("set it to {}", quote(&repaired)), edits);
                }
            }
        }
    }
}

/// The list with each name once, and its separator.
fn repaired(text: &str) -> String {
    let mut known = BTreeSet::new();
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty() && known.insert(*name));
    names.collect::<Vec<_>>().join(if text.contains(", ") { ", " } else { "," })
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
