use std::borrow::Cow;

use crate::catalog::ParameterKind;
use crate::facts::{Context, Place, literals};
use crate::ldap::{Filter, FilterError};
use crate::model::Literal;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF216-invalid-ldap-filter", Error | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::LdapFilter) {
            let Some(parsed) = value.text().map(Filter::parse) else { continue };
            let place = |error: &FilterError| match value.literal {
                Literal::Text(_) => Place::inside(site.analysis.file, value.node, error.span.clone()),
                _ => site.at(value.node),
            };
            let error = match parsed {
                Err(error) => error,
                Ok(filter) => {
                    for doubt in filter.lenient.into_iter().chain(filter.unmatched) {
                        let message = format!("questionable LDAP filter in {}: {}", quote(value.name), doubt.message);
                        let mut draft = out.report(&place(&doubt), message);
                        draft.severity(Severity::Info);
                        doubt.help.map(|help| draft.help(help));
                    }
                    continue;
                }
            };
            let place = place(&error);
            // A directory may accept more than we do.
            if error.exceeds_limit {
                let message = format!("unchecked LDAP filter in {}: {}", quote(value.name), error.message);
                out.report(&place, message).severity(Severity::Info);
                continue;
            }
            let form = "write it as in RFC 4515, such as `(&(objectClass=user)(mail=*))`";
            out.report(&place, format!("invalid LDAP filter in {}: {}", quote(value.name), error.message))
                .help(error.help.map_or(Cow::Borrowed(form), Cow::Owned))
                .cause(Cause::Node(site.analysis.file, value.node));
        }
    }
}
