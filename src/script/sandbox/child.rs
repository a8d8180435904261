//! A child process as its parent has it: its pipes, its answers, and its end.

use std::io::{self, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::confinement::Confinement;
use super::frame::{
    INTERVAL, NO_SCRIPTS, START_TIMEOUT, TOTAL_LIMITS, WORKER_ARGUMENT, read_frame, ready_frame, write_frames,
};
use super::guest::GuestJob;
use super::job::{FailureKind, Job, Reply, ScriptFailure};
use super::watch::TIMEOUT_EXIT;
use crate::common::cancellation::Cancellation;

/// The environment variables that the child inherits: what the loader may need to start a program.
const INHERITED: [&str; 3] = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"];

/// Set for the child. A program that runs command lines by the library, but takes no [`WORKER_ARGUMENT`], would start itself
/// again and again otherwise.
const IS_CHILD: &str = "WFLINT_SCRIPT_WORKER";

/// Killed and reaped when dropped.
pub(super) struct ChildProcess {
    child: Child,
    pipes: Pipes,
    /// The key of the base that its guest has.
    guest_base: Option<u64>,
}

/// The pipes of a child. Threads write and read, so that a child that does neither holds nobody up; they end when the child
/// does, because its end closes the pipes.
struct Pipes {
    jobs: Sender<Vec<Vec<u8>>>,
    frames: Receiver<Vec<u8>>,
}

impl Pipes {
    fn new(mut stdin: ChildStdin, stdout: ChildStdout) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Vec<Vec<u8>>>();
        let (sender, frames) = mpsc::sync_channel(1);
        let write = move || {
            while queue.recv().is_ok_and(|job| write_frames(&mut stdin, job.iter().map(Vec::as_slice)).is_ok()) {}
        };
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

    /// Runs a job of the guest, as [`Self::run`] does.
    pub fn run_guest(&mut self, job: GuestJob<'_>, cancellation: &Cancellation) -> Result<Vec<u8>, ScriptFailure> {
        let is_known = self.guest_base.replace(job.base_key) == Some(job.base_key);
        let (limit, parts) = (job.limit, job.parts);
        self.exchange(job.into_frames(is_known), limit, parts, cancellation)
    }

    /// Sends the frames of a job, and waits for its answer. `limit` is that of each of its parts, which run one after the
    /// other.
    fn exchange(
        &mut self,
        frames: Vec<Vec<u8>>,
        limit: Duration,
        parts: u32,
        cancellation: &Cancellation,
    ) -> Result<Vec<u8>, ScriptFailure> {
        let is_sent = self.pipes.jobs.send(frames).is_ok();
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
