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

use crate::diagnostic::Severity;
use crate::facts::{FormValues, Place, TaintedSink, TaintedSinks};
use crate::model::ActivityKind;
use crate::rules::{Draft, Reporter};
use crate::text::quote;

/// Reports the workflows that are too large for the taint analysis.
pub(super) fn report_unchecked(sinks: &TaintedSinks<'_, '_>, out: &mut Reporter<'_>) {
    for analysis in &sinks.unchecked {
        let message = "unchecked workflow: too many variables and activities to follow their values";
        out.report(&Place::of_activities(analysis), message)
            .severity(Severity::Info)
            .help("split the workflow into several");
    }
}

/// Adds the path of a value from its form field as related places.
pub(super) fn show_path_from_form(values: &FormValues<'_>, found: &TaintedSink<'_, '_>, draft: &mut Draft<'_>) {
    if let (Some(field), Some(source)) = (values.field(found), found.source()) {
        draft.related(&field, format!("the form fills {}", quote(source)));
    }
    show_steps(found, draft);
}

/// Adds the steps of a path as related places.
pub(super) fn show_steps(found: &TaintedSink<'_, '_>, draft: &mut Draft<'_>) {
    for step in found.shown_steps() {
        let how = if matches!(step.activity.kind, ActivityKind::Code(_)) { " through the script" } else { "" };
        draft.related(&step.place, format!("{} flows{how} into {}", quote(step.from), quote(step.into)));
    }
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
