use crate::catalog::Method;
use crate::document::NodeId;
use crate::facts::{Context, ProviderSite, bind_parameter, static_edits, variable_for_parameter};
use crate::model::{Literal, Parameter};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule = rule!("WF201-missing-required-parameter", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let (file, activity) = (site.analysis.file, site.activity.node);
        for missing in missing(&site) {
            let name = quote(missing.name);
            let method = quote(site.provider.method.value().unwrap_or_default());
            let detail = match &missing.reason {
                Reason::Absent => String::new(),
                Reason::Empty => ", its value is empty".to_owned(),
                Reason::Hidden(value) => format!(": `state` is `notSet`, but `value` is {value}"),
                Reason::Unbound(variable) => format!(": it is not bound, but `boundTo` is {variable}"),
            };
            let message = format!("missing required parameter {name} of {method}{detail}");
            let mut draft = out.report(&site.at(missing.node), message);
            draft.cause(Cause::Name(file, activity, missing.name.to_owned())).cause(Cause::Node(file, activity));
            let about = missing.about.map_or_else(String::new, in_parentheses);
            let binding = draft.is_listed().then(|| binding(cx, &site, missing.name)).flatten();
            let hidden = matches!(missing.reason, Reason::Hidden(_)).then(|| site.provider.parameter(missing.name));
            match (hidden.flatten(), binding) {
                // The value that is written is likelier than a variable.
                (Some(parameter), binding) => {
                    draft.help(format!("set {name}{about}, or bind it to a variable"));
                    let edits = static_edits(&site, parameter);
                    draft.fix(Applicability::Unsafe, "set `state` to `static`", edits);
                    if let Some((title, edits)) = binding {
                        draft.alternative(Applicability::Unsafe, title, edits);
                    }
                }
                (None, Some((title, edits))) => {
                    draft.help(format!("set {name}{about}")).fix(Applicability::Unsafe, title, edits);
                }
                (None, None) => {
                    draft.help(format!("set {name}{about}, or bind it to a variable"));
                }
            }
        }
    }
}

/// Binds the parameter to the one variable that fits.
fn binding<'a>(cx: &Context<'a>, site: &ProviderSite<'a, 'a>, name: &str) -> Option<(String, Vec<Edit>)> {
    let variable = variable_for_parameter(cx, site, name)?;
    let edits = bind_parameter(cx, site, name, variable)?;
    Some((format!("bind it to {}", quote(variable)), edits))
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

/// A catalog's sentence as a remark: without its capital and its full stop.
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
    /// Its description in the catalog.
    about: Option<&'s str>,
    node: NodeId,
    reason: Reason,
}

fn missing<'s>(site: &ProviderSite<'s, 's>) -> Vec<Missing<'s>> {
    match site.outputs.method {
        Some(method) => missing_of_method(site, method),
        None => site.provider.parameters().filter_map(missing_by_its_own_flag).collect(),
    }
}

fn missing_of_method<'s>(site: &ProviderSite<'s, 's>, method: &'s Method) -> Vec<Missing<'s>> {
    let mut found = Vec::new();
    for known in method.parameters.iter().filter(|known| known.required) {
        let about = known.description.as_deref();
        let missing = |node, reason| Missing { name: &known.name, about, node, reason };
        match site.provider.parameter(&known.name) {
            Some(parameter) if parameter.is_empty() => {
                found.push(missing(parameter.value.node().unwrap_or(parameter.node), reason_of(parameter)));
            }
            None if site.provider.lists_are_known() => {
                let node = site.provider.declared.node().unwrap_or(site.activity.node);
                found.push(missing(node, Reason::Absent));
            }
            _ => {}
        }
    }
    found
}

/// For a method in no catalog, the document's own `required` counts.
fn missing_by_its_own_flag<'s>(parameter: &'s Parameter<'s>) -> Option<Missing<'s>> {
    if !parameter.required.is_true() || !parameter.is_empty() {
        return None;
    }
    let node = parameter.value.node().unwrap_or(parameter.node);
    Some(Missing { name: parameter.name.value()?, about: None, node, reason: reason_of(parameter) })
}
