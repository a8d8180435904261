//! One run of a scenario: its state, and what activities of all types do to it.

use std::sync::Arc;

use super::assumption::Assumption;
use super::clock::{Class, Clock, Instant, Moment};
use super::plan::Plan;
use super::providers::esign::Esign;
use super::stop::{Failure, Stop};
use super::trace::{Entry, Event, Mail, Record, Text};
use super::variables::{Slot, Values};
use super::{activity, submit};
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::quote;
use crate::document::NodeId;
use crate::model::{Activity, ActivityId, Binding, Literal, Member};
use crate::script::Sandbox;

/// Bytes of text that a run may make: values, published texts, errors. Past them it is stuck.
const MOST_TEXT: usize = 32 << 20;

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
    pub used: super::unused::Used,
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
    /// When it ended.
    pub elapsed: Instant,
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
        used: super::unused::Used::default(),
        generated: 0,
        current: None,
        loops: Vec::new(),
        planned: 0,
        text: 0,
        unset: HashSet::default(),
    };
    let stop = submit::fill(&mut run).and_then(|()| activity::run_all(&mut run)).err();
    run.record.unused = run.used.warnings(plan.scenario, stop.as_ref());
    Ended { record: run.record, values: run.values, stop, elapsed: run.clock.now(), steps: run.steps, calls: run.calls }
}

impl<'p> Run<'p, '_> {
    /// Notes that an activity begins.
    pub fn begin(&mut self, activity: &Activity<'p>) -> Result<(), Stop> {
        self.reach(activity);
        self.step()
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
        if self.steps >= self.plan.scenario.limits.steps {
            return Err(self.stuck(format!("more than {} steps", self.plan.scenario.limits.steps)));
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
            return Err(self.stuck(format!("more than {} MiB of text were written", MOST_TEXT >> 20)));
        }
        Ok(())
    }

    /// A run that cannot go on: by the loop that keeps it busy, else by the activity.
    pub fn stuck(&self, limit: String) -> Stop {
        // Of loops in loops the one with the most rounds is the one that does not end.
        let busiest = self.loops.iter().rev().max_by_key(|inner| inner.rounds);
        if let Some(busiest) = busiest
            && let Some(activity) = self.plan.activity(busiest.activity)
        {
            let condition = activity::describe_condition(self, activity);
            let message = format!(
                "{limit}: the loop {} ran {} times, and its condition stayed true: {condition}",
                self.plan.name(activity),
                busiest.rounds
            );
            return Stop::Stuck(Failure { message, location: Some(self.plan.at(activity.node)) });
        }
        let activity = self.current.and_then(|id| self.plan.activity(id));
        let message = match activity {
            Some(activity) => format!("{limit}, at {}", self.plan.name(activity)),
            None => limit,
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

/// Time.
impl Run<'_, '_> {
    /// Plans something; at one instant and of one class, what was planned first happens first.
    pub fn plan_timer(&mut self, at: Instant, class: Class, timer: Timer) {
        self.planned += 1;
        self.clock.plan(Moment { at, class, order: self.planned }, timer);
    }

    /// Plans what a person does, in the order of the scenario.
    pub fn plan_person(&mut self, at: Instant, order: u64, timer: Timer) {
        self.clock.plan(Moment { at, class: Class::Person, order }, timer);
    }

    /// Lets everything happen that is due.
    pub fn catch_up(&mut self) -> Result<(), Stop> {
        let now = self.clock.now();
        self.wait_until(Moment { at: now, class: Class::Waiting, order: u64::MAX })
    }

    /// Lets everything happen that comes before a moment, then goes on to it.
    pub fn wait_until(&mut self, moment: Moment) -> Result<(), Stop> {
        let limit = self.plan.scenario.limits.virtual_time;
        let last = Moment { at: moment.at.min(limit), ..moment };
        // What people and the clock do is no activity's doing.
        let current = self.current.take();
        while let Some(timer) = self.clock.next_before(last) {
            self.happen(timer);
        }
        self.current = current;
        if moment.at > limit {
            self.clock.go_to(limit);
            return Err(self.stuck(format!("the virtual time passed the limit of {}", super::show_duration(limit))));
        }
        self.clock.go_to(moment.at);
        Ok(())
    }

    fn happen(&mut self, timer: Timer) {
        match timer {
            Timer::Sign(case, party, entry) => super::providers::esign::act(self, case, party, entry),
            Timer::RemindParty(case, party) => super::providers::esign::remind(self, case, party),
            Timer::Expire(case) => super::providers::esign::expire(self, case),
            Timer::RemindApprovers(approval) => activity::remind_approvers(self, approval),
        }
    }

    /// Sends a mail.
    pub fn send(&mut self, to: &Arc<str>, kind: super::scenario::MailKind, subject: &Arc<str>) {
        let mail = Mail { at: self.clock.now(), to: Arc::clone(to), kind, subject: Arc::clone(subject) };
        self.record.mails.push(mail);
        self.note(Event::Mailed(self.record.mails.len() - 1));
    }

    /// A new id, the same in every run.
    pub fn generate_id(&mut self) -> String {
        self.generated += 1;
        format!("00000000-0000-4000-8000-{:012x}", self.generated)
    }
}

/// Values.
impl<'p> Run<'p, '_> {
    /// The value of a variable by its name.
    pub fn value_of(&self, name: &str) -> Option<&Arc<str>> {
        self.values.get(self.plan.names.slot(name)?)
    }

    /// What a binding gives; `None` when it gives nothing, or its variable is not set.
    pub fn resolve(&self, binding: &Binding<'p>) -> Option<Text<'p>> {
        if let Some((_, name)) = binding.target() {
            return self.value_of(name).map(|value| Text::Made(Arc::clone(value)));
        }
        Some(match binding.literal()?.1 {
            Literal::Null => return None,
            Literal::Boolean(true) => Text::Document("true"),
            Literal::Boolean(false) => Text::Document("false"),
            Literal::Number(text) | Literal::Text(text) => Text::Document(text),
        })
    }

    /// What a member that is a binding gives.
    ///
    /// # Errors
    /// A member that cannot be read fails the activity.
    pub fn resolve_member(
        &self,
        activity: &Activity<'p>,
        name: &str,
        member: &Member<Binding<'p>>,
    ) -> Result<Option<Text<'p>>, Stop> {
        match member {
            Member::Absent => Ok(None),
            Member::Known(_, binding) if !binding.is_opaque() && !binding.value.is_unknown() => {
                Ok(self.resolve(binding))
            }
            Member::Known(..) | Member::Unknown(_) => Err(self.unreadable(activity, name)),
        }
    }

    /// Reads a member that is a binding, noting when the variable that it names has no value.
    ///
    /// # Errors
    /// A member that cannot be read fails the activity.
    pub fn read_member(
        &mut self,
        activity: &Activity<'p>,
        name: &str,
        member: &Member<Binding<'p>>,
    ) -> Result<Option<Text<'p>>, Stop> {
        let value = self.resolve_member(activity, name, member)?;
        if value.is_none()
            && let Some((_, variable)) = member.get().and_then(Binding::target)
        {
            self.note_unset(variable);
        }
        Ok(value)
    }

    /// Reads the variable of a name: `None` when there is none, `Some(None)` when it has no value,
    /// which is noted.
    pub fn read(&mut self, name: &'p str) -> Option<Option<Arc<str>>> {
        let slot = self.plan.names.slot(name)?;
        let value = self.values.get(slot).map(Arc::clone);
        if value.is_none() {
            self.note_unset(name);
        }
        Some(value)
    }

    /// Notes that a variable without a value is read; once for each variable.
    fn note_unset(&mut self, name: &'p str) {
        if self.unset.insert(name) {
            self.note(Event::Unset(name));
        }
    }

    /// Sets the variable of a name; a name that no variable has is noted as lost.
    pub fn write(&mut self, name: &str, value: Arc<str>) {
        match self.plan.names.slot(name) {
            Some(slot) => self.set(slot, value),
            None => self.note(Event::Lost(format!("{} is no variable; the value is lost", quote(name)).into())),
        }
    }

    /// Sets a variable.
    pub fn set(&mut self, slot: Slot, value: Arc<str>) {
        if self.plan.names.mask(slot).is_some() {
            self.assume(Assumption::Masked);
        }
        self.values.set(&self.plan.names, slot, Arc::clone(&value));
        self.note(Event::Set(slot, value));
    }

    /// Writes a boolean to the variable that a binding names, if it names one.
    pub fn write_result(&mut self, member: &Member<Binding<'p>>, value: bool, assumption: Assumption) {
        if let Some((_, name)) = member.get().and_then(Binding::target) {
            self.assume(assumption);
            self.write(name, Arc::from(if value { "true" } else { "false" }));
        }
    }
}
