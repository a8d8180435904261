use crate::facts::{Context, Place, ProviderSite};
use crate::rules::output::other_reads;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF304-property-not-requested", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in cx.unwritten_variables() {
        let file = found.analysis.file;
        let Some(first) = found.reads.first() else { continue };
        let Some((site, property)) = cx.property_lookups().unrequested(file, found.name()) else { continue };
        let (name, property) = (quote(found.name()), quote(property));
        let Some(list) = property_list(site) else { continue };
        let mut draft = out.report(
            &Place::of_read(file, first),
            format!("unrequested property {property} of {}: nothing writes {name}", site.activity.display_name()),
        );
        draft.help(format!("add {property} to {}, or write {name} in another activity", quote(list)));
        draft.cause(Cause::Variable(found.name().to_owned()));
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
