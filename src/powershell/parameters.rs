//! The parameters of a function, and their types.

use super::help::Help;
use super::notes::Notes;
use super::syntax::{Attribute, Expr, ExprKind, Function, Parameter as Declared};
use crate::catalog::{Parameter, ParameterKind, ValueType};
use crate::common::collections::IndexSet;
use crate::text::quote;

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
    parameter.kind = name.eq_ignore_ascii_case("Prefix").then_some(ParameterKind::Prefix);
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

/// Whether all of its parameter sets are hidden: authors of workflows do not see it.
fn is_hidden(declared: &Declared) -> bool {
    let mut settings = attributes(declared, "parameter").peekable();
    settings.peek().is_some()
        && settings.all(|attribute| {
            named_text(attribute, "parametersetname").is_some_and(|set| set.eq_ignore_ascii_case("Hidden"))
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
    let mut values = IndexSet::default();
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
            values.insert(text);
        }
    }
    values.into_iter().collect()
}

/// A number, a string without `$`, `$true` or `$false`, as text.
fn literal(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Number(number) => Some(number.clone()),
        ExprKind::Negative(operand) if matches!(operand.kind, ExprKind::Number(_)) => {
            literal(operand).map(|number| format!("-{number}"))
        }
        ExprKind::Text(text) if !text.contains('$') => Some(text.clone()),
        ExprKind::Variable(name) if name == "true" || name == "false" => Some(name.clone()),
        _ => None,
    }
}

const NUMBERS: [&str; 20] = [
    "int", "int32", "uint", "uint32", "long", "int64", "ulong", "uint64", "short", "int16", "ushort", "uint16", "byte",
    "sbyte", "double", "float", "single", "decimal", "bigint", "half",
];

/// The type of a value that has a type of PowerShell; `None` for one that a catalog does not have.
pub(super) fn value_type(name: &str) -> Option<ValueType> {
    let lower = name.to_ascii_lowercase();
    let mut name = without_namespace(&lower);
    while let Some(inner) = name.strip_prefix("nullable[").and_then(|inner| inner.strip_suffix(']')) {
        name = without_namespace(inner);
    }
    match name {
        "string" => Some(ValueType::String),
        "bool" | "boolean" | "switch" | "switchparameter" => Some(ValueType::Boolean),
        _ => NUMBERS.contains(&name).then_some(ValueType::Decimal),
    }
}

/// Whether a type is a table with free keys.
pub(super) fn is_table(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let name = without_namespace(&lower);
    matches!(name, "hashtable" | "ordered" | "pscustomobject" | "psobject" | "idictionary" | "ordereddictionary")
}

/// `int32` of `system.int32`, and `psobject` of `system.management.automation.psobject`.
fn without_namespace(name: &str) -> &str {
    let name = name.strip_prefix("system.").unwrap_or(name);
    ["management.automation.", "collections.specialized.", "collections."]
        .into_iter()
        .find_map(|namespace| name.strip_prefix(namespace))
        .unwrap_or(name)
}

/// The last part of the name of an attribute, in lower case: `parameter`.
fn attribute_name(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    last.strip_suffix("attribute").filter(|name| !name.is_empty()).map(str::to_owned).unwrap_or(last)
}
