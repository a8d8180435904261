//! The child's side: reads jobs, runs each in an engine of its own, writes the answers.

use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use super::engine;
use super::protocol::{Job, READY, read_frame, write_frame};

/// Bytes of stack of the thread that the engine runs on.
pub(super) const THREAD_STACK: usize = 16 << 20;

/// Works until `stdin` ends, and then ends the process, whatever a script is doing: nobody waits for
/// it any more. Returns only when it cannot go on.
pub fn worker(stdin: impl Read + Send + 'static, stdout: impl Write + Send + 'static) -> ExitCode {
    let (sender, jobs) = mpsc::channel();
    let mut stdin = stdin;
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
        engine::run(&job, |answer| {
            written = serde_json::to_vec(&answer).map_err(io::Error::from).and_then(|it| write_frame(&mut stdout, &it));
        });
        written?;
        write_frame(&mut stdout, READY)?;
    }
    Ok(())
}
