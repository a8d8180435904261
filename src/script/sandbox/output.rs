//! The output of a child, read with a limit of time.

use std::io::{self, Read};
use std::process::ChildStdout;
use std::time::{Duration, Instant};

use super::watchdog::INTERVAL;
use crate::cancellation::Cancellation;

/// A read fails with `TimedOut` at a limit, or when the work is canceled, whoever has the other end of the pipe open.
pub(super) struct Output {
    pipe: Pipe,
    end: Instant,
    cancellation: Cancellation,
}

impl Output {
    /// # Errors
    /// Reading needs a thread, which cannot be started.
    pub fn new(stdout: ChildStdout) -> io::Result<Self> {
        Ok(Self { pipe: Pipe::new(stdout)?, end: Instant::now(), cancellation: Cancellation::default() })
    }

    /// Limits all reads from now on.
    pub fn limit(&mut self, limit: Duration, cancellation: &Cancellation) {
        self.end = Instant::now() + limit;
        self.cancellation.clone_from(cancellation);
    }
}

impl Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while Instant::now() < self.end && !self.cancellation.is_canceled() {
            if let Some(read) = self.pipe.read_within_interval(buffer)? {
                return Ok(read);
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }
}

#[cfg(unix)]
type Pipe = polled::Polled;
#[cfg(not(unix))]
type Pipe = threaded::Threaded;

#[cfg(unix)]
mod polled {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    use super::{ChildStdout, INTERVAL, Read, io};

    pub struct Polled(ChildStdout);

    impl Polled {
        #[expect(clippy::unnecessary_wraps, reason = "the other pipe needs a thread")]
        pub const fn new(stdout: ChildStdout) -> io::Result<Self> {
            Ok(Self(stdout))
        }

        /// `None` if nothing arrives for [`INTERVAL`].
        pub fn read_within_interval(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
            let interval = Timespec { tv_sec: 0, tv_nsec: INTERVAL.subsec_nanos().into() };
            let mut pipe = PollFd::new(&self.0, PollFlags::IN);
            match poll(std::slice::from_mut(&mut pipe), Some(&interval)) {
                Ok(0) | Err(Errno::INTR) => Ok(None),
                Ok(_) => self.0.read(buffer).map(Some),
                Err(error) => Err(error.into()),
            }
        }
    }
}

/// A platform without `poll` waits for a thread that reads.
#[cfg(any(not(unix), test))]
mod threaded {
    use std::io::Cursor;
    use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
    use std::thread;

    use super::{INTERVAL, Read, io};

    pub struct Threaded {
        parts: Receiver<Vec<u8>>,
        part: Cursor<Vec<u8>>,
    }

    impl Threaded {
        pub fn new(mut stdout: impl Read + Send + 'static) -> io::Result<Self> {
            let (sender, parts) = mpsc::sync_channel(1);
            // Ends when the child does, because its end closes the pipe.
            let reader = move || {
                let mut buffer = vec![0; 16 << 10];
                while let Ok(read) = stdout.read(&mut buffer)
                    && let Some(part) = buffer.get(..read).filter(|part| !part.is_empty())
                    && sender.send(part.to_vec()).is_ok()
                {}
            };
            thread::Builder::new().spawn(reader)?;
            Ok(Self { parts, part: Cursor::default() })
        }

        /// `None` if nothing arrives for [`INTERVAL`].
        pub fn read_within_interval(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
            let read = self.part.read(buffer)?;
            if read > 0 {
                return Ok(Some(read));
            }
            match self.parts.recv_timeout(INTERVAL) {
                Ok(part) => {
                    self.part = Cursor::new(part);
                    self.part.read(buffer).map(Some)
                }
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Ok(Some(0)),
            }
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// A child that runs a command of the shell, and its output.
    fn start(command: &str) -> (Child, ChildStdout) {
        let mut child = Command::new("sh").args(["-c", command]).stdout(Stdio::piped()).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        (child, stdout)
    }

    /// How a read ends of a child whose own child keeps the pipe open.
    fn read_silent(limit: Duration, cancellation: &Cancellation) -> io::ErrorKind {
        let (mut child, stdout) = start("sleep 20; true");
        let mut output = Output::new(stdout).unwrap();
        output.limit(limit, cancellation);
        let error = output.read(&mut [0]).unwrap_err();
        child.kill().unwrap();
        child.wait().unwrap();
        error.kind()
    }

    #[test]
    fn read_ends_at_its_limit_whoever_has_the_pipe_open() {
        assert_eq!(read_silent(Duration::from_millis(1), &Cancellation::default()), io::ErrorKind::TimedOut);
    }

    #[test]
    fn read_ends_when_the_work_is_canceled() {
        let canceled = Cancellation::default();
        canceled.cancel();
        assert_eq!(read_silent(Duration::from_secs(600), &canceled), io::ErrorKind::TimedOut);
    }

    #[test]
    fn both_pipes_read_everything_to_the_end() {
        const COUNT: &str = "i=0; while [ $i -lt 9000 ]; do echo $i; i=$((i + 1)); done";
        let expected: String = (0..9000).map(|number| format!("{number}\n")).collect();
        let read_all = |read: &mut dyn FnMut(&mut [u8]) -> io::Result<Option<usize>>| {
            let (mut all, mut buffer) = (Vec::new(), [0; 1000]);
            loop {
                match read(&mut buffer).unwrap() {
                    Some(0) => return String::from_utf8(all).unwrap(),
                    Some(read) => all.extend_from_slice(&buffer[..read]),
                    None => {}
                }
            }
        };
        let (mut child, stdout) = start(COUNT);
        let mut polled = polled::Polled::new(stdout).unwrap();
        assert_eq!(read_all(&mut |buffer| polled.read_within_interval(buffer)), expected);
        child.wait().unwrap();
        let (mut child, stdout) = start(COUNT);
        let mut threaded = threaded::Threaded::new(stdout).unwrap();
        assert_eq!(read_all(&mut |buffer| threaded.read_within_interval(buffer)), expected);
        child.wait().unwrap();
    }
}
