//! Finds the laws that the orders of a service break.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::ends::Ending;
use super::explored::{BrokenLaw, NamedPlace, Reached, TimelineLine};
use super::laws::{Fault, MetFault, Verdict};
use super::order::Order;
use super::replay::{self, Replayer};
use super::run_events::{Forever, run_events};
use super::search::{Explorer, FoundEnd, FoundRun, Observation, Observers, judge};
use super::timeline::{finish, timeline};
use crate::common::collections::HashSet;
use crate::common::outcomes::OutcomeKind;
use crate::config::{BuiltInLaw, Law};
use crate::model::ActivityKind;
use crate::simulate::{Ended, Plan, RunEvent, Stop};
use crate::text::diagnostic::Location;

/// Maximum number of faults of a workflow that are listed; the others are counted.
const MAX_FAULTS: usize = 1000;

/// A law that some run of a service breaks.
pub struct Broken {
    pub law: String,
    pub run: BrokenLaw,
    /// The name of the activity at fault.
    pub activity: Option<String>,
}

/// Faults at one place that are only counted.
pub struct Unlisted {
    pub law: &'static str,
    pub pointer: String,
    /// The name of the activity at fault.
    pub activity: Option<String>,
    pub number: usize,
}

/// The laws that are broken.
#[derive(Default)]
pub struct Breaks {
    pub listed: Vec<Broken>,
    pub unlisted: Vec<Unlisted>,
}

/// A run that shows a break.
struct Shown {
    scenario: Value,
    timeline: Arc<[TimelineLine]>,
    events: Vec<RunEvent>,
}

/// A run that shows faults, which give its scenarios their names.
struct Unnamed {
    replayed: replay::Unnamed,
    timeline: Arc<[TimelineLine]>,
    events: Vec<RunEvent>,
}

/// The laws for a service.
pub struct Laws<'l> {
    pub built_in: &'l [BuiltInLaw],
    pub own: &'l [Law],
}

/// Finds the laws that are broken.
pub struct LawJudge<'j, 'o> {
    pub replayer: &'j Replayer<'j, 'o>,
    pub plan: &'j Plan<'j>,
    pub laws: Laws<'j>,
    pub observers: Observers<'j>,
}

impl LawJudge<'_, '_> {
    /// All broken laws, each with a run that proves it.
    ///
    /// # Errors
    /// A run does not show the same when it is replayed.
    pub fn breaks(
        &self,
        explorer: &mut Explorer<'_, '_, '_>,
        ends: &[FoundEnd<'_, '_>],
        reached: Option<&Reached>,
    ) -> Result<Breaks, String> {
        let mut all = Breaks::default();
        for law in self.laws.built_in {
            match law {
                BuiltInLaw::Ends => self.endless(ends, &mut all.listed)?,
                BuiltInLaw::NoFault => self.faults(explorer, &mut all)?,
                BuiltInLaw::Reached => self.unreached(reached, &mut all.listed),
            }
        }
        for (index, law) in self.laws.own.iter().enumerate() {
            self.own(index, law, ends, &mut all.listed)?;
        }
        Ok(all)
    }

    fn endless(&self, ends: &[FoundEnd<'_, '_>], all: &mut Vec<Broken>) -> Result<(), String> {
        let mut known = BTreeSet::new();
        for end in ends.iter().filter(|end| end.end.ending == Ending::Endless && end.assumed.is_none()) {
            if !known.insert(&end.end) {
                continue;
            }
            let place = end.end.activity.and_then(|id| self.replayer.place(id));
            let activity = end.end.activity.and_then(|id| self.plan.activity(id));
            let is_loop = activity.is_some_and(|activity| matches!(activity.kind, ActivityKind::While { .. }));
            let subject = match &place {
                Some(place) if is_loop => format!("`{}` never ends", place.name),
                Some(place) => format!("order never ends from `{}` on", place.name),
                None => "order never ends".to_owned(),
            };
            let message = format!("{subject}, whatever anybody does");
            let location = place.as_ref().map_or_else(|| self.root(), |place| place.location.clone());
            let shown = self.shown(end)?;
            let activity = place.map(|place| place.name);
            all.push(self.broken(BuiltInLaw::Ends.name(), location, message, activity, shown));
        }
        Ok(())
    }

    fn faults(&self, explorer: &mut Explorer<'_, '_, '_>, all: &mut Breaks) -> Result<(), String> {
        let Some(faults) = self.observers.faults else { return Ok(()) };
        let mut found: Vec<(usize, Broken)> = Vec::new();
        for numbers in explorer.observed.faults_met_together() {
            let run = if found.len() < MAX_FAULTS {
                let first = numbers.first().map(|first| Observation::Fault(*first));
                first.and_then(|first| explorer.run_with(&first))
            } else {
                None
            };
            let shown = run.map(|run| self.shown_unnamed(&run)).transpose()?;
            for number in numbers {
                let Some(met) = explorer.observed.faults.get_index(number) else { continue };
                let max = if shown.is_some() { MAX_FAULTS - found.len() } else { 0 };
                let (listed, mut more) = faults.list(met, max);
                for fault in listed {
                    match &shown {
                        Some(unnamed) => found.push((number, self.fault(fault, unnamed))),
                        None => more += 1,
                    }
                }
                all.unlisted.extend(self.unlisted(met, more));
            }
        }
        found.sort_by_key(|(number, _)| *number);
        all.listed.extend(found.into_iter().map(|(_, broken)| broken));
        Ok(())
    }

    fn shown_unnamed(&self, run: &FoundRun<'_, '_>) -> Result<Unnamed, String> {
        let (replayed, (lines, events)) = self.replayer.replay_unnamed(run, |plan, ended| {
            let is_forever = run.stop.is_none() && ended.outcome() == OutcomeKind::Stuck;
            let forever = is_forever.then_some(Forever { ending: Ending::Waits, repeated: None });
            let events = self
                .replayer
                .wants_events
                .then(|| run_events(run, forever.as_ref(), plan, ended, &self.replayer.masker(ended)));
            Ok((self.timeline(plan, ended), events.unwrap_or_default()))
        })?;
        let lines = finish(self.plan, run, run.stop.is_none() && replayed.is_stuck(), lines);
        Ok(Unnamed { replayed, timeline: lines.into(), events })
    }

    fn fault(&self, fault: Fault, unnamed: &Unnamed) -> Broken {
        let scenario = unnamed.replayed.scenario(&fault.message);
        let shown = Shown { scenario, timeline: Arc::clone(&unnamed.timeline), events: unnamed.events.clone() };
        let activity = fault.activity.map(|id| self.replayer.order.name(Some(id)));
        self.broken(BuiltInLaw::NoFault.name(), fault.location, fault.message, activity, shown)
    }

    fn unlisted(&self, met: &MetFault<'_>, number: usize) -> Option<Unlisted> {
        let (activity, node) = match met {
            MetFault::Begins(id) => (Some(*id), self.plan.activity(*id)?.node),
            MetFault::Reads(read) => (read.activity, read.node),
        };
        (number > 0).then(|| Unlisted {
            law: BuiltInLaw::NoFault.name(),
            pointer: self.plan.document.pointer(node),
            activity: activity.map(|id| self.replayer.order.name(Some(id))),
            number,
        })
    }

    fn unreached(&self, reached: Option<&Reached>, all: &mut Vec<Broken>) {
        let Some(reached) = reached else { return };
        let is_excused = |place: &NamedPlace| reached.excused.contains(&place.location.pointer);
        let faulty = reached.unreached.iter().filter(|place| !is_excused(place));
        let activities = faulty.map(|place| (place, format!("no run takes `{}`", place.name)));
        let unreached: HashSet<&str> = reached.unreached.iter().map(|place| place.location.pointer.as_str()).collect();
        let branches = reached.unreached_branches.iter();
        let branches = branches.filter(|branch| !branch.is_sampled && !is_excused(&branch.activity)).map(|branch| {
            let name = &branch.activity.name;
            (&branch.activity, format!("condition of `{name}` is never {}", branch.branch))
        });
        let sampled = reached.unreached_branches.iter().filter(|branch| branch.is_sampled && branch.branch);
        let sampled: HashSet<&str> = sampled.map(|branch| branch.activity.location.pointer.as_str()).collect();
        for (place, message) in activities.chain(branches) {
            let pointer = place.location.pointer.as_str();
            // Activities inside an If or While that is never entered are not listed; the condition is.
            if is_inside(pointer, &unreached) || is_inside(pointer, &sampled) {
                continue;
            }
            let broken = BrokenLaw {
                workflow: self.order().workflow.file,
                location: place.location.clone(),
                message,
                scenario: None,
                timeline: Arc::default(),
                events: Vec::new(),
                accepted: None,
            };
            let law = BuiltInLaw::Reached.name().to_owned();
            all.push(Broken { law, run: broken, activity: Some(place.name.clone()) });
        }
    }

    /// One run for each activity at fault.
    fn own(&self, index: usize, law: &Law, ends: &[FoundEnd<'_, '_>], all: &mut Vec<Broken>) -> Result<(), String> {
        let mut known = BTreeSet::new();
        for end in ends.iter().filter(|end| end.assumed.is_none() && end.judged.broken.contains(&index)) {
            let failure = match &end.run.stop {
                Some(Stop::Failed(failure)) => Some(failure.message.as_str()),
                _ => None,
            };
            let verdicts = judge(self.observers, &end.run.walk, end.end.ending.outcome(), failure);
            let breach = |verdict: Verdict| verdict.breach.filter(|_| verdict.law == index);
            let Some(breach) = verdicts.into_iter().find_map(breach) else { continue };
            let at = breach.activity.or(end.end.activity);
            if !known.insert(at) {
                continue;
            }
            let place = at.and_then(|id| self.replayer.place(id));
            let location = place.as_ref().map_or_else(|| self.root(), |place| place.location.clone());
            let shown = self.shown(end)?;
            let activity = place.map(|place| place.name);
            all.push(self.broken(&law.name.value, location, breach.message, activity, shown));
        }
        Ok(())
    }

    /// The run to an end.
    fn shown(&self, end: &FoundEnd<'_, '_>) -> Result<Shown, String> {
        let (replayed, (lines, events)) = self.replayer.replay_end(end, |plan, ended| {
            (self.timeline(plan, ended), self.replayer.events_of_end(end, plan, ended))
        })?;
        let is_cycle = end.run.stop.is_none() && replayed.is_stuck;
        let lines = finish(self.plan, &end.run, is_cycle, lines);
        Ok(Shown { scenario: replayed.scenario, timeline: lines.into(), events })
    }

    fn timeline(&self, plan: &Plan<'_>, ended: &Ended<'_>) -> Vec<TimelineLine> {
        timeline(plan, ended, &self.replayer.masker(ended))
    }

    fn broken(
        &self,
        law: &str,
        location: Location,
        message: String,
        activity: Option<String>,
        Shown { scenario, timeline, events }: Shown,
    ) -> Broken {
        let (workflow, scenario) = (self.order().workflow.file, Some(scenario));
        let broken = BrokenLaw { workflow, location, message, scenario, timeline, events, accepted: None };
        Broken { law: law.to_owned(), run: broken, activity }
    }

    fn order(&self) -> &Order<'_> {
        self.replayer.order
    }

    /// The workflow as a whole.
    fn root(&self) -> Location {
        let document = self.order().workflow.document;
        let node = document.root();
        Location { file: self.order().workflow.file, pointer: document.pointer(node), span: document.anchor(node) }
    }
}

/// Whether a pointer is below one of these.
fn is_inside(pointer: &str, around: &HashSet<&str>) -> bool {
    !around.is_empty() && pointer.match_indices('/').any(|(end, _)| around.contains(pointer.get(..end).unwrap_or("")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_below_an_activity_is_inside() {
        let around = HashSet::from_iter(["/activities/1", "/activities/20/activities/0"]);
        let inside = ["/activities/1/activities/0", "/activities/20/activities/0/activities/3/activities/4"];
        let outside = ["/activities/1", "/activities/10", "/activities/10/activities/1", "/activities/20", ""];
        assert!(inside.iter().all(|pointer| is_inside(pointer, &around)));
        assert!(!outside.iter().any(|pointer| is_inside(pointer, &around)));
        assert!(!is_inside("/activities/1/activities/0", &HashSet::default()));
    }
}
