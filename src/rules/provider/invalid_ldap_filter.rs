use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place, literals};
use crate::ldap::Filter;
use crate::model::Literal;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF216",
    name: "invalid-ldap-filter",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF216-invalid-ldap-filter.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for given in literals(&site, ParameterKind::LdapFilter) {
            let Some(Err(error)) = given.text().map(Filter::parse) else { continue };
            // A directory may well look deeper.
            if error.is_too_deep {
                continue;
            }
            let place = match given.literal {
                Literal::Text(_) => Place::inside(site.analysis.file, given.node, error.span),
                _ => site.at(given.node),
            };
            out.report(
                &place,
                format!("{} is no search filter, so the lookup fails: {}", quote(given.name), error.message),
            )
            .help("write it as RFC 4515 has it, such as `(&(objectClass=user)(mail=*))`");
        }
    }
}
