//! One run of a scenario: its state, and what activities of all types do to it.

mod time;
mod values;

use std::sync::Arc;

use jiff::SignedDuration;

use crate::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::model::{Activity, ActivityId};
use crate::script::Sandbox;
use crate::simulate::assumption::Assumption;
use crate::simulate::clock::Clock;
use crate::simulate::plan::Plan;
use crate::simulate::providers::esign::Esign;
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::{Entry, Event, Record};
use crate::simulate::variables::Values;
use crate::simulate::{activity, submit};
use crate::text::count;

/// Bytes of text that a run may make: values, published texts, errors. Past them it is stuck.
const MOST_TEXT: usize = 32 << 20;

/// Lines of the trace, and mails, of a run. Past them it is stuck.
const MOST_EVENTS: usize = 500_000;

/// Something planned that happens without the activity that is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// A party of a case acts: case, party, and entry of `signing`.
    Sign(usize, usize, usize),
    /// A party of a case is reminded.
    RemindParty(usize, usize),
    /// A case's time is over.
    Expire(usize),
    /// The approvers who have not answered are reminded.
    RemindApprovers(usize),
}

/// A loop that is running.
#[derive(Debug, Clone, Copy)]
struct Loop {
    activity: ActivityId,
    rounds: u64,
}

/// People who were asked and have not answered; of an approval that is decided, none.
pub type Waiting = Vec<Arc<str>>;

/// The state of a run.
pub struct Run<'p, 's> {
    /// What is run.
    pub plan: &'p Plan<'p>,
    /// What happened.
    pub record: Record<'p>,
    /// The variables.
    pub values: Values,
    /// The clock.
    pub clock: Clock<Timer>,
    /// The signing cases.
    pub esign: Esign,
    /// By approval: who has been asked and has not answered.
    pub waiting: Vec<Waiting>,
    /// Where scripts run.
    pub sandbox: &'s mut Sandbox,
    /// Activities begun and conditions of loops evaluated.
    pub steps: u64,
    /// How often each method was called.
    pub calls: HashMap<&'p str, u64>,
    /// How often each Approval was run.
    pub approval_runs: HashMap<ActivityId, usize>,
    /// Which entries of the scenario had an effect.
    pub used: crate::simulate::unused::Used,
    /// Ids that were generated, and scripts that ran.
    pub generated: u64,
    current: Option<ActivityId>,
    loops: Vec<Loop>,
    planned: u64,
    text: usize,
    /// Variables that were read without a value.
    unset: HashSet<&'p str>,
}

/// A run that has ended.
pub struct Ended<'p> {
    /// What happened.
    pub record: Record<'p>,
    /// The values at the end.
    pub values: Values,
    /// Why it ended before its last activity, if it did.
    pub stop: Option<Stop>,
    /// Time on the virtual clock.
    pub elapsed: SignedDuration,
    /// Its steps.
    pub steps: u64,
    /// How often each method was called.
    pub calls: HashMap<&'p str, u64>,
}

/// Runs a plan to its end.
pub fn run<'p>(plan: &'p Plan<'p>, sandbox: &mut Sandbox) -> Ended<'p> {
    let mut run = Run {
        plan,
        record: Record { reached: vec![false; plan.workflow.activities.len()], ..Record::default() },
        values: Values::new(&plan.names),
        clock: Clock::new(),
        esign: Esign::default(),
        waiting: Vec::new(),
        sandbox,
        steps: 0,
        calls: HashMap::default(),
        approval_runs: HashMap::default(),
        used: crate::simulate::unused::Used::default(),
        generated: 0,
        current: None,
        loops: Vec::new(),
        planned: 0,
        text: 0,
        unset: HashSet::default(),
    };
    let stop = submit::fill(&mut run).and_then(|()| activity::run_all(&mut run)).err();
    run.record.unused = run.used.warnings(plan.scenario);
    Ended {
        record: run.record,
        values: run.values,
        stop,
        elapsed: run.clock.now().since_start(),
        steps: run.steps,
        calls: run.calls,
    }
}

impl<'p> Run<'p, '_> {
    /// Notes that an activity begins.
    pub fn begin(&mut self, activity: &Activity<'p>) -> Result<(), Stop> {
        self.current = Some(activity.id);
        self.step()?;
        self.reach(activity);
        Ok(())
    }

    /// Notes that an activity is reached: an Event is when it fires, which is no step.
    pub fn reach(&mut self, activity: &Activity<'p>) {
        self.current = Some(activity.id);
        if let Some(reached) = self.record.reached.get_mut(activity.id.0 as usize) {
            *reached = true;
        }
    }

    /// Whose events follow; after its children an activity goes on.
    pub const fn resume(&mut self, activity: &Activity<'p>) {
        self.current = Some(activity.id);
    }

    /// One step more.
    pub fn step(&mut self) -> Result<(), Stop> {
        let limit = self.plan.scenario.limits.steps;
        if self.steps >= limit {
            return Err(self.stuck(&format!("the limit of {} is passed", count(limit, "step"))));
        }
        if self.record.entries.len() + self.record.mails.len() > MOST_EVENTS {
            return Err(self.stuck(&format!("the limit of {MOST_EVENTS} events is passed")));
        }
        self.steps += 1;
        Ok(())
    }

    /// Adds to the trace.
    pub fn note(&mut self, event: Event<'p>) {
        self.record.entries.push(Entry { at: self.clock.now(), activity: self.current, event });
    }

    /// Adds a warning to the trace.
    pub fn warn(&mut self, message: impl Into<Arc<str>>) {
        self.note(Event::Warned(message.into()));
    }

    /// Notes what is relied on.
    pub fn assume(&mut self, assumption: Assumption) {
        self.record.assumptions.insert(assumption);
    }

    /// A failure of an activity.
    pub fn fail(&self, node: NodeId, message: impl Into<String>) -> Stop {
        Stop::Failed(Failure { message: message.into(), location: Some(self.plan.at(node)) })
    }

    /// A member of an activity that the schema refuses.
    pub fn unreadable(&self, activity: &Activity<'p>, member: &str) -> Stop {
        let message =
            format!("{} cannot run: its `{member}` is missing or has the wrong type", self.plan.name(activity));
        self.fail(activity.node, message)
    }

    /// A text that the run has made; there is a limit to all of them.
    pub fn made(&mut self, text: impl Into<Arc<str>>) -> Result<Arc<str>, Stop> {
        let text = text.into();
        self.spend(text.len())?;
        Ok(text)
    }

    /// Room for a text of so many bytes.
    pub fn spend(&mut self, bytes: usize) -> Result<(), Stop> {
        self.text = self.text.saturating_add(bytes);
        if self.text > MOST_TEXT {
            return Err(self.stuck(&format!("the limit of {} MiB of text is passed", MOST_TEXT >> 20)));
        }
        Ok(())
    }

    /// A run that cannot go on: by the loop that keeps it busy, else by the activity.
    pub fn stuck(&self, limit: &str) -> Stop {
        // Of loops in loops the one with the most rounds is the one that does not end.
        let open = |inner: &&Loop| {
            let activity = self.plan.activity(inner.activity);
            inner.rounds > 0 && activity.is_some_and(|activity| activity::still_holds(self, activity))
        };
        let busiest = self.loops.iter().rev().filter(open).max_by_key(|inner| inner.rounds);
        if let Some(busiest) = busiest
            && let Some(activity) = self.plan.activity(busiest.activity)
        {
            let condition = activity::describe_condition(self, activity);
            let message = format!(
                "{limit}: after {} the condition of the loop {} stayed true: {condition}",
                count(busiest.rounds, "round"),
                self.plan.name(activity)
            );
            return Stop::Stuck(Failure { message, location: Some(self.plan.at(activity.node)) });
        }
        self.stuck_at(limit)
    }

    /// A run that cannot go on, by the activity that is running.
    pub fn stuck_at(&self, limit: &str) -> Stop {
        let activity = self.current.and_then(|id| self.plan.activity(id));
        let message = match activity {
            Some(activity) => format!("{limit}, at {}", self.plan.name(activity)),
            None => limit.to_owned(),
        };
        Stop::Stuck(Failure { message, location: activity.map(|activity| self.plan.at(activity.node)) })
    }

    /// Notes that a loop begins.
    pub fn enter_loop(&mut self, activity: &Activity<'p>) {
        self.loops.push(Loop { activity: activity.id, rounds: 0 });
    }

    /// Notes another round of the innermost loop.
    pub fn next_round(&mut self) {
        if let Some(inner) = self.loops.last_mut() {
            inner.rounds += 1;
        }
    }

    /// Notes that the innermost loop ends.
    pub fn leave_loop(&mut self) {
        self.loops.pop();
    }
}
