//! The side of the child: reads jobs, runs each script in an engine of its own, writes the answers. A watchdog ends it when
//! a script neither ends nor polls.

use std::io::{self, BufReader, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use super::confinement::confine;
use super::engine::{Engine, run};
use super::evaluate::Compiled;
use super::frame::{ready_frame, write_frame};
use super::guest::{Frames, Guest, Sent, read_job};
use super::job::Job;
use super::watch::Watch;

/// Bytes of stack of the thread that the engine runs on.
const THREAD_STACK: usize = 16 << 20;

/// What a pipe holds on most systems: a job is often there as a whole.
const PIPE_BYTES: usize = 64 << 10;

/// Runs jobs until `stdin` ends. Then it exits the process even in the middle of a script, because the
/// parent is gone. Returns only when it cannot continue. `guest` makes what runs jobs that are not scripts, on the thread
/// of the engine.
pub fn worker<G: Guest + 'static>(
    stdin: impl Read + Send + 'static,
    stdout: impl Write + Send + 'static,
    guest: fn() -> G,
) -> ExitCode {
    let (sender, jobs) = mpsc::channel();
    let mut stdin = BufReader::with_capacity(PIPE_BYTES, stdin);
    // Confinement waits for the start of both threads, which calls what it forbids.
    let all_started = Arc::new(Barrier::new(2));
    let is_started = Arc::clone(&all_started);
    // A thread of its own: only so the end of `stdin` is noticed while a script runs.
    let reader = move || {
        is_started.wait();
        while let Ok(Some(job)) = read_job(&mut stdin) {
            if sender.send(job).is_err() {
                break;
            }
        }
        std::process::exit(0);
    };
    let watch = Watch::default();
    let server = Server { all_started, watch: watch.clone() };
    let started = thread::Builder::new().spawn(reader).and_then(|_| {
        thread::Builder::new().stack_size(THREAD_STACK).spawn(move || server.serve(&jobs, stdout, guest()))
    });
    if started.is_ok() { watch.watch() } else { ExitCode::FAILURE }
}

struct Server {
    all_started: Arc<Barrier>,
    watch: Watch,
}

impl Server {
    fn serve(&self, jobs: &Receiver<Frames>, mut stdout: impl Write, guest: impl Guest + 'static) -> io::Result<()> {
        self.all_started.wait();
        let ready = ready_frame(confine());
        write_frame(&mut stdout, ready)?;
        let mut runner = Runner::new(self.watch.clone(), Some(Box::new(guest)));
        for job in jobs {
            runner.run(job, &mut stdout)?;
            // Only now: dropping the engine may crash, and then the parent starts a new child for the next
            // job instead of losing it.
            write_frame(&mut stdout, ready)?;
            runner.prepare();
        }
        Ok(())
    }
}

/// Runs jobs, with what it keeps between them.
pub(super) struct Runner {
    watch: Watch,
    compiled: Compiled,
    /// For the next script.
    engine: Option<Engine>,
    pub guest: Option<Box<dyn Guest>>,
}

impl Runner {
    pub fn new(watch: Watch, guest: Option<Box<dyn Guest>>) -> Self {
        let engine = Engine::start(watch.progress.clone());
        Self { watch, compiled: Compiled::default(), engine, guest }
    }

    /// Runs a job, and writes its answer.
    pub fn run(&mut self, (job, following): Frames, stdout: &mut impl Write) -> io::Result<()> {
        if let Some(sent) = Sent::of(&job, following) {
            let guest = self.guest.as_mut().ok_or(io::ErrorKind::Unsupported)?;
            let answer = guest.run(sent, &self.watch);
            self.watch.end();
            return write_frame(stdout, &answer);
        }
        let job: Job = serde_json::from_slice(&job)?;
        let mut written = Ok(());
        self.watch.begin(Duration::from_secs_f64(job.time_limit()));
        run(&job, self.engine.take(), &mut self.compiled, |reply| {
            written = serde_json::to_vec(&reply).map_err(io::Error::from).and_then(|it| write_frame(stdout, &it));
        });
        self.watch.end();
        written
    }

    /// Starts an engine for the next script, while the parent looks at the answer.
    pub fn prepare(&mut self) {
        if self.engine.is_none() {
            self.engine = Engine::start(self.watch.progress.clone());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.watch.finish();
    }
}
