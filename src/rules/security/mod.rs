//! `WF9`: security and privacy.

pub mod dynamic_code;
pub mod hard_coded_secret;
pub mod insecure_uri;
pub mod invisible_characters;
pub mod json_injection;
pub mod ldap_injection;
pub mod personal_data_published;
pub mod untrusted_connection;
pub mod untrusted_path;

use crate::facts::{FormValues, PathStep, Place, TaintedSink, TaintedSinks};
use crate::model::ActivityKind;
use crate::rules::{Draft, Reporter};
use crate::text::diagnostic::Severity;
use crate::text::quote;

/// The steps of a path that are related places; of a longer one the last, which lead to the sink.
const MAX_SHOWN_STEPS: usize = 24;

/// Reports the workflows that are too large for the taint analysis.
pub(super) fn report_unchecked(sinks: &TaintedSinks<'_, '_>, out: &mut Reporter<'_>) {
    for analysis in &sinks.unchecked {
        let message = "unchecked workflow: too many variables and activities to follow their values";
        out.report(&Place::of_activities(analysis), message)
            .severity(Severity::Info)
            .help("split the workflow into several");
    }
}

/// Adds the path of a value from its form field.
pub(super) fn show_path_from_form(values: &FormValues<'_, '_>, found: &TaintedSink<'_, '_>, draft: &mut Draft<'_>) {
    let source = values.field(found).zip(found.source());
    let source = source.map(|(field, source)| (field, format!("the form fills {}", quote(source))));
    show_path(found, source.into_iter().collect(), draft);
}

/// Adds the path of a value from its source: the step by step flow, and related places.
pub(super) fn show_path(found: &TaintedSink<'_, '_>, source: Vec<(Place, String)>, draft: &mut Draft<'_>) {
    let steps: Vec<(Place, String)> = found.steps().map(|step| (step.place.clone(), described(&step))).collect();
    let shown = steps.get(steps.len().saturating_sub(MAX_SHOWN_STEPS)..).unwrap_or_default();
    for (place, text) in source.iter().chain(shown) {
        draft.related(place, text.as_str());
    }
    draft.flow(source.into_iter().chain(steps).chain([sink_step(found)]));
}

fn described(step: &PathStep<'_, '_>) -> String {
    let how = if matches!(step.activity.kind, ActivityKind::Code(_)) { " through the script" } else { "" };
    format!("{} flows{how} into {}", quote(step.from), quote(step.into))
}

/// The end of a path.
fn sink_step(found: &TaintedSink<'_, '_>) -> (Place, String) {
    let (variable, activity) = (quote(found.variable()), found.sink.activity.display_name());
    let text = match found.parameter_name() {
        "" => format!("{variable} is published by {activity}"),
        parameter => format!("{variable} reaches {} of {activity}", quote(parameter)),
    };
    (found.place(), text)
}

/// `` form input `Department` in `LDAPFilter` of `Get user`, through `Filter` ``, for a message.
pub(super) fn form_input_in_parameter(found: &TaintedSink<'_, '_>) -> String {
    let source = found.source().map_or_else(String::new, |source| format!(" {}", quote(source)));
    let (parameter, activity) = (quote(found.parameter_name()), found.sink.activity.display_name());
    format!("form input{source} in {parameter} of {activity}{}", through(found))
}

/// `` , through `Filter` ``, when the used variable is not the source of the value.
pub(super) fn through(found: &TaintedSink<'_, '_>) -> String {
    let is_direct = found.source() == Some(found.variable());
    if is_direct { String::new() } else { format!(", through {}", quote(found.variable())) }
}
