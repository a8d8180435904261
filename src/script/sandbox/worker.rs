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
use super::frame::{read_frame, ready_frame, write_frame};
use super::guest::{Guest, Sent};
use super::job::Job;
use super::watch::Watch;

/// Bytes of stack of the thread that the engine runs on.
const THREAD_STACK: usize = 16 << 20;

/// Runs jobs until `stdin` ends. Then it exits the process even in the middle of a script, because the
/// parent is gone. Returns only when it cannot continue. `guest` makes what runs jobs that are not scripts, on the thread
/// of the engine.
pub fn worker<G: Guest + 'static>(
    stdin: impl Read + Send + 'static,
    stdout: impl Write + Send + 'static,
    guest: fn() -> G,
) -> ExitCode {
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
    let watch = Watch::default();
    let server = Server { all_started, watch: watch.clone() };
    let started = thread::Builder::new().spawn(reader).and_then(|_| {
        thread::Builder::new().stack_size(THREAD_STACK).spawn(move || server.serve(&jobs, stdout, &mut guest()))
    });
    if started.is_ok() { watch.watch() } else { ExitCode::FAILURE }
}

struct Server {
    all_started: Arc<Barrier>,
    watch: Watch,
}

impl Server {
    fn serve(&self, jobs: &Receiver<Vec<u8>>, mut stdout: impl Write, guest: &mut impl Guest) -> io::Result<()> {
        self.all_started.wait();
        let ready = ready_frame(confine());
        write_frame(&mut stdout, ready)?;
        let mut compiled = Compiled::default();
        let mut engine = Engine::start(self.watch.progress.clone());
        for job in jobs {
            if let Some(sent) = Sent::receive(&job, jobs)? {
                let answer = guest.run(sent, &self.watch);
                self.watch.end();
                write_frame(&mut stdout, &answer)?;
                write_frame(&mut stdout, ready)?;
                continue;
            }
            let job: Job = serde_json::from_slice(&job)?;
            let mut written = Ok(());
            self.watch.begin(Duration::from_secs_f64(job.time_limit()));
            run(&job, engine, &mut compiled, |reply| {
                written =
                    serde_json::to_vec(&reply).map_err(io::Error::from).and_then(|it| write_frame(&mut stdout, &it));
            });
            self.watch.end();
            written?;
            // Only now: dropping the engine may crash, and then the parent starts a new child for the next
            // job instead of losing it.
            write_frame(&mut stdout, ready)?;
            // While the parent looks at the answer.
            engine = Engine::start(self.watch.progress.clone());
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.watch.finish();
    }
}
