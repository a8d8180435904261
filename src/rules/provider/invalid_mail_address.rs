use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, literals};
use crate::mail;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF213",
    name: "invalid-mail-address",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF213-invalid-mail-address.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for given in literals(&site, ParameterKind::Mail) {
            let Some(text) = given.text().filter(|text| !mail::is_address(text)) else { continue };
            out.report(
                &site.at(given.node),
                format!(
                    "{} is given {}, which is no mail address: nothing can be sent there",
                    quote(given.name),
                    quote(text)
                ),
            )
            .help("write one plain address, such as `anna@example.com`, without a name around it");
        }
    }
}
