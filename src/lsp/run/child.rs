//! The process of a run.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread;

use super::request::{RUN_ARGUMENT, RunRequest};
use crate::script::sandbox::NO_SCRIPTS;

/// Bytes of a result: the timelines of a hundred orders that run into their limits.
const MAX_RESULT: u64 = 64 << 20;
/// Maximum number of bytes of errors; the rest is left out.
const MAX_ERRORS: u64 = 1 << 20;

/// The output of a process that has ended.
#[derive(Debug)]
pub struct Ended {
    /// Of the run.
    pub number: u64,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
    /// Whether there was more output.
    pub is_cut: bool,
}

/// Called by a thread of the run.
pub type OnEnd = Arc<dyn Fn(Ended) + Send + Sync>;

/// Ends with its owner.
#[derive(Debug)]
pub struct RunChild(Child);

impl RunChild {
    /// Starts the process; threads write to it and read from it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(
        program: &Path,
        runs_scripts: bool,
        number: u64,
        request: impl FnOnce() -> RunRequest + Send + 'static,
        on_end: OnEnd,
    ) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(RUN_ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !runs_scripts {
            command.env(NO_SCRIPTS, "1");
        }
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Self(child);
        let (Some(input), Some(output), Some(errors)) = pipes else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let errors = thread::Builder::new().spawn(move || read(errors, MAX_ERRORS))?;
        thread::Builder::new().spawn(move || {
            let input = send(&request(), input);
            let mut output = read(output, MAX_RESULT + 1);
            let is_cut = output.len() as u64 > MAX_RESULT;
            if is_cut {
                // The process still runs: it is killed when this is known.
                output.clear();
            }
            let errors = if is_cut { Vec::new() } else { errors.join().unwrap_or_default() };
            drop(input);
            on_end(Ended { number, output, errors, is_cut });
        })?;
        Ok(child)
    }

    /// The exit code of a process that has closed its output; `None` if something has killed it.
    pub fn code(&mut self) -> Option<i32> {
        self.0.wait().ok()?.code()
    }

    pub fn kill(&mut self) {
        // It fails only when the process has ended.
        let _ = self.0.kill();
    }
}

impl Drop for RunChild {
    fn drop(&mut self) {
        self.kill();
        let _ = self.0.wait();
    }
}

/// The input stays open: the process ends when it is closed.
fn send(request: &RunRequest, mut input: ChildStdin) -> ChildStdin {
    // A process that does not read has ended, which is noticed by its output.
    let _ = request.write(&mut input);
    input
}

fn read(from: impl Read, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = from.take(limit).read_to_end(&mut bytes);
    bytes
}
