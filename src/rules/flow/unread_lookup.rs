use crate::catalog::Effect;
use crate::common::limits::MAX_SEARCH_STEPS;
use crate::facts::{Context, ProviderSite, without_activities};
use crate::graph::{Origin, Receiver, Store, StoreQuery, StoreUse, VarId, Writer};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, quote};
use crate::text::list;

pub const RULE: Rule =
    rule!("WF417-unread-lookup", Info, check, recommends_infos: true, marks_unnecessary: true, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut budget = MAX_SEARCH_STEPS;
    for analysis in &cx.workflows {
        let lookups: Vec<_> = ProviderSite::of(analysis).filter_map(|site| unread(cx, site)).collect();
        let common = cx.config.catalog.common_outputs.iter().filter_map(|name| analysis.names.id(name));
        let common: Vec<VarId> = common.collect();
        let stores = lookups
            .iter()
            .flat_map(|(site, _)| common.iter().map(|&variable| Store { activity: site.activity.id, variable }));
        let query = StoreQuery {
            is_live_at_end: &|variable| cx.usage.is_read_outside(analysis.names.name(variable)),
            // Whether the next provider activity writes its common outputs.
            overwrites: &|activity, effects, variable| {
                let stops = activity.provider().is_some_and(|provider| provider.stops_on_error());
                let mut writes = effects.writes.to(variable).filter(|write| !write.guessed);
                writes.any(|write| write.by == Writer::Assign || stops)
            },
        };
        let uses = analysis.store_uses(&stores.collect::<Vec<_>>(), &query, &mut budget);
        // Whether an output of every provider activity, such as `ZPActivityStatus`, may be read.
        let mut uses = uses.chunks(common.len().max(1));
        for (site, received) in lookups {
            let uses = uses.next().unwrap_or_default();
            if uses.contains(&StoreUse::Unknown) {
                let message = "unchecked lookups from here on: too many to search for reads of their results";
                out.report(&site.at(site.activity.node), message).help("split the workflow into several");
                return;
            }
            if uses.iter().all(|found| matches!(found, StoreUse::Dead(_))) {
                report(cx, &site, &received, out);
            }
        }
    }
}

/// A lookup with the variables that receive its outputs, if nothing reads these.
fn unread<'c, 'a>(cx: &Context<'_>, site: ProviderSite<'c, 'a>) -> Option<(ProviderSite<'c, 'a>, Vec<&'c str>)> {
    let reads = site.outputs.method.is_some_and(|method| method.effect == Some(Effect::Read));
    if !reads || !site.analysis.reaches(site.activity.id) || site.outputs.may_write.is_some() {
        return None;
    }
    let received = received(&site)?;
    let is_used = received.iter().any(|name| cx.usage.is_read(name)) || result_is_read(cx, &site);
    (!received.is_empty() && !is_used).then_some((site, received))
}

fn report<'a>(cx: &Context<'a>, site: &ProviderSite<'_, 'a>, received: &[&str], out: &mut Reporter<'_>) {
    let names: Vec<String> = received.iter().map(|name| quote(name)).collect();
    let message = format!("unused result of {}: nothing reads {}", site.activity.display_name(), list(&names, "or"));
    let mut draft = out.report(&site.at(site.activity.node), message);
    // A variable that nothing writes may be meant to receive the result.
    let may_go = !cx.removable().is_incomplete(site.analysis.file);
    match may_go.then(|| without_activities(cx, site.analysis, &[site.activity])).flatten() {
        Some(removal) => {
            let title = removal.title("the lookup");
            draft.help("use the result, if it is needed").fix(Applicability::Unsafe, title, removal.edits)
        }
        None => draft.help("use the result, or remove the activity"),
    };
}

/// The variables that receive the outputs; `None` if a requested output is lost, which WF301 reports, or if they are
/// unknown.
fn received<'s>(site: &ProviderSite<'s, '_>) -> Option<Vec<&'s str>> {
    let mut received = Vec::new();
    for output in &site.outputs.outputs {
        match output.receiver {
            Receiver::Variable => received.push(output.name.as_str()),
            Receiver::OtherCase(variable) => received.push(variable),
            Receiver::Missing if output.origin == Origin::Default => {}
            Receiver::Missing | Receiver::Unknown => return None,
        }
    }
    Some(received)
}

/// Whether something reads `providerResult`, which is a use of the call.
fn result_is_read(cx: &Context<'_>, site: &ProviderSite<'_, '_>) -> bool {
    let Some(result) = site.provider.result.get() else { return site.provider.result.is_unknown() };
    result.is_opaque() || result.target().is_some_and(|(_, name)| cx.usage.is_read(name))
}
