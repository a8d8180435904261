//! Which variables hold personal ids: those whose values reach a parameter for one, or the personal id of a party in a
//! signing case. The result of a script for generated values shows where a value goes.

use std::ops::Range;

use super::case_text::CaseSource;
use super::place::Place;
use super::service::AnalyzedService;
use super::variable_sinks::{NamedSink, VariableSinks, sinks_of_kind, with_copied};
use crate::catalog::ParameterKind;
use crate::graph::{Placeholder, placeholders};
use crate::model::ActivityKind;
use crate::model::case_key::{PARTIES, SOCIAL_SECURITY_NUMBER};
use crate::script::evaluation::RunValue;

/// Made-up values with fewer characters do not show where they go.
const MIN_TELLING_CHARS: usize = 4;

/// The variables whose values become personal ids.
pub fn personal_ids<'c>(service: &'c AnalyzedService<'_>) -> VariableSinks<'c> {
    let mut in_cases = in_assigned_cases(service);
    in_cases.extend(in_built_cases(service));
    let mut sinks = with_copied(service, in_cases);
    // A parameter replaces a case as the evidence: it is easier to see.
    sinks.extend(sinks_of_kind(service, ParameterKind::PersonalId));
    sinks
}

/// The variables in the personal ids of cases whose JSON an Assign writes.
fn in_assigned_cases<'c>(service: &'c AnalyzedService<'_>) -> Vec<(&'c str, NamedSink<'c>)> {
    let cases = sinks_of_kind(service, ParameterKind::CaseJson);
    let mut found = Vec::new();
    for (analysis, activity) in service.activities() {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let target = assign.result.get().and_then(|result| result.target());
        let (Some((_, target)), Some((node, &body))) = (target, assign.body.known()) else { continue };
        if !cases.contains_key(target) {
            continue;
        }
        for placeholder in personal_ids_of_case(body) {
            let place = Place::inside(analysis.file, node, placeholder.range);
            found.push((placeholder.name, NamedSink { place, name: SOCIAL_SECURITY_NUMBER }));
        }
    }
    found
}

/// The variables whose values scripts put into the personal ids of the cases that they build: the value that was made
/// up for the parameter is a part of one.
fn in_built_cases<'c>(service: &'c AnalyzedService<'_>) -> Vec<(&'c str, NamedSink<'c>)> {
    let mut found = Vec::new();
    for (case, built) in service.case_texts().iter().filter_map(|case| Some((case, case.object()?))) {
        let CaseSource::Script { node: script, run } = &case.source else { continue };
        let Some(site) = service.codes().find(|site| (site.analysis.file, site.node) == (case.file, *script)) else {
            continue;
        };
        let parties = built.member(built.root(), PARTIES).into_iter().flat_map(|parties| built.elements(parties));
        let ids: Vec<&str> = parties
            .filter_map(|party| built.member(party, SOCIAL_SECURITY_NUMBER))
            .filter_map(|id| built.string(id))
            .collect();
        let parameters = site.code.parameters.get().into_iter().flatten();
        for (parameter, value) in parameters.zip(&run.values).filter(|(_, value)| is_telling(value, &run.values)) {
            let Some((node, variable)) = parameter.value.get().and_then(|binding| binding.target()) else { continue };
            if ids.iter().any(|id| id.contains(&value.text)) {
                found
                    .push((variable, NamedSink { place: Place::value(case.file, node), name: SOCIAL_SECURITY_NUMBER }));
            }
        }
    }
    found
}

/// Whether a part of the built case that equals a value comes from this parameter: a short value is a part of others by
/// chance, and values that match a pattern of the script may be equal.
fn is_telling(value: &RunValue, all: &[RunValue]) -> bool {
    let is_long = value.text.chars().count() >= MIN_TELLING_CHARS;
    value.is_made_up && is_long && all.iter().filter(|other| other.text.contains(&value.text)).count() == 1
}

/// The placeholders in the personal ids of a case whose JSON may not parse before they are replaced.
fn personal_ids_of_case(body: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let values: Vec<Range<usize>> = body
        .match_indices(SOCIAL_SECURITY_NUMBER)
        .filter_map(|(at, key)| {
            let rest = body.get(at + key.len()..)?;
            let rest = rest.strip_prefix('"')?.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            let start = body.len() - rest.len();
            Some(start..start + rest.find('"')?)
        })
        .collect();
    placeholders(body).filter(move |placeholder| {
        let value = values.partition_point(|value| value.end < placeholder.range.end);
        values.get(value).is_some_and(|value| value.start <= placeholder.range.start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_placeholders_in_the_personal_id_count() {
        let names =
            |body: &'static str| personal_ids_of_case(body).map(|placeholder| placeholder.name).collect::<Vec<_>>();
        assert_eq!(names(r#"{"SocialSecurityNumber": "{Born}-{Number}", "Name": "{Name}"}"#), ["Born", "Number"]);
        assert_eq!(names(r#"{"SocialSecurityNumber" :"{Id}"}"#), ["Id"]);
        assert_eq!(names(r#"{"SocialSecurityNumber": null, "Name": "{Name}"}"#), [""; 0]);
        assert_eq!(names(r#"{"Name": "SocialSecurityNumber {Name}"}"#), [""; 0]);
    }
}
