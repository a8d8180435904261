//! Finds the branches that a run took, in its record.

use std::collections::BTreeMap;

use super::branch::Branch;
use crate::collections::HashMap;
use crate::model::{ActivityId, ActivityKind, Workflow};
use crate::simulate::scenario::Decision;
use crate::simulate::trace::{Event, Record};

/// The loops that are under way, with the rounds that began since each was reached: 0, 1, or 2 for several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopVisits(BTreeMap<ActivityId, u8>);

impl LoopVisits {
    /// Passes each branch that a part of a run took to `add`, with how often it took it. A While takes its branch when its
    /// condition does not hold.
    pub fn advance(
        &mut self,
        workflow: &Workflow<'_>,
        record: &Record<'_>,
        add: &mut dyn FnMut(ActivityId, Branch, u64),
    ) {
        let mut repeats = record.repeats.iter().peekable();
        for (index, entry) in record.entries.iter().enumerate() {
            while repeats.next_if(|repeat| repeat.entries.end <= index).is_some() {}
            let repeat = repeats.peek().filter(|repeat| repeat.entries.contains(&index));
            let times = repeat.map_or(1, |repeat| repeat.times.saturating_add(1));
            let Some(id) = entry.activity else { continue };
            match &entry.event {
                Event::Evaluated { holds, .. } => match workflow.activity(id).map(|activity| &activity.kind) {
                    Some(ActivityKind::While { .. }) if *holds => {
                        let is_own = repeat.is_some_and(|repeat| repeat.entries.start == index);
                        self.begin_rounds(id, if is_own { 2 } else { 1 });
                    }
                    Some(ActivityKind::While { .. }) => {
                        let rounds = self.0.remove(&id).unwrap_or_default();
                        add(id, Branch::of_rounds(rounds.into()), times);
                    }
                    _ => add(id, Branch::of_condition(*holds), times),
                },
                Event::Called(call) => {
                    let failed = record.calls.get(*call).is_some_and(|call| call.error.is_some());
                    add(id, if failed { Branch::Failed } else { Branch::Succeeded }, times);
                }
                _ => {}
            }
        }
        for (id, decision) in &record.approvals {
            add(*id, of_decision(*decision), 1);
        }
    }

    fn begin_rounds(&mut self, id: ActivityId, number: u8) {
        let rounds = self.0.entry(id).or_default();
        *rounds = (*rounds + number).min(2);
    }

    /// Adds the branches of the loops in which the run ended.
    pub fn end(self, add: &mut dyn FnMut(ActivityId, Branch, u64)) {
        for (id, rounds) in self.0 {
            add(id, Branch::of_rounds(rounds.into()), 1);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (ActivityId, u8)> {
        self.0.iter().map(|(id, rounds)| (*id, *rounds))
    }
}

const fn of_decision(decision: Decision) -> Branch {
    match decision {
        Decision::Approved => Branch::Approved,
        Decision::Rejected => Branch::Rejected,
        Decision::TimedOut => Branch::TimedOut,
    }
}

/// The branches that a run took, each with its number.
pub fn taken(workflow: &Workflow<'_>, record: &Record<'_>) -> BTreeMap<(ActivityId, Branch), u64> {
    let mut taken: HashMap<(ActivityId, Branch), u64> = HashMap::default();
    let mut add = |id, branch, times| {
        let number = taken.entry((id, branch)).or_default();
        *number = number.saturating_add(times);
    };
    let mut visits = LoopVisits::default();
    visits.advance(workflow, record, &mut add);
    visits.end(&mut add);
    taken.into_iter().collect()
}
