//! The side of the parent: one child process and its pipes.

use std::io::{self, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::answer::Reply;
use super::confinement::Confinement;
use super::failure::{FailureKind, ScriptFailure};
use super::frame::{WORKER_ARGUMENT, read_frame, ready_frame, write_frame};
use super::input::Input;
use super::job::Job;
use super::limits::{START_TIMEOUT, TOTAL_LIMITS};
use super::output::Output;
use super::watchdog::TIMEOUT_EXIT;
use crate::cancellation::Cancellation;

/// The environment variables that the child inherits: what the loader may need to start a program.
const INHERITED: [&str; 3] = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"];

/// Set for the child. A program that runs command lines by the library, but takes no [`WORKER_ARGUMENT`], would start itself
/// again and again otherwise.
const IS_CHILD: &str = "WFLINT_SCRIPT_WORKER";

/// The environment variable of a process that runs no scripts, whatever it does.
pub const NO_SCRIPTS: &str = "WFLINT_NO_SCRIPTS";

/// Killed and reaped when dropped.
pub(super) struct ChildProcess {
    child: Child,
    input: Input,
    output: BufReader<Output>,
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
        match Input::new(stdin).and_then(|input| Ok((input, Output::new(stdout)?))) {
            Ok((input, output)) => Ok(Self { child, input, output: BufReader::new(output) }),
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
        let frame = self.read(START_TIMEOUT, &Cancellation::default()).ok().flatten()?;
        let mut known = [Confinement::Filtered, Confinement::Unfiltered].into_iter();
        let confinement = known.find(|confinement| frame == ready_frame(*confinement))?;
        // It may have died since.
        matches!(self.child.try_wait(), Ok(None)).then_some(confinement)
    }

    /// Runs a job, until it is canceled. After an error the child is of no use: it is dead, or still busy with the script.
    pub fn run(&mut self, job: &Job, cancellation: &Cancellation) -> Result<Reply, ScriptFailure> {
        self.input.limit(START_TIMEOUT, cancellation);
        let sent = serde_json::to_vec(job).map_err(io::Error::from).and_then(|job| write_frame(&mut self.input, &job));
        match sent.and_then(|()| self.read(deadline(job), cancellation)) {
            Ok(Some(frame)) => serde_json::from_slice(&frame).map_err(|_| self.unexpected_end(job)),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(ScriptFailure::time_limit(job.time_limit())),
            Ok(None) | Err(_) => Err(self.unexpected_end(job)),
        }
    }

    /// The next frame; `None` at the end.
    fn read(&mut self, limit: Duration, cancellation: &Cancellation) -> io::Result<Option<Vec<u8>>> {
        self.output.get_mut().limit(limit, cancellation);
        read_frame(&mut self.output)
    }

    /// The failure of a job whose child ended, or sent an invalid answer.
    fn unexpected_end(&mut self, job: &Job) -> ScriptFailure {
        // In the second case it still runs, and waiting for it would take forever. In the first it keeps
        // the exit code that it has.
        let _ = self.child.kill();
        let status = match self.child.wait() {
            Ok(status) if status.code() == Some(TIMEOUT_EXIT.into()) => {
                return ScriptFailure::time_limit(job.time_limit());
            }
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        ScriptFailure::new(FailureKind::Killed, format!("script process ended unexpectedly ({status})"))
    }
}

/// The last resort: the child ends itself far earlier, unless the machine is overloaded.
fn deadline(job: &Job) -> Duration {
    Duration::from_secs_f64(job.time_limit()) * (2 * TOTAL_LIMITS) + START_TIMEOUT
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // Both fail only when the child has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
