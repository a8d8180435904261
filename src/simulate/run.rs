//! The state of one run: what is under way, what has happened, and what is left of the limits. `activities` has the step
//! loop; here is what each step uses: the stack of frames, the record, the limits, ids and mails.

use std::collections::VecDeque;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use jiff::SignedDuration;

use super::clock::{Clock, Due, Instant, Priority};
use super::plan::Plan;
use super::plan::UsedEntries;
use super::program::While;
use super::providers::Cases;
use super::scenario::{MailKind, SigningAction};
use super::scripts::Scripts;
use super::trace::{Event, Mail, Record, RoundStart, TraceEntry};
use super::trace::{Failure, Stop};
use super::variables::Values;
use crate::common::collections::{HashMap, HashSet, IndexSet};
use crate::document::NodeId;
use crate::model::Assumption;
use crate::model::{Activity, ActivityId, Approval};

/// Bytes of strings that a run may build: values, published texts, errors. Past them it is stuck.
const MAX_TEXT: usize = 32 << 20;

/// Bytes of the filters that a run compares with entries of the directory, once for each entry. Past them it is stuck.
const MAX_FILTERED: u64 = 256 << 20;

/// Members and managers that the lookups of a run go through, each once more for each property that is returned. Past
/// them it is stuck.
const MAX_LOOKED_UP: usize = 4_000_000;

/// Lines of the trace, and mails, of a run. Past them it is stuck.
const MAX_EVENTS: usize = 200_000;

/// The start of every generated id.
pub const GENERATED_ID_PREFIX: &str = "00000000-0000-4000-8000-";
/// Hexadecimal digits after it.
pub const GENERATED_ID_DIGITS: usize = 12;

#[derive(Clone)]
pub struct Run<'p, 's> {
    pub plan: &'p Plan<'p>,
    /// What happened.
    pub record: Record<'p>,
    pub values: Values,
    pub clock: Clock<Timer>,
    pub cases: Cases,
    /// By approval, in the order in which they were asked; nobody once it is decided.
    pub waiting: Vec<Waiting>,
    /// Runs scripts.
    pub scripts: Scripts<'s>,
    /// Activities begun and conditions of loops evaluated.
    pub steps: u64,
    /// How often each method was called, by its number.
    pub calls: Vec<u64>,
    /// How often each Approval was run.
    pub approval_runs: HashMap<ActivityId, usize>,
    /// Entries of the scenario that had an effect.
    pub used: UsedEntries,
    /// Generated ids and scripts that ran; seeds what would be random.
    pub generated: u64,
    /// What is under way, from the outermost to the innermost.
    pub frames: Vec<Frame<'p>>,
    /// The activity to which events of the trace belong; `None` while timers happen.
    pub(super) current: Option<ActivityId>,
    /// From the outermost to the innermost.
    pub(super) loops: Vec<Loop>,
    /// Variables that were read without a value; each is noted once.
    pub(super) unset: HashSet<&'p str>,
    spent: Spent,
}

/// What a run has used up of its limits, besides steps and events.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    /// Bytes of strings built.
    text: usize,
    /// Bytes of filters compared with entries.
    filtered: u64,
    /// Members and managers that lookups went through.
    looked_up: usize,
}

/// Something that is under way, as data: a run can be copied, and continued from any point. The innermost one continues
/// first.
#[derive(Debug, Clone)]
pub enum Frame<'p> {
    /// A list of activities, in document order.
    Activities {
        ids: &'p [ActivityId],
        next: usize,
    },
    Loop(LoopFrame<'p>),
    Approval(Box<ApprovalFrame<'p>>),
    Events(EventsFrame<'p>),
    /// Time passes up to there.
    Wait(Due),
}

/// A While.
#[derive(Debug, Clone, Copy)]
pub struct LoopFrame<'p> {
    pub activity: &'p Activity<'p>,
    pub action: &'p While<'p>,
    /// Whether the condition holds and the delay is over, so that the children run next.
    pub has_waited: bool,
}

/// A loop that is running.
#[derive(Debug, Clone)]
pub(super) struct Loop {
    pub activity: ActivityId,
    pub rounds: u64,
    /// Where the round began that is under way.
    pub round: Option<RoundStart>,
    /// The round with which the next one is compared, and how long it took.
    pub base: Option<(RoundStart, SignedDuration)>,
}

#[derive(Debug, Clone)]
pub struct ApprovalFrame<'p> {
    pub activity: &'p Activity<'p>,
    pub approval: &'p Approval<'p>,
    /// The number of Approvals that asked before, which is its index in the list of those who are asked.
    pub index: usize,
    /// When the people were asked.
    pub asked: Instant,
    pub timeout: Option<Due>,
    /// The time from asking to the timeout.
    pub duration: Option<SignedDuration>,
    pub timeout_approves: bool,
    /// Those that are still to come, in the order in which they are due.
    pub answers: VecDeque<ApprovalAnswer>,
    pub next: ApprovalStep,
}

/// What comes next in an Approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalStep {
    Wait,
    Answer,
    Timeout,
    /// The children of the Events have run, and the Approval ends if it is decided.
    AfterEvents {
        is_decided: bool,
    },
}

#[derive(Debug, Clone)]
pub struct ApprovalAnswer {
    pub due: Due,
    pub who: Arc<str>,
    pub approves: bool,
}

/// The Events of one name in an Approval, of which each runs its children after an answer.
#[derive(Debug, Clone, Copy)]
pub struct EventsFrame<'p> {
    pub approval: &'p Activity<'p>,
    pub event: &'static str,
    /// The child of the Approval to look at next.
    pub next: usize,
}

/// Those who were asked for an approval and have not answered.
#[derive(Debug, Clone, Default)]
pub struct Waiting {
    /// All who were asked, in order.
    asked: Arc<IndexSet<Arc<str>>>,
    open: FixedBitSet,
}

impl Waiting {
    pub fn new(asked: &[Arc<str>]) -> Self {
        let asked: IndexSet<Arc<str>> = asked.iter().cloned().collect();
        let mut open = FixedBitSet::with_capacity(asked.len());
        open.insert_range(..);
        Self { asked: Arc::new(asked), open }
    }

    /// In the order in which they were asked.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<str>> {
        self.open.ones().filter_map(|index| self.asked.get_index(index))
    }

    pub fn len(&self) -> usize {
        self.open.count_ones(..)
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_clear()
    }

    /// Whether somebody had still to answer, who now has.
    pub fn remove(&mut self, who: &str) -> bool {
        let Some(index) = self.asked.get_index_of(who).filter(|index| self.open.contains(*index)) else { return false };
        self.open.remove(index);
        true
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// An event planned on the clock. It happens whatever activity is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// A party of a case signs or rejects.
    Sign {
        case: usize,
        party: usize,
        action: SigningAction,
    },
    RemindParty {
        case: usize,
        party: usize,
    },
    ExpireCase {
        case: usize,
    },
    RemindApprovers {
        approval: usize,
    },
}

impl<'p, 's> Run<'p, 's> {
    pub fn new(plan: &'p Plan<'p>, scripts: Scripts<'s>) -> Self {
        Self {
            plan,
            record: Record { times_begun: vec![0; plan.workflow.activities.len()], ..Record::default() },
            values: Values::new(&plan.names),
            clock: Clock::new(),
            cases: Cases::default(),
            waiting: Vec::new(),
            scripts,
            steps: 0,
            calls: vec![0; plan.program.methods().len()],
            approval_runs: HashMap::default(),
            used: UsedEntries::default(),
            generated: 0,
            frames: Vec::new(),
            current: None,
            loops: Vec::new(),
            unset: HashSet::default(),
            spent: Spent::default(),
        }
    }
}

// The stack.
impl<'p> Run<'p, '_> {
    pub fn push(&mut self, frame: Frame<'p>) {
        self.frames.push(frame);
    }

    pub fn pop(&mut self) -> Option<Frame<'p>> {
        self.frames.pop()
    }

    /// Takes the next activity of the innermost list, if that is what is under way and has one left.
    pub fn next_activity(&mut self) -> Option<ActivityId> {
        let Some(Frame::Activities { ids, next }) = self.frames.last_mut() else { return None };
        let id = ids.get(*next)?;
        *next += 1;
        Some(*id)
    }

    pub fn push_activities(&mut self, ids: &'p [ActivityId]) {
        self.push(Frame::Activities { ids, next: 0 });
    }

    /// Runs the children of an activity next.
    ///
    /// # Errors
    /// A list of children that cannot be read fails the activity.
    pub fn push_children(&mut self, activity: &'p Activity<'p>) -> Result<(), Stop> {
        if activity.children.is_unknown() {
            return Err(self.unreadable(activity, "activities"));
        }
        self.push_activities(activity.children());
        Ok(())
    }

    /// The activity that is under way.
    pub const fn current(&self) -> Option<ActivityId> {
        self.current
    }

    /// Makes an activity the current one again, after its children or a wait.
    pub const fn resume(&mut self, activity: &Activity<'p>) {
        self.current = Some(activity.id);
    }
}

/// The position of a run before a step, to return to if the step cannot be made yet.
pub struct Checkpoint {
    steps: u64,
    current: Option<ActivityId>,
    // The lengths of lists in the record.
    entries: usize,
    calls: usize,
    begun: usize,
    unset_reads: usize,
}

// What a search does with a run between steps.
impl Run<'_, '_> {
    pub const fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            steps: self.steps,
            current: self.current,
            entries: self.record.entries.len(),
            calls: self.record.calls.len(),
            begun: self.record.begun.len(),
            unset_reads: self.record.unset_reads.len(),
        }
    }

    /// Goes back to where the call of an activity was not yet made, whose result is [`Stop::Undecided`]. Up to there, a call
    /// only reads its parameters, and notes that it is made.
    pub fn go_back(&mut self, to: &Checkpoint, activity: ActivityId) {
        self.steps = to.steps;
        self.current = to.current;
        self.record.entries.truncate(to.entries);
        self.record.calls.truncate(to.calls);
        self.record.begun.truncate(to.begun);
        for read in self.record.unset_reads.drain(to.unset_reads..) {
            self.unset.remove(read.variable);
        }
        if let Some(call) = self.plan.program.call(activity)
            && let Some(count) = self.calls.get_mut(call.number)
        {
            *count -= 1;
        }
        if let Some(Frame::Activities { next, .. }) = self.frames.last_mut() {
            *next -= 1;
        }
    }

    /// Resets the used limits, as a search has its own. Returns the bytes of the strings that were built.
    pub fn forget_spent(&mut self) -> usize {
        // Each segment of a search records its reads. An empty set without memory is copied at no cost.
        self.unset = HashSet::default();
        self.scripts.refill();
        std::mem::take(&mut self.spent.text)
    }
}

// The record.
impl<'p> Run<'p, '_> {
    /// Begins an activity, which is a step.
    pub fn begin(&mut self, activity: &Activity<'p>) -> Result<(), Stop> {
        self.current = Some(activity.id);
        self.step()?;
        self.reach(activity);
        Ok(())
    }

    /// Counts that an activity begins. An Event begins when it fires, which is not a step.
    pub fn reach(&mut self, activity: &Activity<'p>) {
        self.current = Some(activity.id);
        if let Some(times) = self.record.times_begun.get_mut(activity.id.0 as usize) {
            *times = times.saturating_add(1);
        }
        if self.record.is_segment {
            self.record.begun.push(activity.id);
        }
    }

    pub fn note(&mut self, event: Event<'p>) {
        self.record.entries.push(TraceEntry { at: self.clock.now(), activity: self.current, event });
    }

    pub fn warn(&mut self, message: impl Into<Arc<str>>) {
        self.note(Event::Warned(message.into()));
    }

    pub fn assume(&mut self, assumption: Assumption) {
        self.record.assumptions.insert(assumption);
    }

    /// Counts a call of a method, and returns its number among those calls.
    pub fn count_call(&mut self, method: usize) -> u64 {
        let Some(count) = self.calls.get_mut(method) else { return 0 };
        *count += 1;
        *count
    }

    /// How often a method was called.
    pub fn calls_of(&self, method: &str) -> u64 {
        self.plan.program.method(method).and_then(|number| self.calls.get(number)).copied().unwrap_or_default()
    }

    pub fn fail(&self, node: NodeId, message: impl Into<String>) -> Stop {
        Stop::Failed(Failure { message: message.into(), location: Some(self.plan.at(node)) })
    }

    /// A failure of an activity because of a key that the schema rejects.
    pub fn unreadable(&self, activity: &Activity<'p>, key: &str) -> Stop {
        let message = format!("missing or invalid `{key}` in {}", self.plan.name(activity));
        self.fail(activity.node, message)
    }

    pub fn send(&mut self, to: &Arc<str>, kind: MailKind, subject: &Arc<str>) {
        let mail = Mail { at: self.clock.now(), to: Arc::clone(to), kind, subject: Arc::clone(subject) };
        self.record.mails.push(mail);
        self.note(Event::Mailed(self.record.mails.len() - 1));
    }

    /// A new id. The sequence of ids is the same in every run.
    pub fn generate_id(&mut self) -> String {
        self.generated += 1;
        format!("{GENERATED_ID_PREFIX}{:0GENERATED_ID_DIGITS$x}", self.generated)
    }

    /// Plans a timer; of those with one instant and priority, the one planned first happens first.
    pub fn plan_timer(&mut self, after: SignedDuration, priority: Priority, timer: Timer) {
        self.clock.plan_next(self.clock.now().after(after), priority, timer);
    }
}

// The limits.
impl Run<'_, '_> {
    /// Counts a step.
    ///
    /// # Errors
    /// The run is stuck when a limit is exceeded.
    pub fn step(&mut self) -> Result<(), Stop> {
        let limit = self.plan.scenario.limits.steps;
        if self.steps >= limit {
            return Err(self.stuck(&format!("exceeded the limit of {}", crate::text::count(limit, "step"))));
        }
        self.check_events()?;
        self.steps += 1;
        Ok(())
    }

    /// # Errors
    /// The run is stuck when more has happened than the limit allows.
    pub fn check_events(&self) -> Result<(), Stop> {
        let Record { entries, statuses, mails, .. } = &self.record;
        if entries.len().max(statuses.len()) + mails.len() > MAX_EVENTS {
            return Err(self.stuck(&format!("exceeded the limit of {MAX_EVENTS} events")));
        }
        Ok(())
    }

    /// Counts bytes of strings against the limit, before they are built.
    ///
    /// # Errors
    /// The run is stuck when the limit is exceeded.
    pub fn spend(&mut self, bytes: usize) -> Result<(), Stop> {
        self.spent.text = self.spent.text.saturating_add(bytes);
        if self.spent.text > MAX_TEXT {
            return Err(self.stuck(&format!("exceeded the limit of {} MiB of text", MAX_TEXT >> 20)));
        }
        Ok(())
    }

    /// Keeps a string that the run built, and counts its bytes.
    ///
    /// # Errors
    /// The run is stuck when the limit is exceeded.
    pub fn built(&mut self, text: impl Into<Arc<str>>) -> Result<Arc<str>, Stop> {
        let text = text.into();
        self.spend(text.len())?;
        Ok(text)
    }

    /// Counts a filter that is compared with entries; returns whether the limit allows it.
    pub const fn may_filter(&mut self, bytes: usize, entries: usize) -> bool {
        self.spent.filtered = self.spent.filtered.saturating_add(bytes as u64 * entries as u64);
        self.spent.filtered <= MAX_FILTERED
    }

    /// Counts entries that a lookup goes through; returns whether the limit allows it.
    pub const fn may_look_up(&mut self, entries: usize) -> bool {
        self.spent.looked_up = self.spent.looked_up.saturating_add(entries);
        self.spent.looked_up <= MAX_LOOKED_UP
    }

    /// # Errors
    /// The run is stuck when lookups were to go through more than the limits allow.
    pub fn check_lookups(&self) -> Result<(), Stop> {
        if self.spent.filtered > MAX_FILTERED {
            let limit = MAX_FILTERED >> 20;
            return Err(self.stuck(&format!("exceeded the limit of {limit} MiB of LDAP filters, times entries")));
        }
        if self.spent.looked_up > MAX_LOOKED_UP {
            return Err(self.stuck(&format!("exceeded the limit of {MAX_LOOKED_UP} entries of lookups")));
        }
        Ok(())
    }
}
