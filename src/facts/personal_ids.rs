//! Which variables hold personal ids or mail addresses: those whose values reach a parameter for one, or a party in a
//! signing case. The result of a script for generated values shows where a value goes.

use super::assigned_cases::{AssignedPlaceholder, placeholders_in_assigned_cases};
use super::case_text::CaseSource;
use super::place::Place;
use super::service::AnalyzedService;
use super::sinks::{NamedSink, VariableSinks, sinks_of_kind, with_copied};
use crate::catalog::ParameterKind;
use crate::model::case_key::{EMAIL_ADDRESS, PARTIES, SOCIAL_SECURITY_NUMBER};
use crate::script::evaluation::RunValue;

/// Shorter sample values may occur in the result by chance.
pub(super) const MIN_EVIDENCE_CHARS: usize = 4;

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
pub(super) fn is_evidence(value: &RunValue, all: &[RunValue]) -> bool {
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
