use crate::catalog::ParameterKind;
use crate::diagnostic::Severity;
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};
use crate::text::quote;
use crate::uri;

pub const RULE: Rule = Rule {
    code: "WF903",
    name: "insecure-uri",
    severity: Severity::Warning,
    is_local: true,
    page: include_str!("../../../rules/WF903-insecure-uri.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::Uri).filter(|value| value.has_its_type) {
            let Some(address) = value.text().and_then(uri::absolute) else { continue };
            if address.is_plain_http() && !address.is_loopback() {
                let (name, activity) = (quote(value.name), site.activity.display_name());
                out.report(&site.at(value.node), format!("insecure `http:` address in {name} of {activity}"))
                    .help("use the provider's `https:` address");
            }
        }
    }
}
