use crate::catalog::ParameterKind;
use crate::facts::{Context, FormValues, parameter_sinks_of_kinds};
use crate::rules::security::{form_input_in_parameter, report_unchecked, show_path_from_form};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF908-untrusted-connection", Warning | Info, check, recommends_infos: true);

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
