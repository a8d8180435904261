use crate::catalog::Method;
use crate::collections::HashSet;
use crate::diagnostic::{FileId, Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, ProviderSite, unknown_parameters};
use crate::model::{Literal, Parameter};
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF201",
    name: "missing-required-parameter",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF201-missing-required-parameter.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for missing in missing(cx, &site) {
            let method = quote(site.provider.method.value().unwrap_or_default());
            let message = match missing.reason {
                Reason::Absent => format!("{method} needs the parameter {}, which is not there", quote(missing.name)),
                Reason::Empty => format!("{method} needs a value for {}, but it is given none", quote(missing.name)),
                Reason::Hidden(value) => {
                    format!("{method} needs a value for {}, but by its `state` {value} is not set", quote(missing.name))
                }
                Reason::Unbound(name) => {
                    format!(
                        "{method} needs a value for {}, but by its `state` it is not bound to {name}",
                        quote(missing.name)
                    )
                }
            };
            let about = missing.about.map_or_else(String::new, in_parentheses);
            out.report(&site.at(missing.node), format!("{message}; the activity would fail"))
                .help(format!("give {}{about} a value, or bind it to a variable", quote(missing.name)))
                .explains(Cause::Node(site.analysis.file, site.activity.node));
        }
    }
}

enum Reason {
    Absent,
    Empty,
    /// A value is written, but `state` says that it is not set.
    Hidden(String),
    /// A variable is named, but `state` says that it is not bound.
    Unbound(String),
}

fn reason_of(parameter: &Parameter<'_>) -> Reason {
    let Some(binding) = parameter.value.get() else { return Reason::Empty };
    if let Some(name) = binding.bound_to.value().filter(|name| !name.is_empty()) {
        return Reason::Unbound(quote(name));
    }
    match binding.value.value() {
        Some(Literal::Text(text)) if !text.is_empty() => Reason::Hidden(quote(text)),
        _ => Reason::Empty,
    }
}

/// A catalogue's sentence as a remark: without its capital and its full stop.
fn in_parentheses(about: &str) -> String {
    let about = about.trim().trim_end_matches('.');
    let mut letters = about.chars();
    let second_is_lower = about.chars().nth(1).is_some_and(|letter| !letter.is_uppercase());
    match letters.next() {
        Some(first) if second_is_lower => format!(" ({}{})", first.to_lowercase(), letters.as_str()),
        _ => format!(" ({about})"),
    }
}

/// A required parameter without a value.
struct Missing<'s> {
    name: &'s str,
    about: Option<&'s str>,
    node: NodeId,
    reason: Reason,
}

fn missing<'s>(cx: &Context<'_>, site: &ProviderSite<'s, 's>) -> Vec<Missing<'s>> {
    match site.outputs.method {
        Some(method) => missing_of_method(cx, site, method),
        None => site.provider.parameters().filter_map(missing_by_its_own_flag).collect(),
    }
}

fn missing_of_method<'s>(cx: &Context<'_>, site: &ProviderSite<'s, 's>, method: &'s Method) -> Vec<Missing<'s>> {
    let mut found = Vec::new();
    for known in method.parameters.iter().filter(|known| known.required) {
        let about = known.description.as_deref();
        let missing = |node, reason| Missing { name: &known.name, about, node, reason };
        match site.provider.parameter(&known.name) {
            Some(_) if site.provider.repeats(&known.name) => {} // WF206 tells it.
            Some(parameter) if parameter.is_empty() => {
                found.push(missing(parameter.value.node().unwrap_or(parameter.node), reason_of(parameter)));
            }
            Some(_) => {}
            None if !site.provider.lists_are_known() || has_slip(cx, site, method, &known.name) => {}
            None => {
                let node = site.provider.declared.node().unwrap_or(site.activity.node);
                found.push(missing(node, Reason::Absent));
            }
        }
    }
    found
}

/// Of a method that no catalogue has, the document's own `required` counts.
fn missing_by_its_own_flag<'s>(parameter: &'s Parameter<'s>) -> Option<Missing<'s>> {
    let is_missing = parameter.required.is_true() && parameter.is_empty();
    let node = parameter.value.node().unwrap_or(parameter.node);
    is_missing.then_some(Missing { name: parameter.name.value()?, about: None, node, reason: reason_of(parameter) })
}

/// Whether a parameter that the method does not have is a slip for this one (WF204 tells it).
fn has_slip(cx: &Context<'_>, site: &ProviderSite<'_, '_>, method: &Method, name: &str) -> bool {
    unknown_parameters(site, method)
        .filter_map(|parameter| parameter.name.value())
        .any(|unknown| cx.suggester.nearest(unknown, [name]).is_some())
}

/// The bindings whose emptiness this rule tells.
pub fn missing_values(cx: &Context<'_>) -> HashSet<(FileId, NodeId)> {
    cx.providers()
        .flat_map(|site| {
            missing(cx, &site).into_iter().map(move |missing| (site.analysis.file, missing.node)).collect::<Vec<_>>()
        })
        .collect()
}

/// Whether a required parameter of an activity lacks a value.
pub fn is_incomplete(cx: &Context<'_>, site: &ProviderSite<'_, '_>) -> bool {
    !missing(cx, site).is_empty()
}
