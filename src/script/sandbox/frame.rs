//! The protocol between the parent and its child, and its times: frames of JSON over pipes, each preceded by its
//! length as four bytes, little-endian.

use std::io::{self, Read, Write};
use std::time::Duration;

use super::confinement::Confinement;
use super::job::Job;

/// The argument that turns the program into a [`worker`](super::worker()). It starts with dashes, so
/// that it is never the name of a file to lint.
pub const WORKER_ARGUMENT: &str = "--script-worker";

/// The environment variable of a process that runs no scripts, whatever it does.
pub const NO_SCRIPTS: &str = "WFLINT_NO_SCRIPTS";

/// How long a script may run without a poll, and how long with polls, in multiples of its time limit and
/// in processor time. Loops inside the engine do not poll, and a step may take long (`a * a` of a large
/// integer); what polls as usual uses up its budget of polls long before, on a slow machine too.
pub(super) const SILENT_LIMITS: u32 = 1;
pub(super) const TOTAL_LIMITS: u32 = 5;

/// How often the watchdog looks, and the parent whether the script is canceled.
pub(super) const INTERVAL: Duration = Duration::from_millis(20);

/// How long a child may take until it is ready for its first job, or for the next, and until it has read a job.
pub(super) const START_TIMEOUT: Duration = Duration::from_secs(10);

/// The frame that the worker sends when it is ready for a job, by its confinement.
pub(super) const fn ready_frame(confinement: Confinement) -> &'static [u8] {
    match confinement {
        Confinement::Filtered => b"wflint script worker 4, filtered",
        Confinement::Unfiltered => b"wflint script worker 4",
    }
}

/// In bytes. A job or an answer at its limits, every character as an escape sequence of JSON.
const MAX_FRAME: u32 = 64 << 20;

/// Bytes that are allocated for a frame before it arrives.
const MAX_EXPECTED: usize = 16 << 10;

/// Writes frames in one call, so that the reader wakes once.
pub(super) fn write_frames<'f>(to: &mut impl Write, frames: impl IntoIterator<Item = &'f [u8]>) -> io::Result<()> {
    let mut written = Vec::new();
    for content in frames {
        let length = u32::try_from(content.len()).ok().filter(|length| *length <= MAX_FRAME);
        let Some(length) = length else { return Err(io::ErrorKind::InvalidData.into()) };
        written.extend_from_slice(&length.to_le_bytes());
        written.extend_from_slice(content);
    }
    to.write_all(&written)?;
    to.flush()
}

pub(super) fn write_frame(to: &mut impl Write, content: &[u8]) -> io::Result<()> {
    write_frames(to, [content])
}

/// Reads a frame; `None` at the end of the stream. It is read in small pieces, so the stream should have a
/// buffer.
pub(super) fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if from.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[1..])?;
    let length = u32::from_le_bytes(length);
    if length > MAX_FRAME {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // No large allocation by the announced length: memory grows with what really arrives.
    let mut content = Vec::with_capacity(usize::try_from(length).unwrap_or(MAX_EXPECTED).min(MAX_EXPECTED));
    from.take(u64::from(length)).read_to_end(&mut content)?;
    if content.len() < usize::try_from(length).unwrap_or(usize::MAX) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(content))
}

/// The jobs that a worker reads from a stream, up to the first that is invalid. For fuzzing.
#[doc(hidden)]
pub fn decode_jobs(mut stream: &[u8]) -> Vec<Job> {
    let mut jobs = Vec::new();
    while let Ok(Some(frame)) = read_frame(&mut stream)
        && let Ok(job) = serde_json::from_slice(&frame)
    {
        jobs.push(job);
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip() {
        let mut pipe = Vec::new();
        for frame in [b"one".as_slice(), b"", &[0; 300]] {
            write_frame(&mut pipe, frame).unwrap();
        }
        let mut pipe = pipe.as_slice();
        assert_eq!(read_frame(&mut pipe).unwrap().unwrap(), b"one");
        assert_eq!(read_frame(&mut pipe).unwrap().unwrap(), b"");
        assert_eq!(read_frame(&mut pipe).unwrap().unwrap(), [0; 300]);
        assert_eq!(read_frame(&mut pipe).unwrap(), None);
    }

    #[test]
    fn truncated_and_oversized_frames_are_errors() {
        let kind = |mut pipe: &[u8]| read_frame(&mut pipe).unwrap_err().kind();
        assert_eq!(kind(&[3, 0]), io::ErrorKind::UnexpectedEof);
        assert_eq!(kind(&[3, 0, 0, 0, b'a']), io::ErrorKind::UnexpectedEof);
        assert_eq!(kind(&[255, 255, 255, 255]), io::ErrorKind::InvalidData);
    }
}
