use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};
use crate::uri;

pub const RULE: Rule = Rule {
    code: "WF903",
    name: "insecure-uri",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF903-insecure-uri.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for given in literals(&site, ParameterKind::Uri).filter(|given| given.has_its_type) {
            // What is no absolute address is told by WF217.
            let Some(address) = given.text().and_then(uri::absolute) else { continue };
            if address.is_plain_http() && !address.is_loopback() {
                out.report(
                    &site.at(given.node),
                    format!(
                        "{} is an `http:` address: credentials and personal data go there unencrypted",
                        quote(given.name)
                    ),
                )
                .help("use the provider's `https:` address");
            }
        }
    }
}
