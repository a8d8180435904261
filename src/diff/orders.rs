//! Explores both sides, and finds what orders can do on one side only.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::matching::Places;
use super::result::{OrderEnd, Orders, Sides};
use super::side::SideService;
use crate::explore::{
    Covers, Ending, ExploredEnd, ExploredService, Request, ServiceResult, explore_service, without_ids,
};
use crate::files::boundary::Boundary;
use crate::project::Overrides;
use crate::text::diagnostic::Location;

/// How orders are explored.
#[derive(Clone, Copy)]
pub struct Exploration<'e> {
    /// This program, which runs scripts in a child process.
    pub program: &'e Path,
    /// What may be read.
    pub boundary: &'e Boundary,
}

/// Compares what orders can do.
pub(super) fn compare_orders(
    old: SideService<'_>,
    new: SideService<'_>,
    places: &Places,
    exploration: Exploration<'_>,
    shown: &dyn Fn(&str) -> String,
) -> Orders {
    let explore = |side: SideService<'_>| Explored::new(side, exploration);
    let (old, new) = rayon::join(|| explore(old), || explore(new));
    let mut orders = Orders { is_complete: old.is_complete && new.is_complete, ..Orders::default() };
    for reason in old.reasons.iter().chain(&new.reasons) {
        if !orders.reasons.contains(reason) {
            orders.reasons.push(reason.clone());
        }
    }
    // If one side has not been explored, all ends of the other one would seem to be new or gone.
    if old.has_failed || new.has_failed {
        return orders;
    }
    let of_old = old.ends(shown, &|location| places.now(location));
    let of_new = new.ends(shown, &|location| Some(location.clone()));
    let ends_of = |ends: &[(EndKey, OrderEnd)]| ends.iter().map(|(key, _)| key.clone()).collect::<BTreeSet<EndKey>>();
    orders.same = ends_of(&of_old).intersection(&ends_of(&of_new)).count();
    orders.ends = sides(of_old, of_new);
    orders.approvals = sides(
        old.approvals(shown, &|location| places.now(location)),
        new.approvals(shown, &|location| Some(location.clone())),
    );
    let calls = |explored: &Explored| {
        let calls = explored.services.iter().flat_map(|service| &service.possible.calls);
        calls.map(|call| (call.clone(), shown(call))).collect()
    };
    let mails = |explored: &Explored| {
        let mails = explored.services.iter().flat_map(|service| &service.possible.mails);
        mails.map(|kind| (kind.word(), kind.word().to_owned())).collect()
    };
    orders.calls = sides(calls(&old), calls(&new));
    orders.mails = sides(mails(&old), mails(&new));
    orders
}

/// The items whose keys are only in one of the lists, each once and in order.
fn sides<K: Ord + Clone, T>(old: Vec<(K, T)>, new: Vec<(K, T)>) -> Sides<T> {
    let keys = |list: &[(K, T)]| list.iter().map(|(key, _)| key.clone()).collect::<BTreeSet<K>>();
    let (mut old_keys, mut new_keys) = (keys(&old), keys(&new));
    let gone = old.into_iter().filter(|(key, _)| new_keys.insert(key.clone())).map(|(_, item)| item).collect();
    let new = new.into_iter().filter(|(key, _)| old_keys.insert(key.clone())).map(|(_, item)| item).collect();
    Sides { gone, new }
}

/// What distinguishes an end: how and where, and the status.
type EndKey = (Ending, Option<PlaceKey>, Option<String>);

/// Whether it is only on the old side, the file and the pointer.
type PlaceKey = (bool, u32, String);

type Translation<'t> = &'t dyn Fn(&Location) -> Option<Location>;

/// The result of exploring one side.
#[derive(Default)]
struct Explored {
    services: Vec<Arc<ExploredService>>,
    is_complete: bool,
    /// Whether a workflow was not explored at all.
    has_failed: bool,
    reasons: Vec<String>,
}

impl Explored {
    fn new(side: SideService<'_>, exploration: Exploration<'_>) -> Self {
        let Exploration { program, boundary } = exploration;
        let project = side.project;
        let progress = |_: usize| {};
        let request = Request {
            project,
            program,
            boundary,
            max_states: None,
            proves: false,
            embeds: None,
            overrides: &Overrides::new(),
            covers: Covers::Nothing,
            progress: &progress,
        };
        let ServiceResult { explored, unexplored, .. } = explore_service(&request, side.service);
        let name = |id| project.name_and_path(id).map_or("", |(name, _)| name);
        let mut found = Self { has_failed: !unexplored.is_empty(), ..Self::default() };
        found.reasons.extend(unexplored.into_iter().map(|(id, reason)| format!("{}: {reason}", name(id))));
        for order in explored {
            if let Some(cut) = order.service.cut {
                let (file, reason) = (name(order.service.workflow), cut.reason(order.service.states));
                let help = cut.help().map(|help| format!("; {help}")).unwrap_or_default();
                found.reasons.push(format!("{file}: {reason}{help}"));
            }
            found.services.push(Arc::new(order.service));
        }
        found.is_complete = found.reasons.is_empty();
        found
    }

    fn ends(&self, shown: &dyn Fn(&str) -> String, translated: Translation<'_>) -> Vec<(EndKey, OrderEnd)> {
        let all =
            self.services.iter().flat_map(|service| service.ends.iter().enumerate().map(move |end| (service, end)));
        all.map(|(service, (number, end))| {
            let status = end.status.as_deref().map(|status| shown(&service.masker.apply(status)));
            let end = OrderEnd {
                ending: end.ending,
                activity: end.activity.as_ref().map(|activity| shown(&activity.name)),
                status: status.clone(),
                service: Arc::clone(service),
                number,
            };
            (key(&end, status, service.ends.get(number), translated), end)
        })
        .collect()
    }

    fn approvals(
        &self,
        shown: &dyn Fn(&str) -> String,
        translated: Translation<'_>,
    ) -> Vec<((PlaceKey, &'static str), String)> {
        let all = self.services.iter().flat_map(|service| &service.possible.approvals);
        all.map(|(place, decision)| {
            let key = (place_key(&place.location, translated), decision.word());
            (key, format!("{}: {}", shown(&place.name), decision.word()))
        })
        .collect()
    }
}

fn key(end: &OrderEnd, status: Option<String>, explored: Option<&ExploredEnd>, translated: Translation<'_>) -> EndKey {
    let place = explored.and_then(|end| end.activity.as_ref()).map(|place| place_key(&place.location, translated));
    (end.ending, place, status.map(|status| without_ids(&status)))
}

fn place_key(location: &Location, translated: Translation<'_>) -> PlaceKey {
    match translated(location) {
        Some(now) => (false, now.file.0, now.pointer),
        None => (true, location.file.0, location.pointer.clone()),
    }
}
