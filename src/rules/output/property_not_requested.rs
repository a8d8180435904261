use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place, ProviderSite};
use crate::model::Parameter;
use crate::rules::output::{never_written, other_reads, unasked_property};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF304",
    name: "property-not-requested",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF304-property-not-requested.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in never_written(cx) {
        let file = found.analysis.file;
        let Some(first) = found.reads.first() else { continue };
        let Some((site, property)) = unasked_property(cx, file, found.name()) else { continue };
        let name = quote(found.name());
        let list = property_list(&site);
        let mut draft = out.report(
            &Place::of_read(file, first),
            format!("{} does not ask for {}, so nothing writes {name}", site.activity.display_name(), quote(property)),
        );
        draft.help(format!(
            "add {} to its `Property`; or, if it is no property, write {name} otherwise",
            quote(property)
        ));
        match list.and_then(|list| list.value.get()) {
            Some(binding) => {
                let node = binding.value.node().unwrap_or(binding.node);
                draft.related(&site.at(node), "the properties that are asked for");
            }
            None => {
                draft.related(&site.at(site.activity.node), "this activity asks for no property");
            }
        }
        for read in other_reads(&found.reads, first.node) {
            draft.related(&Place::of_read(file, read), "read here too");
        }
    }
}

/// The parameter that lists the properties.
fn property_list<'s>(site: &'s ProviderSite<'_, '_>) -> Option<&'s Parameter<'s>> {
    let name = site.outputs.method?.outputs.iter().find_map(|output| output.per_entry_of.as_deref())?;
    site.provider.parameter(name)
}
