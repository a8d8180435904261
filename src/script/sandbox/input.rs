//! The input of a child, written with a limit of time.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::time::{Duration, Instant};

use super::watchdog::INTERVAL;
use crate::cancellation::Cancellation;

/// A write fails with `TimedOut` at a limit, or when the work is canceled, even if the child reads nothing.
pub(super) struct Input {
    pipe: Pipe,
    end: Instant,
    cancellation: Cancellation,
}

impl Input {
    /// # Errors
    /// The pipe cannot be set to not block, or the thread that writes cannot be started.
    pub fn new(stdin: ChildStdin) -> io::Result<Self> {
        Ok(Self { pipe: Pipe::new(stdin)?, end: Instant::now(), cancellation: Cancellation::default() })
    }

    /// Limits all writes from now on.
    pub fn limit(&mut self, limit: Duration, cancellation: &Cancellation) {
        self.end = Instant::now() + limit;
        self.cancellation.clone_from(cancellation);
    }
}

impl Write for Input {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while Instant::now() < self.end && !self.cancellation.is_canceled() {
            if let Some(written) = self.pipe.write_within_interval(bytes)? {
                return Ok(written);
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
type Pipe = polled::Polled;
#[cfg(not(unix))]
type Pipe = threaded::Threaded;

#[cfg(unix)]
mod polled {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::{Errno, ioctl_fionbio};

    use super::{ChildStdin, INTERVAL, Write, io};

    pub struct Polled(ChildStdin);

    impl Polled {
        pub fn new(stdin: ChildStdin) -> io::Result<Self> {
            // Not of the end that the child reads.
            ioctl_fionbio(&stdin, true)?;
            Ok(Self(stdin))
        }

        /// `None` if there is no room for [`INTERVAL`].
        pub fn write_within_interval(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return written.map(Some),
            }
            let interval = Timespec { tv_sec: 0, tv_nsec: INTERVAL.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.0, PollFlags::OUT)], Some(&interval)) {
                Ok(_) | Err(Errno::INTR) => Ok(None),
                Err(error) => Err(error.into()),
            }
        }
    }
}

/// A platform without `poll` leaves the writing to a thread.
#[cfg(any(not(unix), test))]
mod threaded {
    use std::sync::mpsc::{self, SyncSender, TrySendError};
    use std::thread;

    use super::{INTERVAL, Write, io};

    pub struct Threaded(SyncSender<Vec<u8>>);

    impl Threaded {
        pub fn new(mut stdin: impl Write + Send + 'static) -> io::Result<Self> {
            let (sender, parts) = mpsc::sync_channel::<Vec<u8>>(1);
            // Ends when the child does, because its end closes the pipe.
            let writer = move || while parts.recv().is_ok_and(|part| stdin.write_all(&part).is_ok()) {};
            thread::Builder::new().spawn(writer)?;
            Ok(Self(sender))
        }

        /// `None` if there is no room for [`INTERVAL`].
        pub fn write_within_interval(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
            match self.0.try_send(bytes.to_vec()) {
                Ok(()) => Ok(Some(bytes.len())),
                Err(TrySendError::Full(_)) => {
                    thread::sleep(INTERVAL);
                    Ok(None)
                }
                Err(TrySendError::Disconnected(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Child, Command, Stdio};

    use super::*;

    type WritePart = Box<dyn FnMut(&[u8]) -> Option<usize> + Send>;

    /// More than a pipe holds.
    const MANY: usize = 1 << 20;

    /// A child that runs a command of the shell, and its input.
    fn start(command: &str) -> (Child, ChildStdin) {
        let mut shell = Command::new("sh");
        let mut child = shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        (child, stdin)
    }

    /// How a write ends to a child that reads nothing.
    fn write_unread(limit: Duration, cancellation: &Cancellation) -> io::ErrorKind {
        let (mut child, stdin) = start("exec sleep 20");
        let mut input = Input::new(stdin).unwrap();
        input.limit(limit, cancellation);
        let error = input.write_all(&vec![0; MANY]).unwrap_err();
        child.kill().unwrap();
        child.wait().unwrap();
        error.kind()
    }

    #[test]
    fn write_ends_at_its_limit_when_nothing_is_read() {
        assert_eq!(write_unread(Duration::from_millis(1), &Cancellation::default()), io::ErrorKind::TimedOut);
    }

    #[test]
    fn write_ends_when_the_work_is_canceled() {
        let canceled = Cancellation::default();
        canceled.cancel();
        assert_eq!(write_unread(Duration::from_secs(600), &canceled), io::ErrorKind::TimedOut);
    }

    #[test]
    fn write_fails_when_the_child_has_ended() {
        let (mut child, stdin) = start("exit");
        child.wait().unwrap();
        let mut input = Input::new(stdin).unwrap();
        input.limit(Duration::from_secs(600), &Cancellation::default());
        assert_eq!(input.write_all(&[0]).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn both_pipes_write_everything() {
        let expected: Vec<u8> = (0..MANY).map(|number| u8::try_from(number % 251).unwrap()).collect();
        // Writes a part at a time, and returns what the child has read.
        let check = |mut child: Child, mut write: WritePart| {
            let mut stdout = child.stdout.take().unwrap();
            let sent = expected.clone();
            let writer = std::thread::spawn(move || {
                let mut written = 0;
                while written < sent.len() {
                    let part = &sent[written..sent.len().min(written + 300_000)];
                    written += write(part).unwrap_or_default();
                }
            });
            let mut read = Vec::new();
            stdout.read_to_end(&mut read).unwrap();
            writer.join().unwrap();
            child.wait().unwrap();
            assert!(read == expected);
        };
        let (child, stdin) = start("cat");
        let mut polled = polled::Polled::new(stdin).unwrap();
        check(child, Box::new(move |part| polled.write_within_interval(part).unwrap()));
        let (child, stdin) = start("cat");
        let mut threaded = threaded::Threaded::new(stdin).unwrap();
        check(child, Box::new(move |part| threaded.write_within_interval(part).unwrap()));
    }
}
