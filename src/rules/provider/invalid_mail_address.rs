use crate::catalog::ParameterKind;
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};
use crate::text::mail;
use crate::text::quote;

pub const RULE: Rule = rule!("WF213-invalid-mail-address", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::Mail) {
            let Some(text) = value.text().filter(|text| !mail::is_address(text)) else { continue };
            let message = format!("invalid mail address {} in {}", quote(text), quote(value.name));
            out.report(&site.at(value.node), message)
                .help("write one address without a display name, such as `anna@example.com`");
        }
    }
}
