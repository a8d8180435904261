//! The side of the parent: when children are started, kept and replaced, and the replies that are kept.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::child::ChildProcess;
use super::confinement::Confinement;
use super::frame::START_TIMEOUT;
use super::guest::GuestJob;
use super::job::{Answer, FailureKind, Job, Reply, ScriptFailure};
use super::top_level::Prepared;
use crate::common::cancellation::Cancellation;
use crate::common::collections::HashMap;
use crate::common::limits::{MAX_SCRIPT_BYTES, MAX_VARIABLE_BYTES};

/// Runs scripts in a child process, which is started with the first script, kept for the following
/// ones, and replaced when it had to be killed. The child ends with the sandbox.
pub struct Sandbox {
    program: PathBuf,
    child: Option<ChildProcess>,
    confinement: Option<Confinement>,
    /// The script of the last job, which is often run again with other values.
    prepared: Option<Prepared>,
    memo: Option<Arc<Memo>>,
    /// Why no child could be started at last.
    start_failure: Option<String>,
    /// Ends a script that runs.
    pub cancellation: Cancellation,
}

/// Why a script could not be run at all.
#[derive(Debug)]
pub enum SandboxError {
    /// The program could not be started.
    Start(io::Error),
    /// It was started, but is not a worker, or was not ready in time.
    NotReady,
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => write!(f, "cannot start the script process: {error}"),
            Self::NotReady => write!(f, "script process was not ready within {} s", START_TIMEOUT.as_secs()),
        }
    }
}

impl std::error::Error for SandboxError {}

impl Sandbox {
    /// `program` is this program, which turns into a [`worker`](super::worker()) when its only argument
    /// is [`WORKER_ARGUMENT`](super::WORKER_ARGUMENT).
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            child: None,
            confinement: None,
            prepared: None,
            memo: None,
            start_failure: None,
            cancellation: Cancellation::default(),
        }
    }

    /// As [`Self::new`], with replies that it shares with others: each script runs once with the same input.
    pub fn with_memo(program: PathBuf, memo: Arc<Memo>) -> Self {
        Self { memo: Some(memo), ..Self::new(program) }
    }

    /// Runs a script. Takes hardly longer than its time limit.
    ///
    /// # Errors
    /// When no process can be started for it. What a script does is never an error.
    pub fn run(&mut self, job: &Job) -> Result<Answer, SandboxError> {
        Ok(self.run_counted(job)?.answer)
    }

    /// As [`Self::run`], with the polls that the script took. A script that had to be killed took all
    /// that it might.
    pub fn run_counted(&mut self, job: &Job) -> Result<Reply, SandboxError> {
        if let Some(failure) = oversized(job) {
            return Ok(Reply::not_run(failure, Duration::ZERO));
        }
        let key = self.memo.as_ref().and_then(|_| Key::of(job));
        let known = self.memo.as_ref().zip(key.as_ref()).and_then(|(memo, key)| memo.reply(key, job));
        if let Some(reply) = known {
            return Ok(reply);
        }
        let reply = self.run_prepared(job)?;
        if let (Some(memo), Some(key)) = (&self.memo, key) {
            memo.keep(key, job, &reply);
        }
        Ok(reply)
    }

    fn run_prepared(&mut self, job: &Job) -> Result<Reply, SandboxError> {
        let prepared = match self.prepared.take().filter(|prepared| prepared.script == job.script) {
            Some(prepared) => prepared,
            None => match Prepared::new(&job.script) {
                Ok(prepared) => prepared,
                Err(failure) => return Ok(Reply::not_run(failure, Duration::ZERO)),
            },
        };
        let mut reply = match prepared.changed_text() {
            None => self.run_as_is(job)?,
            Some(text) => self.run_as_is(&Job { script: text.to_owned(), ..job.clone() })?,
        };
        if let Answer::Failed(failure) = reply.answer {
            reply.answer = Answer::Failed(prepared.restore(failure));
        }
        self.prepared = Some(prepared);
        Ok(reply)
    }

    fn run_as_is(&mut self, job: &Job) -> Result<Reply, SandboxError> {
        let child = self.take_ready_child();
        self.start_failure = child.as_ref().err().map(ToString::to_string);
        let mut child = child?;
        Ok(match child.run(job, &self.cancellation) {
            Ok(reply) => {
                self.child = Some(child);
                reply
            }
            Err(failure) => {
                let took = Duration::from_secs_f64(job.time_limit());
                Reply { polls: job.poll_budget(), reads_clock_or_random: true, ..Reply::not_run(failure, took) }
            }
        })
    }

    /// Runs a job of the guest. The inner error is of a job that did not end by itself; nothing is known of it then.
    ///
    /// # Errors
    /// When no process can be started for it.
    pub fn run_guest(&mut self, job: GuestJob<'_>) -> Result<Result<Vec<u8>, ScriptFailure>, SandboxError> {
        let child = self.take_ready_child();
        self.start_failure = child.as_ref().err().map(ToString::to_string);
        let mut child = child?;
        let answer = child.run_guest(job, &self.cancellation);
        if answer.is_ok() {
            self.child = Some(child);
        }
        Ok(answer)
    }

    /// Why the last script could not be run, if no child could be started for it.
    pub fn start_failure(&self) -> Option<&str> {
        self.start_failure.as_deref()
    }

    /// The process id of the child, if there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.child.as_ref().map(ChildProcess::id)
    }

    /// How the child is confined, once one was started.
    pub const fn confinement(&self) -> Option<Confinement> {
        self.confinement
    }

    fn take_ready_child(&mut self) -> Result<ChildProcess, SandboxError> {
        // A kept child may have crashed while it dropped the engine of the last script.
        if let Some(mut child) = self.child.take()
            && child.ready().is_some()
        {
            return Ok(child);
        }
        let mut child = ChildProcess::start(&self.program).map_err(SandboxError::Start)?;
        self.confinement = child.ready();
        if self.confinement.is_some() { Ok(child) } else { Err(SandboxError::NotReady) }
    }
}

/// The failure of a job whose input exceeds a limit.
fn oversized(job: &Job) -> Option<ScriptFailure> {
    let variable_bytes: usize = job.variables.iter().map(|(name, value)| name.len() + value.len()).sum();
    let message = if job.script.len() > MAX_SCRIPT_BYTES {
        format!("script is longer than {} MiB", MAX_SCRIPT_BYTES >> 20)
    } else if variable_bytes > MAX_VARIABLE_BYTES {
        format!("variables of the script are longer than {} MiB", MAX_VARIABLE_BYTES >> 20)
    } else {
        return None;
    };
    Some(ScriptFailure::new(FailureKind::InputTooLarge, message))
}

/// Bytes of jobs and replies that are kept. Later ones are not.
const MAX_MEMO_BYTES: usize = 64 << 20;

/// The replies of scripts that ran, for sandboxes on several threads.
#[derive(Debug, Default)]
pub struct Memo {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    replies: HashMap<String, Reply>,
    bytes: usize,
}

/// A job without its budget of polls.
struct Key {
    /// At any time.
    timeless: String,
    /// With its time and its seed.
    exact: String,
}

impl Key {
    pub fn of(job: &Job) -> Option<Self> {
        let exact = Job { max_polls: None, ..job.clone() };
        let timeless = Job { now_ms: 0, seed: 0, ..exact.clone() };
        // Another key than that of a job at time 0.
        let timeless = format!("timeless {}", serde_json::to_string(&timeless).ok()?);
        Some(Self { timeless, exact: serde_json::to_string(&exact).ok()? })
    }
}

impl Memo {
    /// The reply to a job, if it is known and took less polls than the job may take.
    fn reply(&self, key: &Key, job: &Job) -> Option<Reply> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = kept.replies.get(&key.timeless).or_else(|| kept.replies.get(&key.exact))?;
        (reply.polls < job.poll_budget()).then(|| reply.clone())
    }

    /// Keeps a reply, unless a limit of the job was a part of it.
    fn keep(&self, key: Key, job: &Job, reply: &Reply) {
        let is_cut_off = match &reply.answer {
            Answer::Failed(ScriptFailure { kind: FailureKind::TimeLimit | FailureKind::Killed, .. }) => true,
            Answer::Done { .. } | Answer::Failed(_) => reply.polls >= job.poll_budget(),
        };
        if is_cut_off {
            return;
        }
        let key = if reply.reads_clock_or_random { key.exact } else { key.timeless };
        let bytes = key.len() + serde_json::to_string(reply).map_or(MAX_MEMO_BYTES, |text| text.len());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + bytes <= MAX_MEMO_BYTES {
            kept.bytes += bytes;
            kept.replies.insert(key, reply.clone());
        }
    }
}
