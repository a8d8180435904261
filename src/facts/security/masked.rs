//! Which variables hold masked values, personal ids or mail addresses, and what redaction hides.

use crate::catalog::{ParameterKind, Purpose};
use crate::common::collections::HashMap;
use crate::document::{Document, NodeId};
use crate::facts::cases::assigned_cases::{AssignedPlaceholder, placeholders_in_assigned_cases};
use crate::facts::cases::case_text::CaseSource;
use crate::facts::place::Place;
use crate::facts::security::secrets::Secret;
use crate::facts::security::sinks::{NamedSink, VariableSinks, copies_of, sinks_of_kind, with_copied};
use crate::facts::service::AnalyzedService;
use crate::model::case_key::{EMAIL_ADDRESS, NAME, PARTIES, SOCIAL_SECURITY_NUMBER};
use crate::model::{ActivityKind, Expression, Variable};
use crate::redaction::SensitiveValue;
use crate::script::evaluation::RunValue;
use crate::text::diagnostic::FileId;

/// The masked variables by name, each with its first declaration that masks it. What one document of a
/// service masks is masked in all of them.
pub fn masked_variables<'a>(service: &AnalyzedService<'a>) -> HashMap<&'a str, (FileId, NodeId)> {
    declared_with(service, |variable| variable.details().should_hide.is_true() || variable.details().hide_all.is_true())
}

/// Of the masked variables, those whose mask has an effect. Where `shouldHide` is `false`, WF115 reports that the rest of
/// the mask has none.
pub fn hidden_variables<'a>(service: &AnalyzedService<'a>) -> HashMap<&'a str, (FileId, NodeId)> {
    declared_with(service, |variable| {
        let hides = &variable.details().should_hide;
        hides.is_true() || variable.details().hide_all.is_true() && hides.value() != Some(false)
    })
}

fn declared_with<'a>(
    service: &AnalyzedService<'a>,
    is_masked: impl Fn(&Variable<'a>) -> bool,
) -> HashMap<&'a str, (FileId, NodeId)> {
    let mut masked = HashMap::default();
    for (file, variables) in service.variable_lists() {
        for variable in variables.iter().filter(|variable| is_masked(variable)) {
            if let Some(name) = variable.name.value() {
                masked.entry(name).or_insert((file, variable.node));
            }
        }
    }
    masked
}

/// The strings in the documents that masked variables can hold: their values at the start, the bodies of Assigns, the
/// default values, items and patterns of their fields, and what conditions compare them or copies of them with.
pub fn masked_values(service: &AnalyzedService<'_>) -> Vec<(FileId, NodeId)> {
    let masked = masked_variables(service);
    if masked.is_empty() {
        return Vec::new();
    }
    let is_masked = |name: Option<&str>| name.is_some_and(|name| masked.contains_key(name));
    let mut values = Vec::new();
    for (file, variables) in service.variable_lists() {
        let variables = variables.iter().filter(|variable| is_masked(variable.name.value()));
        values.extend(variables.filter_map(|variable| Some((file, variable.value().known()?.0))));
    }
    for (analysis, activity) in service.activities() {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let target = assign.result.get().and_then(|result| result.target()).map(|(_, name)| name);
        if let Some((body, _)) = assign.body.known().filter(|_| is_masked(target)) {
            values.push((analysis.file, body));
        }
    }
    let copies = copies_of(service, masked.keys().copied());
    for (analysis, activity) in service.activities() {
        for (name, other) in activity.expression().into_iter().flat_map(Expression::compared) {
            let literal = other.literal_text().filter(|(_, text)| copies.contains(name) && !is_truth(text));
            values.extend(literal.map(|(node, _)| (analysis.file, node)));
        }
    }
    for form in &service.model.forms {
        for field in form.form.fields.iter().filter(|field| is_masked(field.target().map(|(_, name)| name))) {
            let texts = field.properties().default_value.get().into_iter().flatten();
            values.extend(texts.map(|entry| (form.file, entry.node)));
            values.extend(field.properties().validation_pattern.node().map(|node| (form.file, node)));
            let items = field.properties().items.get().into_iter().flatten();
            values.extend(items.flat_map(|item| strings_in(form.document, item.node)).map(|node| (form.file, node)));
        }
    }
    values
}

/// The strings of an object, such as value and labels of an item.
fn strings_in(document: &Document, object: NodeId) -> Vec<NodeId> {
    let (mut open, mut strings) = (vec![object], Vec::new());
    while let Some(node) = open.pop() {
        open.extend(document.children(node));
        strings.extend(document.string(node).filter(|text| !is_truth(text)).map(|_| node));
    }
    strings
}

/// Whether a text tells nothing of who is behind it.
fn is_truth(text: &str) -> bool {
    ["true", "false"].iter().any(|truth| text.eq_ignore_ascii_case(truth))
}

/// The secrets, and the values of masked variables.
pub fn sensitive_values<'a>(
    service: &AnalyzedService<'a>,
    secrets: &[Secret],
) -> impl Iterator<Item = SensitiveValue<'a>> {
    let masked = masked_values(service).into_iter();
    let masked = masked
        .filter_map(|(file, node)| Some(SensitiveValue { file, document: service.document(file)?, node, part: None }));
    secret_values(service, secrets).chain(masked)
}

pub fn secret_values<'a>(
    service: &AnalyzedService<'a>,
    secrets: &[Secret],
) -> impl Iterator<Item = SensitiveValue<'a>> {
    secrets.iter().filter_map(|Secret { file, node, part, .. }| {
        let document = service.document(*file)?;
        Some(SensitiveValue { file: *file, document, node: *node, part: Some(part.clone()) })
    })
}

/// Shorter sample values may occur in the result by chance.
pub const MIN_EVIDENCE_CHARS: usize = 4;

/// Shorter parts of a personal id do not name a person: the year, or the last four digits.
const MIN_PART_CHARS: usize = 6;

/// The variables whose values become personal ids.
pub fn personal_ids<'c>(service: &'c AnalyzedService<'_>) -> VariableSinks<'c> {
    sinks_in_parties(service, SOCIAL_SECURITY_NUMBER, ParameterKind::PersonalId)
}

/// The variables whose values become mail addresses.
pub fn mail_addresses<'c>(service: &'c AnalyzedService<'_>) -> VariableSinks<'c> {
    sinks_in_parties(service, EMAIL_ADDRESS, ParameterKind::Mail)
}

/// The variables whose values become names of people who sign.
pub fn party_names<'c>(service: &'c AnalyzedService<'_>) -> VariableSinks<'c> {
    let mut known = in_built_cases(service, NAME);
    for site in service.providers() {
        let parameter = site.outputs.method.and_then(|method| method.parameter_for(Purpose::PartyName));
        let Some(parameter) = parameter else { continue };
        let binding = site.provider.parameter(&parameter.name).and_then(|given| given.value.get());
        if let Some((node, name)) = binding.and_then(|binding| binding.target()) {
            known.push((name, NamedSink { place: site.at(node), name: &parameter.name }));
        }
    }
    with_copied(service, known)
}

/// The variables whose values reach a key of a party, or a parameter of a kind.
fn sinks_in_parties<'c>(service: &'c AnalyzedService<'_>, key: &'static str, kind: ParameterKind) -> VariableSinks<'c> {
    let mut in_cases = in_assigned_cases(service, key);
    in_cases.extend(in_built_cases(service, key));
    let mut sinks = with_copied(service, in_cases);
    // A parameter replaces a case as the evidence: it is easier to see.
    sinks.extend(sinks_of_kind(service, kind));
    sinks
}

/// The variables in a key of the parties of cases whose JSON an Assign writes.
fn in_assigned_cases<'c>(service: &'c AnalyzedService<'_>, key: &'static str) -> Vec<(&'c str, NamedSink<'c>)> {
    let placeholders = placeholders_in_assigned_cases(service, key).into_iter();
    let sink = |assigned: AssignedPlaceholder<'c>| {
        let AssignedPlaceholder { file, node, placeholder, .. } = assigned;
        let place = Place::inside(file, node, placeholder.range);
        (placeholder.name, NamedSink { place, name: key })
    };
    placeholders.map(sink).collect()
}

/// The variables whose values scripts put into a key of the parties of the cases that they build: the value that was
/// made up for the parameter is a part of one.
fn in_built_cases<'c>(service: &'c AnalyzedService<'_>, key: &'static str) -> Vec<(&'c str, NamedSink<'c>)> {
    let mut found = Vec::new();
    for (case, built) in service.case_texts().iter().filter_map(|case| Some((case, case.object()?))) {
        let CaseSource::Script { node: script, run } = &case.source else { continue };
        let Some(site) = service.codes().find(|site| (site.analysis.file, site.node) == (case.file, *script)) else {
            continue;
        };
        let parties = built.member(built.root(), PARTIES).into_iter().flat_map(|parties| built.elements(parties));
        let texts: Vec<&str> =
            parties.filter_map(|party| built.member(party, key)).filter_map(|text| built.string(text)).collect();
        let parameters = site.code.parameters.get().into_iter().flatten();
        for (parameter, value) in parameters.zip(&run.values).filter(|(_, value)| is_evidence(value, &run.values)) {
            let Some((node, variable)) = parameter.value.get().and_then(|binding| binding.target()) else { continue };
            let is_in = |text: &&str| {
                text.contains(&value.text)
                    || key == SOCIAL_SECURITY_NUMBER && !run.is_guess && is_part_of_id(text, value, &run.values)
            };
            if texts.iter().any(is_in) && !run.is_of_script(&value.text) {
                found.push((variable, NamedSink { place: Place::value(case.file, node), name: key }));
            }
        }
    }
    found
}

/// Whether a part of the built case that equals a value comes from this parameter: a short value is a part of others by
/// chance, and values that match a pattern of the script may be equal.
pub fn is_evidence(value: &RunValue, all: &[RunValue]) -> bool {
    let is_long = value.text.chars().count() >= MIN_EVIDENCE_CHARS;
    value.is_made_up && is_long && all.iter().filter(|other| other.text.contains(&value.text)).count() == 1
}

/// Whether a personal id is a value of which the script removed signs or cut off a part: `id.replace(/-/g, "")`,
/// `id.slice(2)`.
fn is_part_of_id(text: &str, value: &RunValue, all: &[RunValue]) -> bool {
    let signs = |text: &str| -> String { text.chars().filter(|sign| sign.is_alphanumeric()).collect() };
    let text = signs(text);
    let is_part = |value: &RunValue| signs(&value.text).contains(&text);
    text.chars().count() >= MIN_PART_CHARS && is_part(value) && all.iter().filter(|other| is_part(other)).count() == 1
}
