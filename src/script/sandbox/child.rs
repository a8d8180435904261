//! The side of the parent: one child process and its pipes.

use std::io;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::answer::Reply;
use super::failure::{FailureKind, ScriptFailure};
use super::frame::{READY, WORKER_ARGUMENT, read_frame, write_frame};
use super::job::Job;
use super::limits::START_TIMEOUT;

/// The environment variables that the child inherits: what the loader may need to start a program.
const INHERITED: [&str; 3] = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"];

/// Killed and reaped when dropped.
pub(super) struct ChildProcess {
    child: Child,
    stdin: ChildStdin,
    /// Filled by a thread, because a read of a pipe has no timeout but a channel has.
    frames: Receiver<Vec<u8>>,
}

impl ChildProcess {
    pub fn start(program: &Path) -> io::Result<Self> {
        let inherited = INHERITED.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let mut child = Command::new(program)
            .arg(WORKER_ARGUMENT)
            .env_clear()
            .envs(inherited)
            .env("TZ", "UTC")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, frames) = mpsc::channel();
        // Ends when the child does, because its end closes the pipe.
        let reader = move || {
            while let Ok(Some(frame)) = read_frame(&mut stdout) {
                if sender.send(frame).is_err() {
                    break;
                }
            }
        };
        let process = Self { child, stdin, frames };
        thread::Builder::new().spawn(reader)?;
        Ok(process)
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the child has announced that it takes a job.
    pub fn is_ready(&mut self) -> bool {
        let is_ready = self.frames.recv_timeout(START_TIMEOUT).is_ok_and(|frame| frame == READY);
        // It may have died since.
        is_ready && matches!(self.child.try_wait(), Ok(None))
    }

    /// Runs a job. After an error the child is of no use: it is dead, or still busy with the script.
    pub fn run(&mut self, job: &Job) -> Result<Reply, ScriptFailure> {
        let sent = serde_json::to_vec(job).map_err(io::Error::from).and_then(|job| write_frame(&mut self.stdin, &job));
        if sent.is_err() {
            return Err(self.unexpected_end());
        }
        // The deadline. Most scripts that run too long end before it, by the budget of polls.
        match self.frames.recv_timeout(Duration::from_secs_f64(job.time_limit())) {
            Ok(frame) => serde_json::from_slice(&frame).map_err(|_| self.unexpected_end()),
            Err(RecvTimeoutError::Timeout) => Err(ScriptFailure::time_limit(job.time_limit())),
            Err(RecvTimeoutError::Disconnected) => Err(self.unexpected_end()),
        }
    }

    /// The failure of a job whose child died, or sent an invalid answer.
    fn unexpected_end(&mut self) -> ScriptFailure {
        // In the second case it still runs, and waiting for it would take forever.
        let _ = self.child.kill();
        let how = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        ScriptFailure::new(FailureKind::Killed, format!("script process ended unexpectedly ({how})"))
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // Both fail only when the child has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
