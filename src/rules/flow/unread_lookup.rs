use crate::catalog::Effect;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, ProviderSite};
use crate::graph::{Effects, Origin, Receiver, StoreQuery, StoreUse, Writer};
use crate::model::Activity;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::list;

pub const RULE: Rule = Rule {
    code: "WF417",
    name: "unread-lookup",
    severity: Severity::Info,
    yields_to: YieldsTo::Rules(&["WF407"]),
    marks_unnecessary: true,
    page: include_str!("../../../rules/WF417-unread-lookup.md"),
    check,
    ..Rule::DEFAULT
};

/// Points, reads and writes that are visited for all lookups of a service.
const MAX_COST: usize = 500_000;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut budget = MAX_COST;
    let mut is_cut_off = false;
    for site in cx.providers() {
        let reads = site.outputs.method.is_some_and(|method| method.effect == Some(Effect::Read));
        if !reads || !site.analysis.reaches(site.activity.id) || site.outputs.may_write.is_some() {
            continue;
        }
        let Some(received) = received(&site) else { continue };
        let is_used = received.iter().any(|name| cx.usage.is_read(name)) || result_is_read(cx, &site);
        if received.is_empty() || is_used {
            continue;
        }
        match use_of_common_outputs(cx, &site, &mut budget) {
            StoreUse::Dead(_) => {}
            StoreUse::MayBeRead | StoreUse::ReadOnSomePaths => continue,
            StoreUse::Unknown => {
                if !std::mem::replace(&mut is_cut_off, true) {
                    let message = "unchecked lookups from here on: too many to search for reads of their results";
                    out.report(&site.at(site.activity.node), message).help("split the workflow into several");
                }
                continue;
            }
        }
        let names: Vec<String> = received.iter().map(|name| quote(name)).collect();
        let message =
            format!("unused result of {}: nothing reads {}", site.activity.display_name(), list(&names, "or"));
        let mut draft = out.report(&site.at(site.activity.node), message);
        draft.help("use the result, or remove the activity");
        // A loop that waits for another variable than the one that this lookup writes (WF407).
        draft.about(Cause::Node(site.analysis.file, site.activity.node));
    }
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

/// Whether an output of every provider activity, such as `ZPActivityStatus`, may be read before the next one writes it.
fn use_of_common_outputs(cx: &Context<'_>, site: &ProviderSite<'_, '_>, budget: &mut usize) -> StoreUse {
    let common = cx.config.catalog.common_outputs.iter();
    let mut uses = common.filter_map(|name| Some((name, site.analysis.names.id(name)?))).map(|(name, variable)| {
        let overwrites = |activity: &Activity<'_>, effects: &Effects<'_>| {
            let stops = activity.provider().is_some_and(|provider| provider.stops_on_error());
            let mut writes = effects.writes.to(variable).filter(|write| !write.guessed);
            writes.any(|write| write.by == Writer::Assign || stops)
        };
        let is_live_at_end = cx.usage.is_read_outside(name);
        let query = StoreQuery { variable, is_live_at_end, overwrites: &overwrites };
        site.analysis.store_use(site.activity.id, &query, budget)
    });
    uses.find(|found| !matches!(found, StoreUse::Dead(_))).unwrap_or(StoreUse::Dead(None))
}
