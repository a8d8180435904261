//! The hover of the name at a place, as Markdown: variables, methods and their parameters, rules.

use std::fmt::Write;

use gen_lsp_types::HoverParams;
use serde_json::{Value, json};

use super::ask::Ask;
use super::cursor::{ParameterSite, activity_at, parameter_at};
use super::occurrences::{Symbol, occurrence_at};
use super::snapshot::Snapshot;
use crate::catalog::{Effect, Method, Output, Parameter, Usage};
use crate::config::Config;
use crate::facts::{AnalyzedService, Context, KnownValue, VariableUses, declaration, known_values, masked_variables};
use crate::lsp::convert::page_uri;
use crate::lsp::state::Server;
use crate::model::Operand;
use crate::redaction::Redactions;
use crate::rules::{REGISTRY, own_rules, page_of};
use crate::text::diagnostic::FileId;
use crate::text::source::Span;

pub fn handle(server: &Server, params: &HoverParams) -> Option<Value> {
    Ask::first(server, &params.text_document_position_params, |ask| {
        let found = ask.answer(hover)??;
        let contents = json!({ "kind": "markdown", "value": found.markdown });
        Some(json!({ "contents": contents, "range": ask.range(found.span)? }))
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The span of the name.
    pub span: Span,
    pub markdown: String,
}

/// The hover at an offset, without secrets and values of masked variables.
pub fn hover(snapshot: &Snapshot, file: FileId, offset: u32) -> Option<Hover> {
    snapshot.analyze(|service| {
        let mut hover = find(snapshot, service, file, offset)?;
        let sources = service.files.iter().map(|file| (file.id, &file.source));
        let redactions = Redactions::new(Context::new(service).sensitive_values(), sources);
        redactions.redact_text(&mut hover.markdown);
        Some(hover)
    })
}

fn find(snapshot: &Snapshot, service: &AnalyzedService<'_>, file: FileId, offset: u32) -> Option<Hover> {
    if let Some(site) = parameter_at(service, file, offset) {
        return Some(Hover { span: site.span, markdown: parameter(&site) });
    }
    let found = occurrence_at(snapshot, service, file, offset)?;
    let markdown = match &found.symbol {
        Symbol::Variable(name) => variable(service, name, file, offset),
        Symbol::Method(name) => method(service.config.catalog.method(name)?),
        Symbol::Rule(word) => rule(service.config, word)?,
        Symbol::Document(_) | Symbol::Activity(_) | Symbol::Field(_) => return None,
    };
    Some(Hover { span: found.place.span, markdown })
}

fn variable(service: &AnalyzedService<'_>, name: &str, file: FileId, offset: u32) -> String {
    let declared = declaration(service, name);
    let is_masked = masked_variables(service).contains_key(name);
    let mut parts = vec![match declared {
        Some(variable) => variable
            .variable_type
            .value()
            .map_or_else(|| "variable".to_owned(), |kind| format!("variable of type {}", code(kind))),
        None if service.is_system(name) => "system variable".to_owned(),
        None => "undeclared variable".to_owned(),
    }];
    if is_masked {
        parts.push("masked".to_owned());
    }
    if let Some(id) = declared.and_then(|variable| variable.id.value()) {
        parts.push(format!("id {id}"));
    }
    let mut text = format!("{}: {}", code(name), parts.join(", "));
    let uses = VariableUses::of(service, name, code);
    text.push_str(&list("Written by", &uses.writers));
    text.push_str(&list("Read by", &uses.readers));
    if uses.writers.is_empty() && service.usage.is_filled_by_order(name) {
        text.push_str("\n\nWritten by the order form, which the service does not have");
    }
    text.push_str(&list("Known here", &known(service, name, file, offset, is_masked)));
    text
}

fn known(service: &AnalyzedService<'_>, name: &str, file: FileId, offset: u32, is_masked: bool) -> Vec<String> {
    let Some((analysis, activity)) = activity_at(service, file, offset) else { return Vec::new() };
    let known = known_values(analysis, activity, name, code).into_iter();
    let describe = |known: KnownValue| match known {
        KnownValue::MayBeUnset => "may be unset: not assigned on every path".to_owned(),
        KnownValue::Compared { condition, .. } if is_masked => format!("compared by {condition}"),
        KnownValue::Compared { condition, operand, value } => {
            let operand = if operand == Operand::Equal { "equal to" } else { "not equal to" };
            format!("{operand} {}, by {condition}", code(&value))
        }
    };
    known.map(describe).collect()
}

fn method(method: &Method) -> String {
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
        (Some(name), _) if output.prefixed == Some(false) => format!("{}, never prefixed", code(name)),
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
fn parameter(site: &ParameterSite<'_>) -> String {
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

/// The hover of a rule, by code or name, or of a selector, with the rules that it selects. `None` if it selects no
/// rule.
fn rule(config: &Config, word: &str) -> Option<String> {
    let rules = REGISTRY.iter().chain(own_rules(config));
    if let Some(rule) = rules.clone().find(|rule| rule.code == word || rule.name == word) {
        let title = format!("{} {}", rule.code, rule.name);
        let title = page_uri(rule).map_or_else(|| title.clone(), |address| format!("[{title}]({address})"));
        // The paragraph below the title of its page.
        let page = page_of(rule);
        let summary = page.split("\n\n").nth(1).unwrap_or_default().trim();
        return Some(format!("{title}, {}\n\n{summary}", rule.severity.word()));
    }
    let selected: Vec<String> =
        rules.filter(|rule| rule.matches(word)).map(|rule| format!("{} {}", rule.code, rule.name)).collect();
    (!selected.is_empty()).then(|| list(&format!("{} selects", code(word)), &selected).trim_start().to_owned())
}

/// A name as a code span (`CommonMark` 0.31, section 6.1). Line breaks and control characters are replaced.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A list with a heading; empty without items. Of a long one the first.
fn list(heading: &str, items: &[String]) -> String {
    const MAX_SHOWN: usize = 20;
    if items.is_empty() {
        return String::new();
    }
    let mut shown: Vec<String> = items.iter().take(MAX_SHOWN).map(|item| format!("- {item}")).collect();
    if let Some(more) = items.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        shown.push(format!("- {more} more"));
    }
    format!("\n\n{heading}:\n\n{}", shown.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn code_span_is_longer_than_the_backticks_in_it() {
        assert_eq!(
            (code("a"), code("a`b``c"), code("a\nb")),
            ("`a`".into(), "``` a`b``c ```".into(), "`a\u{fffd}b`".into())
        );
    }
}
