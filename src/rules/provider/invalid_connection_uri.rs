use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};
use crate::uri;

pub const RULE: Rule = Rule {
    code: "WF217",
    name: "invalid-connection-uri",
    severity: Severity::Error,
    other_severities: &[Severity::Info],
    page: include_str!("../../../rules/WF217-invalid-connection-uri.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for given in literals(&site, ParameterKind::Uri) {
            let Some(text) = given.text() else { continue };
            let name = quote(given.name);
            let Some(address) = uri::absolute(text) else {
                out.report(
                    &site.at(given.node),
                    format!(
                        "{name} is given {}, which is no absolute address, so the provider cannot be reached",
                        quote(text)
                    ),
                )
                .help("write the whole address, such as `https://esign.example.com/api/v2`");
                continue;
            };
            if !address.has_version() {
                out.report(
                    &site.at(given.node),
                    format!("the address in {name} has no version in its path, as the provider's documented one has"),
                )
                .help("if the provider's interface is the documented one, add its version, such as `/api/v2`")
                .severity(Severity::Info);
            }
        }
    }
}
