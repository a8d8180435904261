use crate::catalog::ParameterKind;
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;
use crate::text::uri;

pub const RULE: Rule = rule!("WF217-invalid-connection-uri", Error | Info, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::Uri) {
            let Some(text) = value.text() else { continue };
            let name = quote(value.name);
            let Some(address) = uri::absolute(text) else {
                let message = format!("expected an absolute URI for {name}, found {}", value.literal.describe());
                out.report(&site.at(value.node), message)
                    .help("write the complete address, such as `https://esign.example.com/api/v2`");
                continue;
            };
            if !address.has_version() {
                out.report(&site.at(value.node), format!("missing version in the path of {name}"))
                    .help("add the version, such as `/api/v2`, if the provider has one in its address")
                    .severity(Severity::Info);
            }
        }
    }
}
