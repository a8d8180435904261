//! WF304

use crate::diagnostic::{Severity, quote};
use crate::graph::properties;
use crate::model::Parameter;
use crate::rules::output::{never_written, other_reads, place_of, unasked_property};
use crate::rules::{Context, Fixes, ProviderSite, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF304",
    name: "property-not-requested",
    severity: Severity::Error,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF304-property-not-requested.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in never_written(cx) {
        let file = found.analysis.file;
        let Some(first) = found.reads.first() else { continue };
        let Some((site, property)) = unasked_property(cx, file, found.name()) else { continue };
        let list = property_list(&site);
        let asked = list.and_then(|list| properties(Some(list))).unwrap_or_default();
        let asks_for = if asked.is_empty() {
            "no property".to_owned()
        } else {
            asked.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
        };
        let name = quote(found.name());
        let mut draft = out.report(
            &place_of(file, first),
            format!(
                "{name} is read here, but {} asks the directory for {asks_for}, so nothing writes it",
                quote(site.name())
            ),
            format!("add {} to the activity's `Property`", quote(property)),
        );
        let node = list
            .and_then(|list| list.value.get())
            .map_or(site.activity.node, |binding| binding.value.node().unwrap_or(binding.node));
        draft = draft.related(&site.at(node), "the properties that are asked for");
        for read in other_reads(&found.reads, first.node) {
            draft = draft.related(&place_of(file, read), "read here too");
        }
    }
}

/// The parameter that lists the properties.
fn property_list<'s>(site: &'s ProviderSite<'_, '_>) -> Option<&'s Parameter<'s>> {
    let name = site.outputs.method?.outputs.iter().find_map(|output| output.per_entry_of.as_deref())?;
    site.provider.parameter(name)
}
