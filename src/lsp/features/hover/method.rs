//! The hover of methods and parameters, from the catalog.

use std::fmt::Write;

use super::markdown::{code, list};
use crate::catalog::{Effect, Method, Output, Parameter, Usage};
use crate::lsp::features::cursor::ParameterSite;

pub fn method(method: &Method) -> String {
    let mut text = format!("{}: method of {}", code(&method.name), code(&method.plugin));
    if let Some(description) = &method.description {
        let _ = write!(text, "\n\n{description}");
    }
    if method.effect == Some(Effect::Create) {
        text.push_str("\n\nEach call creates something.");
    }
    let parameters: Vec<String> = method.parameters.iter().map(parameter_line).collect();
    text.push_str(&list("Parameters", &parameters));
    let mut outputs: Vec<String> = method.outputs.iter().map(output_line).collect();
    if method.has_open_outputs() {
        outputs.push("others, which are not known".to_owned());
    }
    text.push_str(&list("Outputs", &outputs));
    text
}

fn parameter_line(parameter: &Parameter) -> String {
    let mut text = code(&parameter.name);
    if let Some(kind) = parameter.value_type {
        let _ = write!(text, " {}", kind.word());
    }
    if parameter.required {
        text.push_str(", required");
    }
    match &parameter.description {
        Some(description) => format!("{text}: {description}"),
        None => text,
    }
}

fn output_line(output: &Output) -> String {
    let name = match (&output.name, &output.per_entry_of) {
        (Some(name), _) => code(name),
        (None, Some(list)) => format!("one for each entry of {}", code(list)),
        (None, None) => "unnamed".to_owned(),
    };
    let defaults: Vec<String> = output.default.iter().map(|name| code(name)).collect();
    let defaults = if defaults.is_empty() { String::new() } else { format!(", always {}", defaults.join(", ")) };
    let statuses: Vec<String> = output.statuses.iter().map(|status| code(&status.value)).collect();
    let statuses = if statuses.is_empty() { String::new() } else { format!(", such as {}", statuses.join(", ")) };
    let description = output.description.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
    format!("{name}{defaults}{statuses}{description}")
}

/// The hover of a parameter of a call.
pub fn parameter(site: &ParameterSite<'_>) -> String {
    let of = format!("of {}", code(site.method));
    let Some(method) = site.known else {
        return format!("{}: parameter {of}, which no catalog has", code(site.name));
    };
    if let Some(parameter) = method.parameter(site.name) {
        let mut text =
            parameter_line(parameter).replacen(&code(site.name), &format!("{}: parameter {of},", code(site.name)), 1);
        let values: Vec<String> = parameter.values.iter().map(|value| code(value)).collect();
        text.push_str(&list("Values", &values));
        if let Some(default) = &parameter.default {
            let _ = write!(text, "\n\nDefault: {}", code(default));
        }
        return text;
    }
    let additional = method.additional.iter().find(|additional| additional.matches(site.name));
    match additional {
        Some(additional) => {
            let usage = if additional.usage == Usage::Ignored { ", which ignores it" } else { "" };
            let description = additional.description.as_ref().map(|text| format!("\n\n{text}")).unwrap_or_default();
            format!("{}: additional parameter {of}{usage}{description}", code(site.name))
        }
        None => format!("{}: unknown parameter {of}", code(site.name)),
    }
}
