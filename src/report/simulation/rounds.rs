//! Finds repetitions in a trace: iterations of loops in which nothing changed, and equal warnings.

use std::ops::Range;
use std::sync::Arc;

use crate::collections::HashMap;
use crate::model::{ActivityId, ActivityKind};
use crate::simulate::{Event, Plan, Record, Slot, TraceEntry};

/// A round of a loop in which nothing changed.
pub(super) struct UnchangedRound {
    /// From the evaluation of the loop's condition up to the next one.
    pub entries: Range<usize>,
    pub activity: ActivityId,
}

/// The activity and the words of a warning.
type Warning<'t> = (Option<ActivityId>, &'t str);

/// A round that has not ended.
struct OpenRound {
    activity: ActivityId,
    start: usize,
    changes: bool,
}

pub(super) struct Repetitions<'t> {
    record: &'t Record<'t>,
    /// In the order of the trace; none lies inside another.
    pub rounds: Vec<UnchangedRound>,
    warnings: HashMap<Warning<'t>, u64>,
    open: Vec<OpenRound>,
    /// The values that variables were last seen to have; of outputs that all methods have, by the activity that
    /// wrote them, since several calls in one round give several values.
    values: HashMap<(Slot, Option<ActivityId>), &'t Arc<str>>,
    /// The result and the sides of conditions when they were last seen.
    evaluated: HashMap<ActivityId, (bool, [&'t str; 2])>,
}

impl<'t> Repetitions<'t> {
    pub fn of(plan: &Plan<'_>, record: &'t Record<'_>) -> Self {
        let entries = &record.entries;
        let mut repetitions = Self {
            record,
            rounds: Vec::new(),
            warnings: HashMap::default(),
            open: Vec::new(),
            values: HashMap::default(),
            evaluated: HashMap::default(),
        };
        for (index, entry) in entries.iter().enumerate() {
            repetitions.add(plan, index, entry);
        }
        repetitions.close(0, entries.len());
        for repeat in &record.repeats {
            for entry in entries.get(repeat.entries.clone()).unwrap_or_default() {
                if let Some(count) = warning(entry).and_then(|key| repetitions.warnings.get_mut(&key)) {
                    *count += repeat.times;
                }
            }
        }
        repetitions
    }

    /// The number of times a warning occurs; `None` for other entries.
    pub fn count(&self, entry: &TraceEntry<'_>) -> Option<u64> {
        self.warnings.get(&warning(entry)?).copied()
    }

    fn add(&mut self, plan: &Plan<'_>, index: usize, entry: &'t TraceEntry<'_>) {
        let begun = match (&entry.event, entry.activity) {
            (Event::Evaluated { holds, .. }, Some(id)) if is_loop(plan, id) => {
                if let Some(at) = self.open.iter().position(|round| round.activity == id) {
                    self.close(at, index);
                }
                holds.then_some(id)
            }
            _ => None,
        };
        if let Some(activity) = begun {
            self.open.push(OpenRound { activity, start: index, changes: false });
        } else if self.changes(plan, entry) {
            for round in &mut self.open {
                round.changes = true;
            }
        }
    }

    /// Ends the rounds from a depth on, and keeps the outermost that changed nothing.
    fn close(&mut self, depth: usize, end: usize) {
        let outermost = self.open.drain(depth..).find(|round| !round.changes);
        let Some(OpenRound { activity, start, .. }) = outermost else { return };
        while self.rounds.pop_if(|inner| inner.entries.start >= start).is_some() {}
        self.rounds.push(UnchangedRound { entries: start..end, activity });
    }

    /// Whether an entry is a change, rather than what was seen before.
    fn changes(&mut self, plan: &Plan<'_>, entry: &'t TraceEntry<'_>) -> bool {
        match &entry.event {
            Event::Evaluated { sides, holds } => {
                let now = (*holds, self.record.sides(*sides));
                entry.activity.is_none_or(|id| self.evaluated.insert(id, now) != Some(now))
            }
            Event::Set(slot, value) => {
                let is_common = plan.config.catalog.is_common_output(plan.names.name(*slot));
                let writer = entry.activity.filter(|_| is_common);
                self.values.insert((*slot, writer), value) != Some(value)
            }
            Event::Filled(slot, value) => {
                self.values.insert((*slot, None), value);
                true
            }
            Event::Called(_) | Event::Ran => false,
            Event::Lost(_) | Event::Warned(_) => {
                let count = warning(entry).map(|key| self.warnings.entry(key).or_insert(0));
                count.is_some_and(|count| {
                    *count += 1;
                    *count == 1
                })
            }
            _ => true,
        }
    }
}

fn warning<'t>(entry: &'t TraceEntry<'_>) -> Option<Warning<'t>> {
    match &entry.event {
        Event::Lost(words) | Event::Warned(words) => Some((entry.activity, words)),
        _ => None,
    }
}

pub(super) fn is_loop(plan: &Plan<'_>, id: ActivityId) -> bool {
    plan.activity(id).is_some_and(|activity| matches!(activity.kind, ActivityKind::While { .. }))
}
