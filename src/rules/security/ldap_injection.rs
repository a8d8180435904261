use crate::catalog::ParameterKind;
use crate::diagnostic::Severity;
use crate::facts::{Context, FormValues, parameters_of_kind};
use crate::rules::security::{form_value, show_path_from_form};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF905",
    name: "ldap-injection",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF905-ldap-injection.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let values = FormValues::of(cx);
    for found in values.reaching(cx, |analysis| parameters_of_kind(analysis, &[ParameterKind::LdapFilter])) {
        let mut draft = out.report(&found.place(), format!(
                "{} goes into this LDAP filter as it is: with `*` or `)(` in it, the filter finds whomever the person wants",
                form_value(&found)
            ));
        draft.help("let people choose from a restricted DropDown, or escape the value (RFC 4515) in a script first");
        show_path_from_form(&values, &found, &mut draft);
    }
}
