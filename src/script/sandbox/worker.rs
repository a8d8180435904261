//! The side of the child: reads jobs, runs each in an engine of its own, writes the answers.

use std::io::{self, BufReader, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use super::compiled::Compiled;
use super::confinement::confine;
use super::engine::{Engine, run};
use super::frame::{read_frame, ready_frame, write_frame};
use super::job::Job;
use super::limits::THREAD_STACK;
use super::watchdog::{Progress, Watched, watch};

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
