use crate::document::NodeId;
use crate::facts::{Context, ProviderSite, named_parameters, node_and_copy};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;
use crate::text::uri;

pub const RULE: Rule = rule!("WF903-insecure-uri", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for (name, parameter) in named_parameters(site.provider) {
            let Some((node, text)) = parameter.value.get().and_then(|binding| binding.literal_text()) else { continue };
            if !is_insecure(text) {
                continue;
            }
            let (name, activity) = (quote(name), site.activity.display_name());
            let message = format!("insecure `http:` address in {name} of {activity}");
            let mut draft = out.report(&site.at(node), message);
            // What answers on a port speaks one protocol: the encrypted one has another port.
            if uri::absolute(text).is_some_and(|address| address.has_port()) {
                draft.help("use the provider's `https:` address");
            } else {
                draft.fix(Applicability::Unsafe, "use `https:`", edits(&site, node));
            }
        }
    }
}

/// The edits that replace the scheme.
fn edits(site: &ProviderSite<'_, '_>, node: NodeId) -> Vec<Edit> {
    let (document, file) = (site.analysis.document, site.analysis.file);
    let edit = |node| Edit { file, span: document.span_inside(node, 0..HTTP.len()), new_text: "https:".to_owned() };
    node_and_copy(site.analysis, site.activity, node).map(edit).collect()
}

/// The scheme of addresses without encryption, with its colon.
const HTTP: &str = "http:";

/// Whether the whole text is an `http:` address, and not a loopback address.
fn is_insecure(text: &str) -> bool {
    let has_scheme = text.get(..HTTP.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(HTTP));
    has_scheme && uri::absolute(text).is_some_and(|address| !address.is_loopback())
}
