//! The parameters of a function.

use super::help::Help;
use super::note::Notes;
use super::syntax::{Attribute, Expr, ExprKind, Function, Parameter as Declared};
use super::types::{attribute_name, value_type};
use crate::catalog::{Parameter, ParameterKind, ValueType};
use crate::collections::HashSet;
use crate::text::quote;

/// The set of parameters that authors of workflows do not see.
const HIDDEN: &str = "hidden";
/// The parameter with the prefix of the names of the outputs.
const PREFIX: &str = "prefix";

pub(super) fn parameters(function: &Function, help: &Help, notes: &mut Notes<'_>) -> Vec<Parameter> {
    let shown = function.block.parameters.iter().filter(|declared| !is_hidden(declared));
    shown.map(|declared| parameter(declared, function, help, notes)).collect()
}

fn parameter(declared: &Declared, function: &Function, help: &Help, notes: &mut Notes<'_>) -> Parameter {
    let name = &declared.name;
    let of = format!("parameter {} of {}", quote(name), quote(&function.name));
    let mut parameter = Parameter::new(name, parameter_type(declared, &of, notes));
    let settings: Vec<&Attribute> = attributes(declared, "parameter").collect();
    parameter.required = !settings.is_empty() && settings.iter().all(|attribute| is_mandatory(attribute));
    let message = || settings.iter().find_map(|attribute| named_text(attribute, "helpmessage"));
    let description = help.parameter(name).map(str::to_owned).or_else(message);
    parameter.description = description.filter(|text| !text.is_empty());
    parameter.kind = (name.to_lowercase() == PREFIX).then_some(ParameterKind::Prefix);
    parameter.values = values(declared, &of, notes);
    if let Some(default) = &declared.default {
        parameter.default = literal(default);
        let is_null = matches!(&default.kind, ExprKind::Variable(name) if name == "null");
        if parameter.default.is_none() && !is_null {
            notes.add(default.at, format!("default of {of} is not a literal and is left out"));
        }
    }
    parameter
}

fn attributes<'d>(declared: &'d Declared, wanted: &'static str) -> impl Iterator<Item = &'d Attribute> {
    let is_wanted =
        move |attribute: &&Attribute| attribute.arguments.is_some() && attribute_name(&attribute.name) == wanted;
    declared.attributes.iter().filter(is_wanted)
}

fn named<'a>(attribute: &'a Attribute, wanted: &str) -> Option<Option<&'a Expr>> {
    let mut arguments = attribute.arguments.iter().flatten();
    let found = arguments.find(|(name, _)| name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(wanted)));
    found.map(|(_, value)| value.as_ref())
}

fn named_text(attribute: &Attribute, wanted: &str) -> Option<String> {
    match &named(attribute, wanted)??.kind {
        ExprKind::Text(text) => Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        _ => None,
    }
}

/// All of its parameter sets are hidden.
fn is_hidden(declared: &Declared) -> bool {
    let mut settings = attributes(declared, "parameter").peekable();
    settings.peek().is_some()
        && settings.all(|attribute| {
            named_text(attribute, "parametersetname").is_some_and(|set| set.eq_ignore_ascii_case(HIDDEN))
        })
}

fn is_mandatory(attribute: &Attribute) -> bool {
    match named(attribute, "mandatory") {
        None => false,
        Some(None) => true,
        Some(Some(value)) => match &value.kind {
            ExprKind::Variable(name) => name == "true",
            ExprKind::Number(number) => number != "0",
            _ => false,
        },
    }
}

fn parameter_type(declared: &Declared, of: &str, notes: &mut Notes<'_>) -> ValueType {
    let Some(written) = declared.attributes.iter().find(|attribute| attribute.arguments.is_none()) else {
        notes.add(declared.at, format!("{of} has no type, taken for a string"));
        return ValueType::String;
    };
    value_type(&written.name).unwrap_or_else(|| {
        let written_type = quote(&format!("[{}]", written.name));
        notes.add(
            written.at,
            format!("type {written_type} of {of} has no counterpart in a catalog, taken for a string"),
        );
        ValueType::String
    })
}

/// The values of `[ValidateSet]`.
fn values(declared: &Declared, of: &str, notes: &mut Notes<'_>) -> Vec<String> {
    let mut values = Vec::new();
    let mut known = HashSet::default();
    for attribute in attributes(declared, "validateset") {
        for (name, value) in attribute.arguments.iter().flatten() {
            if name.is_some() {
                continue;
            }
            let text = match value.as_ref().map(|value| &value.kind) {
                Some(ExprKind::Text(text)) => text.clone(),
                Some(ExprKind::Number(number)) => number.clone(),
                _ => {
                    notes.add(attribute.at, format!("values of {of} are not literals and are left out"));
                    return Vec::new();
                }
            };
            if known.insert(text.clone()) {
                values.push(text);
            }
        }
    }
    values
}

/// A number, a string without `$`, `$true` or `$false`, as text.
fn literal(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Number(number) => Some(number.clone()),
        ExprKind::Negative(operand) => match &operand.kind {
            ExprKind::Number(number) => Some(format!("-{number}")),
            _ => None,
        },
        ExprKind::Text(text) if !text.contains('$') => Some(text.clone()),
        ExprKind::Variable(name) if name == "true" || name == "false" => Some(name.clone()),
        _ => None,
    }
}
