use crate::catalog::ParameterKind;
use crate::facts::{Context, FormValues, parameter_sinks_of_kinds};
use crate::rules::security::{form_input_in_parameter, report_unchecked, show_path_from_form};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;

pub const RULE: Rule = Rule {
    code: "WF908",
    name: "untrusted-connection",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
    recommends_infos: true,
    page: include_str!("../../../rules/WF908-untrusted-connection.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let values = FormValues::of(cx);
    let connections = |analysis| parameter_sinks_of_kinds(analysis, &[ParameterKind::Uri, ParameterKind::Credential]);
    let sinks = values.tainted_sinks(connections);
    report_unchecked(&sinks, out);
    for found in sinks.found {
        let mut draft = out.report(&found.place(), format!("untrusted {}", form_input_in_parameter(&found)));
        draft.help("remove the parameter, set a static value, or use a restricted DropDown");
        show_path_from_form(&values, &found, &mut draft);
    }
}
