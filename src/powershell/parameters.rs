//! The parameters of a function, and their types.

use super::help::Help;
use super::notes::Notes;
use super::syntax::{Attribute, Expr, ExprKind, Function, Parameter as Declared};
use super::types::{Enums, value_type};
use crate::catalog::{Parameter, ParameterKind, ValueType};
use crate::common::collections::{IndexMap, IndexSet};
use crate::text::{quote, quoted_list};

/// Parameters that authors of workflows never see (docs/platform.md, Provider activity), in lower case: those of this
/// parameter set, and those with these names.
const HIDDEN_SET: &str = "hidden";
const HIDDEN: [&str; 2] = ["config", "parameters"];

/// The parameter set of a parameter without one, in lower case.
const ALL_SETS: &str = "__allparametersets";

pub(super) fn parameters(function: &Function, help: &Help, enums: &Enums, notes: &mut Notes<'_>) -> Vec<Parameter> {
    let sets = parameter_sets(function);
    let shown = function.block.parameters.iter().filter(|declared| !is_hidden(declared));
    shown.map(|declared| parameter(declared, function, &sets, help, enums, notes)).collect()
}

/// The sets of which one applies to a call, in lower case; empty if there is only one for all parameters.
fn parameter_sets(function: &Function) -> IndexSet<String> {
    let parameters = &function.block.parameters;
    let of_parameters = parameters.iter().flat_map(|declared| attributes(&declared.attributes, "parameter"));
    let default = attributes(&function.block.attributes, "cmdletbinding");
    let default = default.filter_map(|attribute| named_text(attribute, "defaultparametersetname"));
    let named = of_parameters.map(set_of).chain(default.map(|set| set.to_lowercase()));
    named.filter(|set| set != ALL_SETS && set != HIDDEN_SET).collect()
}

fn set_of(setting: &Attribute) -> String {
    named_text(setting, "parametersetname").map_or_else(|| ALL_SETS.to_owned(), |set| set.to_lowercase())
}

/// Whether a parameter is mandatory in every set, and the sets in which it is if not.
fn requirement(declared: &Declared, sets: &IndexSet<String>) -> (bool, Vec<String>) {
    let settings = attributes(&declared.attributes, "parameter").filter(|setting| is_mandatory(setting));
    let mandatory: IndexMap<String, &Attribute> = settings.map(|setting| (set_of(setting), setting)).collect();
    let shown = mandatory.keys().filter(|set| *set != HIDDEN_SET).count();
    let in_all = mandatory.contains_key(ALL_SETS) || sets.iter().all(|set| mandatory.contains_key(set));
    if shown == 0 || in_all {
        return (shown > 0, Vec::new());
    }
    let written = mandatory.into_iter().filter(|(set, _)| set != HIDDEN_SET);
    (false, written.filter_map(|(_, setting)| named_text(setting, "parametersetname")).collect())
}

fn parameter(
    declared: &Declared,
    function: &Function,
    sets: &IndexSet<String>,
    help: &Help,
    enums: &Enums,
    notes: &mut Notes<'_>,
) -> Parameter {
    let name = &declared.name;
    let of = format!("parameter {} of {}", quote(name), quote(&function.name));
    let mut parameter = Parameter::new(name, parameter_type(declared, &of, enums, notes));
    let settings: Vec<&Attribute> = attributes(&declared.attributes, "parameter").collect();
    let (required, only_in) = requirement(declared, sets);
    parameter.required = required;
    parameter.sometimes_required = !only_in.is_empty();
    if !only_in.is_empty() {
        let word = if only_in.len() == 1 { "set" } else { "sets" };
        let names = quoted_list(&only_in, "and");
        notes.add(declared.at, format!("{of} is required only in the parameter {word} {names}, taken for optional"));
    }
    let message = || settings.iter().find_map(|attribute| named_text(attribute, "helpmessage"));
    let description = help.parameter(name).map(str::to_owned).or_else(message);
    parameter.description = description.filter(|text| !text.is_empty());
    parameter.kind = name.eq_ignore_ascii_case("Prefix").then_some(ParameterKind::Prefix);
    parameter.values = values(declared, &of, notes);
    let enumeration = type_of(declared).and_then(|written| enums.get(&written.name));
    if parameter.values.is_empty()
        && let Some(values) = enumeration
    {
        parameter.values = values.to_vec();
    }
    if let Some(default) = &declared.default {
        parameter.default = literal(default).or_else(|| enums.member(default));
        let is_null = matches!(&default.kind, ExprKind::Variable(name) if name == "null");
        if parameter.default.is_none() && !is_null {
            notes.add(default.at, format!("default of {of} is not a literal and is left out"));
        }
    }
    parameter
}

fn attributes<'d>(all: &'d [Attribute], wanted: &'static str) -> impl Iterator<Item = &'d Attribute> {
    let is_wanted =
        move |attribute: &&Attribute| attribute.arguments.is_some() && attribute_name(&attribute.name) == wanted;
    all.iter().filter(is_wanted)
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

/// Whether all of its parameter sets are hidden, or it is by its name.
fn is_hidden(declared: &Declared) -> bool {
    let mut settings = attributes(&declared.attributes, "parameter").peekable();
    HIDDEN.iter().any(|hidden| declared.name.eq_ignore_ascii_case(hidden))
        || settings.peek().is_some() && settings.all(|setting| set_of(setting) == HIDDEN_SET)
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

fn type_of(declared: &Declared) -> Option<&Attribute> {
    declared.attributes.iter().find(|attribute| attribute.arguments.is_none())
}

fn parameter_type(declared: &Declared, of: &str, enums: &Enums, notes: &mut Notes<'_>) -> ValueType {
    let Some(written) = type_of(declared) else {
        notes.add(declared.at, format!("{of} has no type, taken for a string"));
        return ValueType::String;
    };
    let enumeration = || enums.get(&written.name).map(|_| ValueType::String);
    value_type(&written.name).or_else(enumeration).unwrap_or_else(|| {
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
    for attribute in attributes(&declared.attributes, "validateset") {
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

/// The last part of the name of an attribute, in lower case: `parameter`.
fn attribute_name(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    last.strip_suffix("attribute").filter(|name| !name.is_empty()).map(str::to_owned).unwrap_or(last)
}
