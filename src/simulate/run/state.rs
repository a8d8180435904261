//! The state of a run, its steps and its limits.

use std::cell::RefCell;
use std::sync::Arc;

use super::frame::Frame;
use super::scripts::ScriptBudget;
use super::search::Search;
use super::waiting::Waiting;
use jiff::SignedDuration;

use crate::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::model::{Activity, ActivityId};
use crate::script::Sandbox;
use crate::simulate::assumption::Assumption;
use crate::simulate::clock::Clock;
use crate::simulate::plan::Plan;
use crate::simulate::providers::esign::Cases;
use crate::simulate::scenario::SigningAction;
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::{Event, Record, RoundStart, TraceEntry};
use crate::simulate::unused::UsedEntries;
use crate::simulate::variables::Values;
use crate::text::count;

/// Bytes of strings that a run may build: values, published texts, errors. Past them it is stuck.
pub(super) const MAX_TEXT: usize = 32 << 20;

/// Bytes of the filters that a run compares with entries of the directory, once for each entry. Past them it is stuck.
const MAX_FILTERED: u64 = 256 << 20;

/// Members and managers that the lookups of a run go through, each once more for each property that is returned. Past
/// them it is stuck.
const MAX_LOOKED_UP: usize = 4_000_000;

/// Lines of the trace, and mails, of a run. Past them it is stuck.
const MAX_EVENTS: usize = 200_000;

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
    /// The cases that asked each entry of `signing`, in the order in which they did.
    pub asked: HashMap<usize, Vec<usize>>,
    /// The decisions of a search; `None` when a scenario says what happens.
    pub search: Option<Search>,
    /// Runs scripts. Copies of a run share it.
    pub sandbox: &'s RefCell<Sandbox>,
    /// Activities begun and conditions of loops evaluated.
    pub steps: u64,
    /// The remaining budget of the scripts of the run.
    pub scripts: ScriptBudget,
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
    /// Timers planned so far, which orders those of one instant.
    pub(super) planned: u64,
    /// Bytes of strings built so far.
    pub(super) text: usize,
    /// Bytes of filters compared with entries so far.
    filtered: u64,
    /// Members and managers that lookups went through so far, likewise.
    looked_up: usize,
    /// Variables that were read without a value; each is noted once.
    pub(super) unset: HashSet<&'p str>,
}

impl<'p, 's> Run<'p, 's> {
    pub fn new(plan: &'p Plan<'p>, sandbox: &'s RefCell<Sandbox>) -> Self {
        Self {
            plan,
            record: Record { times_begun: vec![0; plan.workflow.activities.len()], ..Record::default() },
            values: Values::new(&plan.names),
            clock: Clock::new(),
            cases: Cases::default(),
            waiting: Vec::new(),
            asked: HashMap::default(),
            search: None,
            sandbox,
            steps: 0,
            scripts: ScriptBudget::new(plan.scenario.limits.all_scripts_time()),
            calls: vec![0; plan.program.methods().len()],
            approval_runs: HashMap::default(),
            used: UsedEntries::default(),
            generated: 0,
            frames: Vec::new(),
            current: None,
            loops: Vec::new(),
            planned: 0,
            text: 0,
            filtered: 0,
            looked_up: 0,
            unset: HashSet::default(),
        }
    }
}

impl<'p> Run<'p, '_> {
    /// Begins an activity, which is a step.
    ///
    /// # Errors
    /// As [`Self::step`].
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
        if self.search.is_some() {
            self.record.begun.push(activity.id);
        }
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

    /// Makes an activity the current one again, after its children or a wait.
    pub const fn resume(&mut self, activity: &Activity<'p>) {
        self.current = Some(activity.id);
    }

    /// Counts a step.
    ///
    /// # Errors
    /// The run is stuck when a limit is exceeded.
    pub fn step(&mut self) -> Result<(), Stop> {
        let limit = self.plan.scenario.limits.steps;
        if self.steps >= limit && self.search.is_none() {
            return Err(self.stuck(&format!("exceeded the limit of {}", count(limit, "step"))));
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

    pub fn note(&mut self, event: Event<'p>) {
        self.record.entries.push(TraceEntry { at: self.clock.now(), activity: self.current, event });
    }

    pub fn warn(&mut self, message: impl Into<Arc<str>>) {
        self.note(Event::Warned(message.into()));
    }

    pub fn assume(&mut self, assumption: Assumption) {
        self.record.assumptions.insert(assumption);
    }

    pub fn fail(&self, node: NodeId, message: impl Into<String>) -> Stop {
        Stop::Failed(Failure { message: message.into(), location: Some(self.plan.at(node)) })
    }

    /// A failure of an activity because of a key that the schema rejects.
    pub fn unreadable(&self, activity: &Activity<'p>, key: &str) -> Stop {
        let message = format!("missing or invalid `{key}` in {}", self.plan.name(activity));
        self.fail(activity.node, message)
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
    pub fn may_filter(&mut self, bytes: usize, entries: usize) -> bool {
        self.filtered = self.filtered.saturating_add(bytes as u64 * entries as u64);
        self.filtered <= MAX_FILTERED
    }

    /// Counts entries that a lookup goes through; returns whether the limit allows it.
    pub fn may_look_up(&mut self, entries: usize) -> bool {
        self.looked_up = self.looked_up.saturating_add(entries);
        self.looked_up <= MAX_LOOKED_UP
    }

    /// # Errors
    /// The run is stuck when lookups were to go through more than the limits allow.
    pub fn check_lookups(&self) -> Result<(), Stop> {
        if self.filtered > MAX_FILTERED {
            let limit = MAX_FILTERED >> 20;
            return Err(self.stuck(&format!("exceeded the limit of {limit} MiB of LDAP filters, times entries")));
        }
        if self.looked_up > MAX_LOOKED_UP {
            return Err(self.stuck(&format!("exceeded the limit of {MAX_LOOKED_UP} entries of lookups")));
        }
        Ok(())
    }

    /// Counts bytes of strings against the limit, before they are built.
    ///
    /// # Errors
    /// The run is stuck when the limit is exceeded.
    pub fn spend(&mut self, bytes: usize) -> Result<(), Stop> {
        self.text = self.text.saturating_add(bytes);
        if self.text > MAX_TEXT {
            return Err(self.stuck(&format!("exceeded the limit of {} MiB of text", MAX_TEXT >> 20)));
        }
        Ok(())
    }
}
