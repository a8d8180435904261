//! The child where no process can be started, as in WebAssembly: its engine runs in this process, with the same limits of
//! steps and memory. A script that takes no steps is ended by the host, which ends this process with it.

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use super::confinement::Confinement;
use super::frame::read_frame;
use super::guest::GuestJob;
use super::job::{FailureKind, Job, Reply, ScriptFailure};
use super::watch::Watch;
use super::worker::Runner;
use crate::common::cancellation::Cancellation;
use crate::common::collections::HashMap;

thread_local! {
    /// By the number of the child: an engine cannot be sent to another thread, but a sandbox can.
    static RUNNERS: RefCell<HashMap<u32, Runner>> = RefCell::default();
}

/// Dropped with its engine.
pub(super) struct ChildProcess {
    number: u32,
    /// The key of the base that its guest has.
    guest_base: Option<u64>,
}

impl ChildProcess {
    #[allow(clippy::unnecessary_wraps, reason = "as where it is a process")]
    pub fn start(_: &Path) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let runner = Runner::new(Watch::default(), None);
        RUNNERS.with_borrow_mut(|runners| runners.insert(number, runner));
        Ok(Self { number, guest_base: None })
    }

    pub const fn id(&self) -> u32 {
        self.number
    }

    #[allow(clippy::unused_self, reason = "as where it is a process")]
    pub const fn ready(&mut self) -> Option<Confinement> {
        Some(Confinement::Unfiltered)
    }

    /// Runs a script.
    pub fn run(&mut self, job: &Job, _: &Cancellation) -> Result<Reply, ScriptFailure> {
        let reply = self.exchange(vec![serde_json::to_vec(job).unwrap_or_default()])?;
        serde_json::from_slice(&reply).map_err(|_| failure())
    }

    /// Runs a job of the guest.
    pub fn run_guest(&mut self, job: GuestJob<'_>, _: &Cancellation) -> Result<Vec<u8>, ScriptFailure> {
        RUNNERS.with_borrow_mut(|runners| {
            if let Some(runner) = runners.get_mut(&self.number) {
                runner.guest.get_or_insert_with(job.guest);
            }
        });
        let is_known = self.guest_base.replace(job.base_key) == Some(job.base_key);
        self.exchange(job.into_frames(is_known))
    }

    /// The answer to a job.
    fn exchange(&self, frames: Vec<Vec<u8>>) -> Result<Vec<u8>, ScriptFailure> {
        let mut frames = frames.into_iter();
        let job = frames.next().ok_or_else(failure)?;
        let mut answer = Vec::new();
        let done = RUNNERS.with_borrow_mut(|runners| {
            let runner = runners.get_mut(&self.number)?;
            runner.run((job, frames.collect()), &mut answer).ok()?;
            runner.prepare();
            Some(())
        });
        done.and_then(|()| read_frame(&mut answer.as_slice()).ok().flatten()).ok_or_else(failure)
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        RUNNERS.with_borrow_mut(|runners| runners.remove(&self.number));
    }
}

fn failure() -> ScriptFailure {
    ScriptFailure::new(FailureKind::Killed, "script could not be run")
}
