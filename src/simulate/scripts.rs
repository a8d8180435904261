//! The scripts of a run: the sandboxes in which they run, and their common limit.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::SignedDuration;

use super::clock::{as_seconds, show_duration};
use crate::common::collections::HashMap;
use crate::script::{Answer, FailureKind, Job, Memo, Sandbox, SandboxError, ScriptFailure, polls_of};

/// A script costs time before its first step: this number of starts counts as one poll of the engine.
const STARTS_PER_POLL: u32 = 32;

/// Processor time in multiples of the limit. A script that keeps the engine busy without steps uses it
/// up; any other uses up its steps long before.
const TIME_LIMITS: u32 = 2;

/// Sandboxes of several threads, to be used again, since each has a process to start; never more than there are threads.
pub struct Sandboxes {
    program: PathBuf,
    memo: Option<Arc<Memo>>,
    idle: Mutex<Vec<Sandbox>>,
}

impl Sandboxes {
    /// `program` is this program's executable, which is started again to run scripts.
    pub fn new(program: &Path) -> Self {
        Self { program: program.to_path_buf(), memo: None, idle: Mutex::default() }
    }

    /// As [`Self::new`]; a script runs once with the same input.
    pub fn with_memo(program: &Path) -> Self {
        Self { memo: Some(Arc::default()), ..Self::new(program) }
    }

    /// Lends a sandbox that no other thread uses.
    pub fn lend<R>(&self, job: impl FnOnce(&RefCell<Sandbox>) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let lent = idle().pop();
        let sandbox = RefCell::new(lent.unwrap_or_else(|| self.sandbox()));
        let result = job(&sandbox);
        idle().push(sandbox.into_inner());
        result
    }

    fn sandbox(&self) -> Sandbox {
        let program = self.program.clone();
        match &self.memo {
            Some(memo) => Sandbox::with_memo(program, Arc::clone(memo)),
            None => Sandbox::new(program),
        }
    }
}

/// Runs the scripts of a run, within what is left of their common limit. It is counted in steps of the engine, so that how
/// a run ends does not depend on the machine.
#[derive(Clone)]
pub struct Scripts<'s> {
    sandbox: &'s RefCell<Sandbox>,
    limit: SignedDuration,
    /// Polls of the engine that are left.
    polls: u32,
    /// Processor time that is left.
    time: Duration,
    starts: u32,
    /// Answers of earlier runs of a search.
    known: Option<Rc<KnownAnswers>>,
}

/// The answers of scripts that read neither the clock nor random numbers, by script and variables.
type KnownAnswers = RefCell<HashMap<(String, Vec<(String, String)>), Answer>>;

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

impl<'s> Scripts<'s> {
    pub fn new(sandbox: &'s RefCell<Sandbox>, limit: SignedDuration) -> Self {
        let time = limit.unsigned_abs().saturating_mul(TIME_LIMITS);
        Self { sandbox, limit, polls: polls_of(as_seconds(limit)), time, starts: 0, known: None }
    }

    /// Lets a script run once with the same variables, in all copies.
    #[must_use]
    pub fn remembering(self) -> Self {
        Self { known: Some(Rc::default()), ..self }
    }

    /// Restores the whole budget.
    pub fn refill(&mut self) {
        *self = Self { known: self.known.take(), ..Self::new(self.sandbox, self.limit) };
    }

    pub fn run(&mut self, job: Job) -> Result<Answer, ScriptError> {
        let Some(known) = self.known.clone().filter(|_| !is_impure(&job.script)) else { return self.run_now(job) };
        let key = (job.script.clone(), job.variables.clone());
        if let Some(answer) = known.borrow().get(&key) {
            return Ok(answer.clone());
        }
        let answer = self.run_now(job)?;
        known.borrow_mut().insert(key, answer.clone());
        Ok(answer)
    }

    fn run_now(&mut self, job: Job) -> Result<Answer, ScriptError> {
        if self.is_spent() {
            return Err(self.exceeded());
        }
        let job = Job { max_polls: Some(self.polls), ..job };
        let reply = self.sandbox.borrow_mut().run_counted(&job).map_err(ScriptError::Sandbox)?;
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

    const fn is_spent(&self) -> bool {
        self.polls == 0 || self.time.is_zero()
    }

    fn exceeded(&self) -> ScriptError {
        ScriptError::Budget(format!("exceeded the limit of {} for all scripts", show_duration(self.limit)))
    }
}
