//! Completes names in scenarios and configurations.

use super::completions::Completions;
use super::item::CompletionKind;
use super::json_context::JsonContext;
use crate::collections::HashSet;
use crate::facts::AnalyzedService;
use crate::model::Activity;
use crate::rules::REGISTRY;

/// The kind of names that an object's keys or an array's entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Variables,
    Fields,
    Activities,
    Approvals,
    Methods,
    Rules,
}

pub fn add_keys(service: &AnalyzedService<'_>, context: &JsonContext, to: &mut Completions<'_>) {
    let has_form = context.around.first().is_some_and(|root| root.member("form").is_some());
    let named = match path(context).as_slice() {
        ["submit"] if has_form => Named::Fields,
        ["submit" | "variables"] | [.., "expect" | "when", "variables"] => Named::Variables,
        ["approvals"] | [.., "expect" | "when", "approvals"] => Named::Approvals,
        ["law", "before"] => Named::Activities,
        ["providers"] | [.., "expect" | "when", "calls"] => Named::Methods,
        ["severity"] => Named::Rules,
        _ => return,
    };
    let there = |name: &str| context.around.last().is_some_and(|object| object.member(name).is_some());
    let current = to.current();
    for (name, kind) in names(service, named) {
        if !there(name) || current == name {
            to.add_string(name, kind, None);
        }
    }
}

pub fn add_values(service: &AnalyzedService<'_>, context: &JsonContext, to: &mut Completions<'_>) {
    let named = match (path(context).as_slice(), context.key.as_deref()) {
        (["select" | "ignore"] | ["per-file-ignores", _], None) | (["suppress"], Some("rule")) => Named::Rules,
        (["types", "activities", _, "writes"], None) => Named::Variables,
        (["suppress" | "accept-mutant"], Some("activity")) | (["law", "before"], Some(_)) => Named::Activities,
        (["faults"], Some("method")) => Named::Methods,
        _ => return,
    };
    for (name, kind) in names(service, named) {
        to.add_string(name, kind, None);
    }
}

/// The keys from the root on.
fn path(context: &JsonContext) -> Vec<&str> {
    context.around.iter().filter_map(|container| container.key.as_deref()).collect()
}

/// Each once.
fn names<'a>(service: &AnalyzedService<'a>, named: Named) -> Vec<(&'a str, CompletionKind)> {
    let mut found: Vec<(&str, CompletionKind)> = Vec::new();
    match named {
        Named::Variables => {
            let variables = service.variable_lists().flat_map(|(_, list)| list);
            found.extend(variables.filter_map(|variable| Some((variable.name.value()?, CompletionKind::Variable))));
        }
        Named::Fields => {
            let forms = service.model.forms.iter().filter(|form| form.is_order_form);
            let fields = forms.flat_map(|form| &form.form.fields);
            found.extend(fields.filter_map(|field| Some((field.name.value()?, CompletionKind::Value))));
        }
        Named::Activities | Named::Approvals => {
            let activities = service.activities().map(|(_, activity)| activity);
            let is_named = |activity: &&Activity<'_>| named == Named::Activities || activity.approval().is_some();
            let activities = activities.filter(is_named);
            found.extend(activities.filter_map(|activity| Some((activity.name.value()?, CompletionKind::Activity))));
        }
        Named::Methods => {
            let methods = service.activities().filter_map(|(_, activity)| activity.provider()?.method.value());
            found.extend(methods.map(|name| (name, CompletionKind::Method)));
        }
        Named::Rules => {
            found.extend(
                REGISTRY.iter().flat_map(|rule| [rule.code, rule.name]).map(|word| (word, CompletionKind::Rule)),
            );
        }
    }
    let mut known = HashSet::default();
    found.retain(|(name, _)| !name.is_empty() && known.insert(*name));
    found
}
