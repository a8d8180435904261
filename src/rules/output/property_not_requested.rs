use crate::facts::{Context, Place, ProviderSite, inserted_literal, literal_edits};
use crate::graph::properties;
use crate::rules::output::other_reads;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule = rule!("WF304-property-not-requested", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in cx.unwritten_variables() {
        let file = found.analysis.file;
        let Some(first) = found.reads.first() else { continue };
        let Some((site, property)) = cx.property_lookups().unrequested(file, found.name()) else { continue };
        let (name, shown) = (quote(found.name()), quote(property));
        let Some(list) = property_list(site) else { continue };
        let mut draft = out.report(
            &Place::of_read(file, first),
            format!("unrequested property {shown} of {}: nothing writes {name}", site.activity.display_name()),
        );
        draft.cause(Cause::Variable(found.name().to_owned()));
        match requesting(site, list, property) {
            Some(edits) => draft
                .help(format!("write {name} in another activity if the lookup has no such property"))
                .fix(Applicability::Unsafe, format!("add {shown} to {}", quote(list)), edits),
            None => draft.help(format!("add {shown} to {}, or write {name} in another activity", quote(list))),
        };
        match site.provider.parameter(list).and_then(|list| list.value.get()) {
            Some(binding) => {
                let node = binding.value.node().unwrap_or(binding.node);
                draft.related(&site.at(node), "the properties that are requested");
            }
            None => {
                draft.related(&site.at(site.activity.node), "no properties are requested");
            }
        }
        for read in other_reads(&found.reads, first.node) {
            draft.related(&Place::of_read(file, read), "also read here");
        }
    }
}

/// The name of the parameter that lists the properties.
fn property_list<'a>(site: &ProviderSite<'_, 'a>) -> Option<&'a str> {
    site.outputs.method?.outputs.iter().find_map(|output| output.per_entry_of.as_deref())
}

/// The edits that request one more property. `None` where a list is not a string, or the call lacks the parameter and
/// nothing shows how the document would have it.
fn requesting(site: &ProviderSite<'_, '_>, list: &str, property: &str) -> Option<Vec<Edit>> {
    let Some(parameter) = site.provider.parameter(list) else {
        let literals = site
            .provider
            .declared()
            .filter(|parameter| parameter.value.get().and_then(|binding| binding.literal_text()).is_some());
        return inserted_literal(site, literals.last().filter(|_| site.provider.lists_are_known())?, list, property);
    };
    let requested = properties(Some(parameter))?;
    let written = parameter.value.get()?.literal_text().map_or("", |(_, text)| text);
    let before = written.trim_end().trim_end_matches(',');
    let separator = if written.contains(", ") { ", " } else { "," };
    let text = if requested.is_empty() { property.to_owned() } else { format!("{before}{separator}{property}") };
    literal_edits(site, parameter, &text)
}
