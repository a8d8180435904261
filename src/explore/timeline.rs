//! The run that breaks a law, as the lines of what changed.

use std::sync::Arc;

use super::explored::TimelineLine;
use super::search::{Choice, FoundRun, SIMULATED_FAILURE, SearchDecision, Step};
use crate::common::collections::{HashMap, HashSet};
use crate::common::outcomes::Decision;
use crate::redaction::Masker;
use crate::simulate::{CaseEvent, Ended, Event, Plan, SigningAction, Slot, show_duration};
use crate::text::truncate;

/// Lines of a run that are kept; those after them repeat the same.
const MAX_LINES: usize = 200;
/// Characters of a value.
const MAX_VALUE: usize = 60;

/// The changes in a run. Repeated lines are left out. Values are masked before they are cut: half of one would not be
/// found.
pub fn timeline(plan: &Plan<'_>, ended: &Ended<'_>, masker: &Masker) -> Vec<TimelineLine> {
    let shown = |value: &str| shown(&masker.apply(value));
    let mut values: HashMap<Slot, Arc<str>> = HashMap::default();
    let mut seen = HashSet::default();
    let mut lines = Vec::new();
    for entry in &ended.record.entries {
        let activity = entry.activity.and_then(|id| plan.activity(id)?.name.value()).map(str::to_owned);
        let Some(text) = words(plan, ended, &entry.event, &mut values, &shown) else { continue };
        if lines.len() >= MAX_LINES || !seen.insert((activity.clone(), text.clone())) {
            continue;
        }
        lines.push(TimelineLine { at: entry.at.since_start(), activity, text, is_deciding: false });
    }
    lines
}

fn words(
    plan: &Plan<'_>,
    ended: &Ended<'_>,
    event: &Event<'_>,
    values: &mut HashMap<Slot, Arc<str>>,
    shown: &dyn Fn(&str) -> String,
) -> Option<String> {
    Some(match event {
        Event::Set(slot, value) => {
            let name = plan.names.name(*slot);
            let is_known = values.insert(*slot, Arc::clone(value)).is_some_and(|known| known == *value);
            if is_known || plan.config.catalog.is_common_output(name) {
                return None;
            }
            format!("{name} = {}", shown(value))
        }
        Event::Published(index) => format!("status: {}", shown(ended.record.status(*index))),
        Event::Called(index) => {
            let error = ended.record.calls.get(*index)?.error.as_deref()?;
            format!("fails: {}", shown(error))
        }
        Event::Unset(name) => format!("reads {name}, which is unset"),
        Event::Case(event) => match &**event {
            CaseEvent::Signed(who) => format!("{who} signs"),
            CaseEvent::Rejected(who) => format!("{who} rejects"),
            CaseEvent::Expired => "the case expires".to_owned(),
            CaseEvent::Created(_) | CaseEvent::Finished => return None,
        },
        Event::Asked(people) => format!("asks {}", shown(people)),
        Event::Answered { who, approves } => format!("{who} {}", if *approves { "approves" } else { "rejects" }),
        Event::Decided(Decision::Approved) => "approved".to_owned(),
        Event::Decided(_) => "rejected".to_owned(),
        Event::TimedOut { after, .. } => format!("no decision within {}", show_duration(*after)),
        Event::Terminated => "terminated".to_owned(),
        Event::Skipped(type_name) => format!("{}: not simulated", shown(type_name)),
        Event::Filled(..)
        | Event::Evaluated { .. }
        | Event::Lost(_)
        | Event::Ran
        | Event::Mailed(_)
        | Event::Warned(_) => return None,
    })
}

fn shown(value: &str) -> String {
    if value.is_empty() { "(empty)".to_owned() } else { truncate(value, MAX_VALUE).into_owned() }
}

/// Marks the decisive choice, which is the last one, and closes a cycle.
pub fn finish(
    plan: &Plan<'_>,
    run: &FoundRun<'_, '_>,
    is_cycle: bool,
    mut lines: Vec<TimelineLine>,
) -> Vec<TimelineLine> {
    let choices = run.path.iter().filter_map(|step| match step {
        Step::Choice(choice) => Some(&**choice),
        Step::Jump(_) => None,
    });
    let words: Vec<String> = choices.filter_map(choice_words).collect();
    let deciding = words.last();
    if let Some(line) = lines.iter_mut().rev().find(|line| Some(&line.text) == deciding) {
        line.is_deciding = true;
    }
    if is_cycle {
        let name = run.walk.place().and_then(|id| plan.activity(id)?.name.value()).unwrap_or("the same state");
        let at = run.walk.run.clock.now().since_start();
        lines.retain(|line| line.at <= at);
        let text = format!("back to {name}");
        lines.push(TimelineLine { at, activity: None, text, is_deciding: deciding.is_none() });
    }
    lines
}

/// A choice in the words of its line.
fn choice_words(choice: &Choice) -> Option<String> {
    Some(match &choice.decision {
        SearchDecision::Signs { mail, action: SigningAction::Sign, .. } => format!("{mail} signs"),
        SearchDecision::Signs { mail, action: SigningAction::Reject, .. } => format!("{mail} rejects"),
        SearchDecision::Answers { who, approves, .. } => {
            format!("{who} {}", if *approves { "approves" } else { "rejects" })
        }
        SearchDecision::Fails { .. } => format!("fails: {SIMULATED_FAILURE}"),
        SearchDecision::Field { .. } | SearchDecision::Returns { .. } => return None,
    })
}
