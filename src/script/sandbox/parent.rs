//! The side of the parent: when children are started, kept and replaced, their pipes, and the replies that are kept.

use std::fmt;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::confinement::Confinement;
use super::frame::{INTERVAL, START_TIMEOUT, TOTAL_LIMITS, WORKER_ARGUMENT, read_frame, ready_frame, write_frame};
use super::guest::GuestJob;
use super::job::{Answer, FailureKind, Job, Reply, ScriptFailure};
use super::top_level::Prepared;
use super::watch::TIMEOUT_EXIT;
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
        let is_known = child.guest_base.replace(job.base_key) == Some(job.base_key);
        let (limit, parts) = (job.limit, job.parts);
        let answer = child.exchange(job.into_frames(is_known), limit, parts, &self.cancellation);
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

/// The environment variables that the child inherits: what the loader may need to start a program.
const INHERITED: [&str; 3] = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"];

/// Set for the child. A program that runs command lines by the library, but takes no [`WORKER_ARGUMENT`], would start itself
/// again and again otherwise.
const IS_CHILD: &str = "WFLINT_SCRIPT_WORKER";

/// The environment variable of a process that runs no scripts, whatever it does.
pub const NO_SCRIPTS: &str = "WFLINT_NO_SCRIPTS";

/// Killed and reaped when dropped.
struct ChildProcess {
    child: Child,
    pipes: Pipes,
    /// The key of the base that its guest has.
    guest_base: Option<u64>,
}

/// The pipes of a child. Threads write and read, so that a child that does neither holds nobody up; they end when the child
/// does, because its end closes the pipes.
struct Pipes {
    jobs: Sender<Vec<u8>>,
    frames: Receiver<Vec<u8>>,
}

impl Pipes {
    fn new(mut stdin: ChildStdin, stdout: ChildStdout) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Vec<u8>>();
        let (sender, frames) = mpsc::sync_channel(1);
        let write = move || while queue.recv().is_ok_and(|job| write_frame(&mut stdin, &job).is_ok()) {};
        let read = move || {
            let mut stdout = BufReader::new(stdout);
            while let Ok(Some(frame)) = read_frame(&mut stdout)
                && sender.send(frame).is_ok()
            {}
        };
        thread::Builder::new().spawn(write)?;
        thread::Builder::new().spawn(read)?;
        Ok(Self { jobs, frames })
    }
}

impl ChildProcess {
    pub fn start(program: &Path) -> io::Result<Self> {
        if std::env::var_os(IS_CHILD).is_some() {
            return Err(io::Error::other("a child process that runs scripts cannot start another one"));
        }
        if std::env::var_os(NO_SCRIPTS).is_some() {
            return Err(io::Error::other("scripts are turned off"));
        }
        let inherited = INHERITED.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let mut child = Command::new(program)
            .arg(WORKER_ARGUMENT)
            .env_clear()
            .envs(inherited)
            .env("TZ", "UTC")
            .env(IS_CHILD, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        match Pipes::new(stdin, stdout) {
            Ok(pipes) => Ok(Self { child, pipes, guest_base: None }),
            Err(error) => {
                // Both fail only when the child has ended already.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the child has announced that it takes a job, and how it is confined.
    pub fn ready(&mut self) -> Option<Confinement> {
        let frame = self.read(START_TIMEOUT, &Cancellation::default()).ok()?;
        let mut known = [Confinement::Filtered, Confinement::Unfiltered].into_iter();
        let confinement = known.find(|confinement| frame == ready_frame(*confinement))?;
        // It may have died since.
        matches!(self.child.try_wait(), Ok(None)).then_some(confinement)
    }

    /// Runs a script, until it is canceled. After an error the child is of no use: it is dead, or still busy with the script.
    pub fn run(&mut self, job: &Job, cancellation: &Cancellation) -> Result<Reply, ScriptFailure> {
        let frame = serde_json::to_vec(job).unwrap_or_default();
        let reply = self.exchange(vec![frame], Duration::from_secs_f64(job.time_limit()), 1, cancellation)?;
        serde_json::from_slice(&reply).map_err(|_| self.unexpected_end(job.time_limit()))
    }

    /// Sends the frames of a job, and waits for its answer. `limit` is that of each of its parts, which run one after the
    /// other.
    pub fn exchange(
        &mut self,
        frames: Vec<Vec<u8>>,
        limit: Duration,
        parts: u32,
        cancellation: &Cancellation,
    ) -> Result<Vec<u8>, ScriptFailure> {
        let is_sent = frames.into_iter().all(|frame| self.pipes.jobs.send(frame).is_ok());
        // The last resort: the child ends itself far earlier, unless the machine is overloaded.
        let deadline = limit * (2 * TOTAL_LIMITS).saturating_mul(parts) + START_TIMEOUT;
        let read = if is_sent { self.read(deadline, cancellation) } else { Err(RecvTimeoutError::Disconnected) };
        read.map_err(|error| match error {
            RecvTimeoutError::Timeout => ScriptFailure::time_limit(limit.as_secs_f64()),
            RecvTimeoutError::Disconnected => self.unexpected_end(limit.as_secs_f64()),
        })
    }

    /// The next frame, within a limit of time.
    fn read(&self, limit: Duration, cancellation: &Cancellation) -> Result<Vec<u8>, RecvTimeoutError> {
        let end = Instant::now() + limit;
        loop {
            match self.pipes.frames.recv_timeout(INTERVAL) {
                Err(RecvTimeoutError::Timeout) if Instant::now() < end && !cancellation.is_canceled() => {}
                read => return read,
            }
        }
    }

    /// The failure of a job whose child ended, or sent an invalid answer.
    fn unexpected_end(&mut self, time_limit: f64) -> ScriptFailure {
        // In the second case it still runs, and waiting for it would take forever. In the first it keeps
        // the exit code that it has.
        let _ = self.child.kill();
        let status = match self.child.wait() {
            Ok(status) if status.code() == Some(TIMEOUT_EXIT.into()) => {
                return ScriptFailure::time_limit(time_limit);
            }
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        ScriptFailure::new(FailureKind::Killed, format!("script process ended unexpectedly ({status})"))
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // Both fail only when the child has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
