//! The parent's side: starts the child, asks it, ends it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::protocol::{Answer, FailureKind, Job, READY, ScriptFailure, read_frame, write_frame};
use super::{LONGEST_SCRIPT, LONGEST_VARIABLES, WORKER_ARGUMENT};

/// How long a child may take to be ready.
const START: Duration = Duration::from_secs(10);

/// Of the environment, what starting a program may need.
const KEPT: [&str; 3] = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"];

/// Runs scripts in a child process, which it starts when there is a script to run, keeps for the
/// next, and starts anew when it had to be killed. The child ends with the sandbox.
pub struct Sandbox {
    program: PathBuf,
    worker: Option<Worker>,
}

/// Why a script could not be run at all.
#[derive(Debug)]
pub enum SandboxError {
    /// The program could not be started.
    Start(io::Error),
    /// It started, but is no worker, or is not ready after ten seconds.
    NotReady,
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => write!(f, "the process that runs scripts cannot be started: {error}"),
            Self::NotReady => f.write_str("the process that runs scripts does not get ready"),
        }
    }
}

impl std::error::Error for SandboxError {}

impl Sandbox {
    /// A sandbox. `program` is this program, which turns into a [`worker`](super::worker()) when its
    /// only argument is [`WORKER_ARGUMENT`].
    pub fn new(program: PathBuf) -> Self {
        Self { program, worker: None }
    }

    /// Runs a script. Takes no longer than its limit, and a moment.
    ///
    /// # Errors
    /// When there is no process to run it in. What a script does is never an error.
    pub fn run(&mut self, job: &Job) -> Result<Answer, SandboxError> {
        let too_long = if job.script.len() > LONGEST_SCRIPT {
            Some(("script is", LONGEST_SCRIPT))
        } else {
            let length: usize = job.variables.iter().map(|(name, text)| name.len() + text.len()).sum();
            (length > LONGEST_VARIABLES).then_some(("variables of the script are", LONGEST_VARIABLES))
        };
        if let Some((what, longest)) = too_long {
            let message = format!("the {what} longer than {} MiB", longest >> 20);
            return Ok(Answer::Failed(ScriptFailure::new(FailureKind::InputTooLarge, message)));
        }
        let mut worker = self.ready_worker()?;
        Ok(match worker.ask(job) {
            Ok(answer) => {
                self.worker = Some(worker);
                answer
            }
            Err(failure) => Answer::Failed(failure),
        })
    }

    /// The process id of the child, if there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.worker.as_ref().map(|worker| worker.child.id())
    }

    fn ready_worker(&mut self) -> Result<Worker, SandboxError> {
        // The one at hand may have died while it cleared away what the last script left.
        if let Some(mut worker) = self.worker.take()
            && worker.is_ready()
        {
            return Ok(worker);
        }
        let mut worker = Worker::start(&self.program).map_err(SandboxError::Start)?;
        if worker.is_ready() { Ok(worker) } else { Err(SandboxError::NotReady) }
    }
}

/// A child and its pipes. Killed, and waited for, when dropped.
struct Worker {
    child: Child,
    stdin: ChildStdin,
    frames: Receiver<Vec<u8>>,
}

impl Worker {
    fn start(program: &PathBuf) -> io::Result<Self> {
        let kept = KEPT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let mut child = Command::new(program)
            .arg(WORKER_ARGUMENT)
            .env_clear()
            .envs(kept)
            .env("TZ", "UTC")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, frames) = mpsc::channel();
        // Ends when the child does.
        let reader = move || {
            while let Ok(Some(frame)) = read_frame(&mut stdout) {
                if sender.send(frame).is_err() {
                    break;
                }
            }
        };
        let worker = Self { child, stdin, frames };
        thread::Builder::new().spawn(reader)?;
        Ok(worker)
    }

    fn is_ready(&mut self) -> bool {
        let is_ready = self.frames.recv_timeout(START).is_ok_and(|frame| frame == READY);
        // It may have died since.
        is_ready && matches!(self.child.try_wait(), Ok(None))
    }

    /// What the child answers; its failure when the child is of no use after that.
    fn ask(&mut self, job: &Job) -> Result<Answer, ScriptFailure> {
        let sent = serde_json::to_vec(job).map_err(io::Error::from).and_then(|job| write_frame(&mut self.stdin, &job));
        if sent.is_err() {
            return Err(self.death());
        }
        match self.frames.recv_timeout(Duration::from_secs_f64(job.limit())) {
            Ok(frame) => serde_json::from_slice(&frame).map_err(|_| self.death()),
            Err(RecvTimeoutError::Timeout) => Err(ScriptFailure::time(job.limit())),
            Err(RecvTimeoutError::Disconnected) => Err(self.death()),
        }
    }

    /// What to say of a child that has died, or will now.
    fn death(&mut self) -> ScriptFailure {
        // When it lives on, it has sent what is no answer.
        let _ = self.child.kill();
        let how = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let message = format!("the process that ran the script ended before it ({how})");
        ScriptFailure::new(FailureKind::Killed, message)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Either fails only when the child is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
