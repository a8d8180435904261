//! The common limit of all scripts of a run.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use jiff::SignedDuration;

use crate::collections::HashMap;
use crate::script::{Answer, FailureKind, Job, JsonVariable, Sandbox, SandboxError, ScriptFailure, polls_of};
use crate::simulate::clock::{as_seconds, show_duration};

/// A script costs time before its first step: this number of starts counts as one poll of the engine.
const STARTS_PER_POLL: u32 = 32;

/// Processor time in multiples of the limit. A script that keeps the engine busy without steps uses it
/// up; any other uses up its steps long before.
const TIME_LIMITS: u32 = 2;

/// Counted in steps of the engine, so that how a run ends does not depend on the machine.
#[derive(Clone)]
pub struct ScriptBudget {
    limit: SignedDuration,
    /// Polls of the engine that are left.
    polls: u32,
    /// Processor time that is left.
    time: Duration,
    starts: u32,
}

/// The variables of a script, with their values.
type Variables = Vec<(String, String)>;

/// The answers of scripts that read neither the clock nor random numbers, by script and variables.
#[derive(Default)]
pub struct ScriptCache {
    answers: RefCell<HashMap<(String, Variables), Answer>>,
    bytes: Cell<usize>,
}

impl ScriptCache {
    /// The bytes of the scripts, variables and answers.
    pub const fn bytes(&self) -> usize {
        self.bytes.get()
    }

    fn insert(&self, script: String, variables: Variables, answer: Answer) {
        let read = variables.iter().map(|(name, value)| name.len() + value.len() + VARIABLE_BYTES).sum::<usize>();
        let bytes = script.len() + read + of_answer(&answer) + VARIABLE_BYTES;
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        self.answers.borrow_mut().insert((script, variables), answer);
    }
}

fn of_answer(answer: &Answer) -> usize {
    match answer {
        Answer::Done { json: JsonVariable::Text(text) | JsonVariable::Other(text) } => text.len(),
        Answer::Done { json: JsonVariable::Unset } => 0,
        Answer::Failed(failure) => failure.message.len(),
    }
}

/// A variable of a script, or an answer, without its strings.
const VARIABLE_BYTES: usize = 48;

/// Names through which a script can read something else than its variables.
const IMPURE: [&str; 3] = ["Date", "random", "Temporal"];

/// Whether a script may read the clock or random numbers.
pub fn is_impure(script: &str) -> bool {
    IMPURE.iter().any(|name| script.contains(name))
}

/// Why a script has no result.
pub enum ScriptError {
    /// The budget is used up; the limit in words.
    Budget(String),
    Sandbox(SandboxError),
}

impl ScriptBudget {
    pub fn new(limit: SignedDuration) -> Self {
        let time = limit.unsigned_abs().saturating_mul(TIME_LIMITS);
        Self { limit, polls: polls_of(as_seconds(limit)), time, starts: 0 }
    }

    /// Runs a script with what is left.
    pub fn run(&mut self, sandbox: &mut Sandbox, job: Job) -> Result<Answer, ScriptError> {
        if self.is_spent() {
            return Err(self.exceeded());
        }
        let reply = sandbox.run_counted(&Job { max_polls: Some(self.polls), ..job }).map_err(ScriptError::Sandbox)?;
        self.starts += 1;
        self.polls = self.polls.saturating_sub(reply.polls + u32::from(self.starts.is_multiple_of(STARTS_PER_POLL)));
        self.time = self.time.saturating_sub(reply.took);
        match reply.answer {
            Answer::Failed(ScriptFailure { kind: FailureKind::TimeLimit, .. }) if self.is_spent() => {
                Err(self.exceeded())
            }
            answer => Ok(answer),
        }
    }

    /// As [`Self::run`], and remembers the answer.
    pub fn run_once(&mut self, cache: &ScriptCache, sandbox: &mut Sandbox, job: Job) -> Result<Answer, ScriptError> {
        if is_impure(&job.script) {
            return self.run(sandbox, job);
        }
        let key = (job.script.clone(), job.variables.clone());
        if let Some(known) = cache.answers.borrow().get(&key) {
            return Ok(known.clone());
        }
        let answer = self.run(sandbox, job)?;
        cache.insert(key.0, key.1, answer.clone());
        Ok(answer)
    }

    /// Restores the whole budget.
    pub fn refill(&mut self) {
        *self = Self::new(self.limit);
    }

    fn is_spent(&self) -> bool {
        self.polls == 0 || self.time.is_zero()
    }

    fn exceeded(&self) -> ScriptError {
        ScriptError::Budget(format!("exceeded the limit of {} for all scripts", show_duration(self.limit)))
    }
}
