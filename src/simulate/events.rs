//! What happened in a run, as events in words for people.

use jiff::SignedDuration;
use serde::Serialize;

use super::clock::{Instant, show_duration};
use super::trace::{Event, Record, Repeat, TraceEntry, times};
use super::words::EventWords;
use crate::common::collections::HashMap;
use crate::model::ActivityId;
use crate::redaction::Redactions;
use crate::text::truncate;

/// Characters of a value in a text, short enough to read it at a glance.
pub const MAX_EVENT_VALUE: usize = 120;
/// Characters of the value itself.
const MAX_VALUE: usize = 500;

/// Something that happened in a run. Masked values are covered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RunEvent {
    /// Milliseconds since the order was submitted.
    pub at: i64,
    /// `None` before the first activity, and for what happens meanwhile.
    pub activity: Option<ActivityId>,
    pub kind: RunEventKind,
    /// In words.
    pub text: String,
    /// The variable that got a value.
    pub variable: Option<String>,
    /// The value of the variable, the text that was published, or the outcome.
    pub value: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEventKind {
    /// A variable got a value from the form or the scenario.
    Filled,
    /// A variable got a value.
    Set,
    /// A condition was evaluated.
    Condition,
    Called,
    /// A call failed.
    Failed,
    Published,
    Mailed,
    /// Something happened to a signing case.
    Case,
    /// People were asked for an approval.
    Asked,
    Answered,
    /// An approval was decided.
    Decided,
    TimedOut,
    Terminated,
    /// An activity was left out.
    Skipped,
    Warned,
    /// Rounds of a loop that are like the one before.
    Repeated,
    /// The cycle of a run that never ends closes.
    Back,
    /// The last event of every run.
    Ended,
}

impl RunEvent {
    pub fn new(at: SignedDuration, activity: Option<ActivityId>, kind: RunEventKind, text: String) -> Self {
        Self { at: milliseconds(at), activity, kind, text, variable: None, value: None }
    }

    /// The last event of a run; `outcome` is its word.
    pub fn ended(elapsed: SignedDuration, outcome: &str, text: String) -> Self {
        Self { value: Some(outcome.to_owned()), ..Self::new(elapsed, None, RunEventKind::Ended, text) }
    }

    /// Covers the sensitive values of documents.
    pub fn redact(&mut self, redactions: &Redactions) {
        redactions.redact_text(&mut self.text);
        self.value.iter_mut().for_each(|value| redactions.redact_text(value));
    }
}

/// How a run ended, and why: "completed after 5m".
pub fn ended_words(outcome: &str, elapsed: SignedDuration, why: Option<&str>) -> String {
    let after = format!("{outcome} after {}", show_duration(elapsed));
    why.map_or_else(|| after.clone(), |why| format!("{after}: {why}"))
}

/// Whole milliseconds of a duration.
pub fn milliseconds(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// The events of a run without the last, which says how it ended.
pub fn events(words: &EventWords<'_>) -> Vec<RunEvent> {
    events_until(words, None)
}

/// The events of a run up to the instant at which a cycle closes that it never leaves.
pub fn events_until(words: &EventWords<'_>, closes: Option<Instant>) -> Vec<RunEvent> {
    let record = words.record;
    let (mut events, mut warnings) = (Vec::new(), Warnings::of(record));
    let mut repeats = record.repeats.iter().peekable();
    for (index, entry) in (1..).zip(&record.entries) {
        if closes.is_some_and(|closes| entry.at > closes) {
            break;
        }
        // The number of a run that is cut would include what comes after it.
        let number = warnings.take(entry).map(|number| if closes.is_some() { 1 } else { number });
        events.extend(number.and_then(|number| event_of(words, entry, number)));
        if let Some(repeat) = repeats.next_if(|repeat| repeat.entries.end == index) {
            let again = times(repeat.period, repeat.times);
            let ends = entry.at.after(again);
            if closes.is_some_and(|closes| ends > closes || again.is_zero()) {
                break;
            }
            let loop_activity = record.entries.get(repeat.entries.start).and_then(|first| first.activity);
            let text = words.for_page().repeat(repeat);
            events.push(RunEvent::new(ends.since_start(), loop_activity, RunEventKind::Repeated, text));
        }
    }
    events
}

fn event_of<'r>(words: &EventWords<'r>, entry: &TraceEntry<'r>, number: u64) -> Option<RunEvent> {
    let (kind, variable, value) = match &entry.event {
        Event::Ran => return None,
        Event::Filled(slot, value) => (RunEventKind::Filled, Some(*slot), Some(words.value(*slot, value))),
        Event::Set(slot, value) => (RunEventKind::Set, Some(*slot), Some(words.value(*slot, value))),
        Event::Published(index) => (RunEventKind::Published, None, Some(words.mask(words.record.status(*index)))),
        Event::Evaluated { .. } => (RunEventKind::Condition, None, None),
        Event::Called(index) => {
            let failed = words.record.calls.get(*index).is_some_and(|call| call.error.is_some());
            (if failed { RunEventKind::Failed } else { RunEventKind::Called }, None, None)
        }
        Event::Mailed(_) => (RunEventKind::Mailed, None, None),
        Event::Case(_) => (RunEventKind::Case, None, None),
        Event::Asked(_) => (RunEventKind::Asked, None, None),
        Event::Answered { .. } => (RunEventKind::Answered, None, None),
        Event::Decided(_) => (RunEventKind::Decided, None, None),
        Event::TimedOut { .. } => (RunEventKind::TimedOut, None, None),
        Event::Terminated => (RunEventKind::Terminated, None, None),
        Event::Skipped(_) => (RunEventKind::Skipped, None, None),
        Event::Lost(_) | Event::Unset(_) | Event::Warned(_) => (RunEventKind::Warned, None, None),
    };
    Some(RunEvent {
        variable: variable.map(|slot| words.mask(words.plan.names.name(slot)).into_owned()),
        value: value.map(|value| truncate(&value, MAX_VALUE).into_owned()),
        ..RunEvent::new(entry.at.since_start(), entry.activity, kind, words.for_page().brief(entry, number)?)
    })
}

/// Puts events that happen at once, and follow each other in a table, into one step: milliseconds since the step before,
/// the index of the first, and their number. Each event is given with milliseconds since the beginning, and its index.
pub fn steps(events: impl IntoIterator<Item = (i64, usize)>) -> Vec<(i64, usize, usize)> {
    let mut steps: Vec<(i64, usize, usize)> = Vec::new();
    let mut now = 0;
    for (at, event) in events {
        let wait = (at - now).max(0);
        now += wait;
        match steps.last_mut().filter(|(_, first, number)| wait == 0 && first + number == event) {
            Some((_, _, number)) => *number += 1,
            None => steps.push((wait, event, 1)),
        }
    }
    steps
}

/// The text of a status as [`RunEvent::value`] has it.
pub fn status_value(masked: &str) -> String {
    truncate(masked, MAX_VALUE).into_owned()
}

/// How often each warning occurs that was not shown yet.
pub struct Warnings<'t>(HashMap<(Option<ActivityId>, &'t str), u64>);

impl<'t> Warnings<'t> {
    pub fn of(record: &'t Record<'_>) -> Self {
        let mut warnings = HashMap::default();
        let repeated = record.repeats.iter().flat_map(|repeat: &Repeat| {
            let round = record.entries.get(repeat.entries.clone()).unwrap_or_default();
            round.iter().map(|entry| (entry, repeat.times))
        });
        for (entry, times) in record.entries.iter().map(|entry| (entry, 1)).chain(repeated) {
            if let Some(words) = warning(entry) {
                *warnings.entry((entry.activity, words)).or_default() += times;
            }
        }
        Self(warnings)
    }

    /// How often an event occurs that is shown next: 1 unless it is a warning, `None` for one that was shown.
    pub fn take(&mut self, entry: &'t TraceEntry<'_>) -> Option<u64> {
        match warning(entry) {
            Some(words) => self.0.remove(&(entry.activity, words)),
            None => Some(1),
        }
    }
}

fn warning<'t>(entry: &'t TraceEntry<'_>) -> Option<&'t str> {
    match &entry.event {
        Event::Lost(words) | Event::Warned(words) => Some(words),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn events_at_once_are_a_step_as_far_as_they_follow_each_other() {
        let events = [(0, 4), (0, 5), (0, 6), (0, 9), (300, 10), (300, 11), (300, 11), (200, 12)];
        assert_eq!(steps(events), [(0, 4, 3), (0, 9, 1), (300, 10, 2), (0, 11, 2)]);
        assert_eq!(steps([]), []);
    }
}
