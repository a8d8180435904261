//! A queue for slow work, done by threads while the server keeps answering. A job is a closure that owns all of its input
//! and ends with another one, which changes the state by the result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};

use crate::common::cancellation::Cancellation;
use crate::lint::{pool, thread};

/// The threads, each of which does one job at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// For what takes little time.
    Quick,
    /// For lints that run scripts, which may take long.
    Scripts,
}

/// Changes the state of the server.
pub type Outcome<S> = Box<dyn FnOnce(&mut S) + Send>;

pub struct Job<S> {
    task: Task,
    run: Box<dyn FnOnce() -> Outcome<S> + Send>,
    /// The outcome if it panics.
    failed: Outcome<S>,
    /// Whether threads share its parts. For a small change, waking them up would take a tenth of the time.
    has_parts: bool,
}

/// Which jobs exclude each other.
#[derive(Debug, Clone)]
pub enum Task {
    Background,
    /// A lint of a service, which is of no use for any but its latest revision.
    Latest(ServicePlace, Cancellation),
}

/// A service as it was when a job began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServicePlace {
    pub root: u64,
    /// The revision of the root that was loaded.
    pub loaded: u64,
    pub service: usize,
    /// The revision of its documents.
    pub text: u64,
}

impl<S: 'static> Job<S> {
    /// A job that ends with `finish`, without a result if it has failed.
    pub fn new<R: Send + 'static>(
        task: Task,
        run: impl FnOnce() -> Option<R> + Send + 'static,
        finish: impl FnOnce(&mut S, Option<R>) + Clone + Send + 'static,
    ) -> Self {
        let failed = finish.clone();
        Self {
            task,
            run: Box::new(move || {
                let result = run();
                Box::new(move |server| finish(server, result))
            }),
            failed: Box::new(move |server| failed(server, None)),
            has_parts: false,
        }
    }

    #[must_use]
    pub fn with_parts(self) -> Self {
        Self { has_parts: true, ..self }
    }
}

/// A thread, and the queue of its jobs.
pub struct Worker<S> {
    jobs: Sender<Job<S>>,
    /// The job that runs.
    pub running: Option<Task>,
}

impl<S: 'static> Worker<S> {
    /// Starts the thread, which passes each outcome to `done`.
    pub fn start(done: impl Fn(Outcome<S>) -> bool + Send + 'static) -> Result<Self, String> {
        let threads = pool(None)?;
        let (sender, jobs) = channel::<Job<S>>();
        let work = move || {
            for Job { run, failed, has_parts, .. } in jobs {
                let run = || if has_parts { threads.install(run) } else { run() };
                if !done(catch_unwind(AssertUnwindSafe(run)).unwrap_or(failed)) {
                    break;
                }
            }
        };
        thread().spawn(work).map_err(|error| format!("cannot create threads: {error}"))?;
        Ok(Self::new(sender))
    }

    pub const fn new(jobs: Sender<Job<S>>) -> Self {
        Self { jobs, running: None }
    }

    /// Starts a job, if none runs.
    pub fn push(&mut self, job: Job<S>) {
        let task = job.task.clone();
        self.running = self.jobs.send(job).is_ok().then_some(task);
    }
}
