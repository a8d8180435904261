//! The runs of a search as events, for people who play them.

use std::collections::BTreeSet;

use super::ends::Ending;
use super::explored::RepeatedCall;
use super::search::{FoundRun, pending};
use crate::redaction::Masker;
use crate::simulate::{
    Ended, EventWords, MAX_EVENT_VALUE, Plan, RunEvent, RunEventKind, ended_words, events, events_until,
};
use crate::text::{list, quote};

/// People who are named.
const MAX_PEOPLE: usize = 3;

/// How a run goes on forever.
pub struct Forever {
    pub ending: Ending,
    /// The call that it depends on.
    pub repeated: Option<RepeatedCall>,
}

/// The events of a run that was replayed, with how it ended; of a cycle up to where it closes. Masked values are covered.
pub fn run_events(
    found: &FoundRun<'_, '_>,
    forever: Option<&Forever>,
    plan: &Plan<'_>,
    ended: &Ended<'_>,
    masker: &Masker,
) -> Vec<RunEvent> {
    let (record, max_value_len) = (&ended.record, MAX_EVENT_VALUE);
    let words = EventWords { plan, record, masker, max_value_len, is_for_page: false };
    let Some(forever) = forever else {
        let (why, outcome) = (ended.failure().map(|failure| words.failure(&failure.message)), ended.outcome().word());
        let mut events = events(&words);
        events.push(RunEvent::ended(ended.elapsed, outcome, ended_words(outcome, ended.elapsed, why.as_deref())));
        return events;
    };
    let closes = found.closes.unwrap_or_else(|| found.walk.run.clock.now());
    let mut events = events_until(&words, Some(closes));
    let at = closes.since_start();
    if found.closes.is_some() {
        let activity = found.walk.place();
        let name = activity.and_then(|id| plan.activity(id)?.name.value()).unwrap_or("the same state");
        let text = format!("back to {}", words.for_page().mask(name));
        events.push(RunEvent::new(at, activity, RunEventKind::Back, text));
    }
    events.push(RunEvent::ended(at, forever.ending.word(), forever_words(found, forever, masker)));
    events
}

/// Why a run never ends.
fn forever_words(found: &FoundRun<'_, '_>, forever: &Forever, masker: &Masker) -> String {
    if forever.ending == Ending::Endless {
        return "never ends, whatever anybody does".to_owned();
    }
    let people = pending(&found.walk).into_iter().map(|(_, who, _)| masker.apply(&who).into_owned());
    let mut people: Vec<String> = people.collect::<BTreeSet<_>>().into_iter().collect();
    if let [only] = people.as_slice() {
        return format!("waits forever: {only} never acts");
    }
    if people.len() > MAX_PEOPLE {
        let more = format!("{} more", people.len() - MAX_PEOPLE);
        people.splice(MAX_PEOPLE.., [more]);
    }
    match &forever.repeated {
        _ if !people.is_empty() => format!("waits forever: {} never act", list(&people, "and")),
        Some(call) => format!("waits forever: {} keeps returning the same", quote(&masker.apply(&call.at))),
        None => "waits forever".to_owned(),
    }
}
