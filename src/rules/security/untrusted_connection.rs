use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, FormValues, parameters_of_kind};
use crate::rules::security::{form_value, show_path_from_form};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF908",
    name: "untrusted-connection",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF908-untrusted-connection.md"),
    check,
    ..Rule::DEFAULT
};

/// Where a call goes, and with whose rights.
const CONNECTION: [ParameterKind; 2] = [ParameterKind::Uri, ParameterKind::Credential];

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let values = FormValues::of(cx);
    for found in values.reaching(cx, |analysis| parameters_of_kind(analysis, &CONNECTION)) {
        let harm = match found.kind() {
            Some(ParameterKind::Uri) => "so the person decides to which server the call goes",
            _ => "so the person decides with which stored credential the call is made",
        };
        let mut draft = out.report(
            &found.place(),
            format!("{} becomes {}, {harm}", form_value(&found), quote(found.parameter_name())),
        );
        draft.help("give it as a fixed text, or leave it out: the plug-in's configuration has one; if there is a choice, make it a restricted DropDown");
        show_path_from_form(&values, &found, &mut draft);
    }
}
