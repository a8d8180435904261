//! Values that the catalog, the configuration or the other documents know.

use super::completions::Completions;
use super::item::{Completion, CompletionKind};
use super::json_context::{Container, JsonContext};
use crate::catalog::{ParameterKind, ValueType};
use crate::facts::AnalyzedService;
use crate::graph::properties;

pub fn add(service: &AnalyzedService<'_>, context: &JsonContext, to: &mut Completions<'_>) {
    let of = |index: usize| context.around.len().checked_sub(index).and_then(|index| context.around.get(index));
    let list = of(2).and_then(|list| list.key.as_deref());
    match context.key.as_deref() {
        Some("method") => {
            for method in &service.config.catalog.methods {
                to.add_string(&method.name, CompletionKind::Method, method.description.as_deref());
            }
        }
        Some("connectedFormName") => {
            for form in &service.model.forms {
                to.add_string(form.name, CompletionKind::Form, None);
            }
        }
        Some("name") if list.is_some_and(|list| list.ends_with("roviderParameters")) => {
            add_parameters(service, &context.around, to);
        }
        Some("type") if list == Some("activities") => {
            for name in service.config.types.activities.keys() {
                to.add_value(name, true, Some("declared in the configuration"));
            }
        }
        Some("type") if list == Some("fields") => {
            for name in service.config.types.fields.iter() {
                to.add_value(name, true, Some("declared in the configuration"));
            }
        }
        Some("value") if of(2).is_some_and(|outer| outer.key.as_deref() == Some("expression")) => {
            add_statuses(service, &context.around, to);
        }
        Some("value") => add_parameter_values(service, &context.around, to),
        _ => {}
    }
}

/// The parameters of the method that the call does not have yet.
fn add_parameters(service: &AnalyzedService<'_>, around: &[Container], to: &mut Completions<'_>) {
    let [.., activity, _, _] = around else { return };
    let method = activity.text("method").and_then(|name| service.config.catalog.method(name));
    let Some(method) = method else { return };
    let [.., list, current] = around else { return };
    let own = list.members.iter().position(|entry| entry.name.as_deref() == current.text("name"));
    let others = list.members.iter().enumerate().filter(|(index, _)| Some(*index) != own);
    let there: Vec<&str> = others.filter_map(|(_, entry)| entry.name.as_deref()).collect();
    for parameter in method.parameters.iter().filter(|parameter| !there.contains(&parameter.name.as_str())) {
        let (detail, rank) = (parameter.description.clone(), u8::from(!parameter.required));
        to.push(Completion { detail, rank, ..to.string(&parameter.name, CompletionKind::Parameter) });
    }
}

/// The case statuses, in a condition on a variable that a lookup writes.
fn add_statuses(service: &AnalyzedService<'_>, around: &[Container], to: &mut Completions<'_>) {
    let [.., expression, operand] = around else { return };
    let other = if operand.key.as_deref() == Some("left") { "right" } else { "left" };
    let variable = expression.member(other).and_then(|member| member.bound_to.as_deref());
    let mut outputs = service.providers().flat_map(|site| &site.outputs.outputs);
    if !outputs.any(|output| output.is_status && Some(output.name.as_str()) == variable) {
        return;
    }
    let outputs = service.config.catalog.methods.iter().flat_map(|method| &method.outputs);
    for status in outputs.flat_map(|output| &output.statuses) {
        to.add_value(&status.value, true, Some("status of a case"));
    }
}

/// The values that a parameter accepts.
fn add_parameter_values(service: &AnalyzedService<'_>, around: &[Container], to: &mut Completions<'_>) {
    let [.., activity, _, parameter, _] = around else { return };
    let method = activity.text("method").and_then(|name| service.config.catalog.method(name));
    let known = method.and_then(|method| method.parameter(parameter.text("name")?));
    let (Some(method), Some(known)) = (method, known) else { return };
    for value in &known.values {
        to.add_value(value, true, None);
    }
    if known.value_type == Some(ValueType::Boolean) {
        to.add_value("true", false, None);
        to.add_value("false", false, None);
    }
    if known.kind == Some(ParameterKind::PropertyList) {
        let defaults = method.outputs.iter().flat_map(|output| &output.default).map(String::as_str);
        let requested =
            service.providers().flat_map(|site| properties(site.provider.parameter(&known.name)).unwrap_or_default());
        // Those that docs/platform.md shows.
        let names: Vec<&str> = ["DisplayName", "Mail", "Mobile"].into_iter().chain(defaults).chain(requested).collect();
        add_entries(&names, to);
    }
}

/// Entries of a list that is separated by commas.
fn add_entries(names: &[&str], to: &mut Completions<'_>) {
    let entry = to.before().rsplit(',').next().unwrap_or_default().trim_start().len();
    let rest = to.after().split(',').next().unwrap_or_default().len();
    let written: Vec<String> =
        format!("{},{}", to.before(), to.after()).split(',').map(|name| name.trim().to_owned()).collect();
    to.narrow(entry, rest);
    for name in names.iter().filter(|name| !written.iter().any(|known| known == *name)) {
        to.add_string(name, CompletionKind::Value, None);
    }
}
