use crate::facts::{Context, named_parameters};
use crate::rules::{Reporter, Rule};
use crate::text::quote;
use crate::text::uri;

pub const RULE: Rule = rule!("WF903-insecure-uri", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for (name, parameter) in named_parameters(site.provider) {
            let Some((node, text)) = parameter.value.get().and_then(|binding| binding.literal_text()) else { continue };
            if is_insecure(text) {
                let (name, activity) = (quote(name), site.activity.display_name());
                out.report(&site.at(node), format!("insecure `http:` address in {name} of {activity}"))
                    .help("use the provider's `https:` address");
            }
        }
    }
}

/// The scheme of addresses without encryption, with its colon.
const HTTP: &str = "http:";

/// Whether the whole text is an `http:` address, and not a loopback address.
fn is_insecure(text: &str) -> bool {
    let has_scheme = text.get(..HTTP.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(HTTP));
    has_scheme && uri::absolute(text).is_some_and(|address| !address.is_loopback())
}
