//! The side of the child: reads jobs, runs each in an engine of its own, writes the answers. A watchdog ends it when a
//! script neither ends nor polls.

use std::io::{self, BufReader, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Barrier, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::confinement::confine;
use super::engine::{Engine, Progress, processor_time, run};
use super::evaluate::Compiled;
use super::frame::{INTERVAL, SILENT_LIMITS, TOTAL_LIMITS, read_frame, ready_frame, write_frame};
use super::job::Job;

/// Bytes of stack of the thread that the engine runs on.
const THREAD_STACK: usize = 16 << 20;

/// The exit code of a child that the watchdog ends, as of `timeout` in GNU coreutils.
pub(super) const TIMEOUT_EXIT: u8 = 124;

/// Runs jobs until `stdin` ends. Then it exits the process even in the middle of a script, because the
/// parent is gone. Returns only when it cannot continue.
pub fn worker(stdin: impl Read + Send + 'static, stdout: impl Write + Send + 'static) -> ExitCode {
    let (sender, jobs) = mpsc::channel();
    let mut stdin = BufReader::new(stdin);
    // Confinement waits for the start of both threads, which calls what it forbids.
    let all_started = Arc::new(Barrier::new(2));
    let is_started = Arc::clone(&all_started);
    // A thread of its own: only so the end of `stdin` is noticed while a script runs.
    let reader = move || {
        is_started.wait();
        while let Ok(Some(job)) = read_frame(&mut stdin) {
            if sender.send(job).is_err() {
                break;
            }
        }
        std::process::exit(0);
    };
    let progress = Progress::default();
    let watched = Arc::<Watched>::default();
    let server = Server { all_started, watched: Arc::clone(&watched), progress: progress.clone() };
    let started = thread::Builder::new()
        .spawn(reader)
        .and_then(|_| thread::Builder::new().stack_size(THREAD_STACK).spawn(move || server.serve(&jobs, stdout)));
    if started.is_ok() { watch(&watched, &progress) } else { ExitCode::FAILURE }
}

struct Server {
    all_started: Arc<Barrier>,
    watched: Arc<Watched>,
    progress: Progress,
}

impl Server {
    fn serve(&self, jobs: &Receiver<Vec<u8>>, mut stdout: impl Write) -> io::Result<()> {
        self.all_started.wait();
        let ready = ready_frame(confine());
        write_frame(&mut stdout, ready)?;
        let mut compiled = Compiled::default();
        let mut engine = Engine::start(self.progress.clone());
        for job in jobs {
            let job: Job = serde_json::from_slice(&job)?;
            let mut written = Ok(());
            self.watched.begin(Duration::from_secs_f64(job.time_limit()));
            run(&job, engine, &mut compiled, |reply| {
                written =
                    serde_json::to_vec(&reply).map_err(io::Error::from).and_then(|it| write_frame(&mut stdout, &it));
            });
            self.watched.end();
            written?;
            // Only now: dropping the engine may crash, and then the parent starts a new child for the next
            // job instead of losing it.
            write_frame(&mut stdout, ready)?;
            // While the parent looks at the answer.
            engine = Engine::start(self.progress.clone());
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.watched.finish();
    }
}

/// What the watchdog watches, with the side that runs scripts.
#[derive(Debug, Default)]
struct Watched {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Scripts that have begun.
    begun: u64,
    /// The time limit of the script that runs.
    running: Option<Duration>,
    /// Whether no script will run any more.
    is_over: bool,
}

impl Watched {
    fn begin(&self, limit: Duration) {
        let mut state = self.lock();
        state.begun += 1;
        state.running = Some(limit);
        self.changed.notify_one();
    }

    fn end(&self) {
        self.lock().running = None;
    }

    fn finish(&self) {
        self.lock().is_over = true;
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a script: its number and its time limit. `None` if none will run.
    fn next(&self) -> Option<(u64, Duration)> {
        let mut state = self.lock();
        while !state.is_over {
            if let Some(limit) = state.running {
                return Some((state.begun, limit));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Waits for [`INTERVAL`], and returns whether the script with a number still runs then.
    fn still_runs(&self, number: u64) -> bool {
        let state = self.changed.wait_timeout(self.lock(), INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        state.begun == number && state.running.is_some() && !state.is_over
    }
}

/// Returns when a script takes too long, or when no other will run.
fn watch(watched: &Watched, progress: &Progress) -> ExitCode {
    while let Some((number, limit)) = watched.next() {
        if !ends_in_time(watched, number, progress, limit) {
            return ExitCode::from(TIMEOUT_EXIT);
        }
    }
    ExitCode::FAILURE
}

fn ends_in_time(watched: &Watched, number: u64, progress: &Progress, limit: Duration) -> bool {
    let began = processor_time();
    let (mut polls, mut polled) = (progress.count(), began);
    while watched.still_runs(number) {
        let now = processor_time();
        if progress.count() != polls {
            (polls, polled) = (progress.count(), now);
        }
        let is_silent = now.saturating_sub(polled) >= limit.saturating_mul(SILENT_LIMITS);
        if is_silent || now.saturating_sub(began) >= limit.saturating_mul(TOTAL_LIMITS) {
            return false;
        }
    }
    true
}
