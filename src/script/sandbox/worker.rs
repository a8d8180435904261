//! The side of the child: reads jobs, runs each in an engine of its own, writes the answers.

use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use super::engine;
use super::frame::{READY, read_frame, write_frame};
use super::job::Job;
use super::limits::THREAD_STACK;

/// Runs jobs until `stdin` ends. Then it exits the process even in the middle of a script, because the
/// parent is gone. Returns only when it cannot continue.
pub fn worker(stdin: impl Read + Send + 'static, stdout: impl Write + Send + 'static) -> ExitCode {
    let (sender, jobs) = mpsc::channel();
    let mut stdin = stdin;
    // A thread of its own: only so the end of `stdin` is noticed while a script runs.
    let reader = move || {
        while let Ok(Some(job)) = read_frame(&mut stdin) {
            if sender.send(job).is_err() {
                break;
            }
        }
        std::process::exit(0);
    };
    let started = thread::Builder::new()
        .spawn(reader)
        .and_then(|_| thread::Builder::new().stack_size(THREAD_STACK).spawn(move || serve(&jobs, stdout)));
    if let Ok(engine) = started {
        let _ = engine.join();
    }
    ExitCode::FAILURE
}

fn serve(jobs: &Receiver<Vec<u8>>, mut stdout: impl Write) -> io::Result<()> {
    write_frame(&mut stdout, READY)?;
    for job in jobs {
        let job: Job = serde_json::from_slice(&job)?;
        let mut written = Ok(());
        engine::run(&job, |reply| {
            written = serde_json::to_vec(&reply).map_err(io::Error::from).and_then(|it| write_frame(&mut stdout, &it));
        });
        written?;
        // Only now: dropping the engine may crash, and then the parent starts a new child for the next
        // job instead of losing it.
        write_frame(&mut stdout, READY)?;
    }
    Ok(())
}
