use crate::catalog::ParameterKind;
use crate::facts::{Context, FormValues, parameter_sinks_of_kinds};
use crate::rules::security::{form_input_in_parameter, report_unchecked, show_path_from_form};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF905-ldap-injection", Warning | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let values = FormValues::of(cx);
    let filters = |analysis| parameter_sinks_of_kinds(analysis, &[ParameterKind::LdapFilter]);
    let sinks = values.tainted_sinks(filters);
    report_unchecked(&sinks, out);
    for found in sinks.found {
        let mut draft = out.report(&found.place(), format!("unescaped {}", form_input_in_parameter(&found)));
        draft.help("use a restricted DropDown, or escape the value in a script first (RFC 4515)");
        show_path_from_form(&values, &found, &mut draft);
    }
}
