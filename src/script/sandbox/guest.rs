//! Jobs that are not scripts: what a room above this one runs in the child, in an engine of its own.
//!
//! Such a job is several frames: one that announces them, a base that the child keeps for the following jobs, and those of
//! the job.

use std::io::{self, Read};
use std::time::Duration;

use super::frame::read_frame;
use super::watch::Watch;

/// What begins the frame that announces a job. That of a script is JSON.
const ANNOUNCEMENT: &str = "guest";

/// Runs jobs in the child. It calls [`Watch::begin`] before each part of a job that may not end.
pub trait Guest {
    /// The answer to a job, as a frame.
    fn run(&mut self, sent: Sent, watch: &Watch) -> Vec<u8>;
}

/// A job for the guest of a child.
pub struct GuestJob<'a> {
    /// Makes what the job rests on, which is sent once for the jobs of a child that follow each other with the same key.
    pub base: &'a dyn Fn() -> Vec<u8>,
    pub base_key: u64,
    pub frames: Vec<Vec<u8>>,
    /// Makes what runs it, where that is this process.
    pub guest: fn() -> Box<dyn Guest>,
    /// The processor time that each of its parts may take.
    pub limit: Duration,
    pub parts: u32,
}

impl GuestJob<'_> {
    /// The frames to be sent.
    pub(super) fn into_frames(self, has_base: bool) -> Vec<Vec<u8>> {
        let announcement = format!("{ANNOUNCEMENT} {} {}", usize::from(!has_base), self.frames.len());
        let base = (!has_base).then(self.base);
        std::iter::once(announcement.into_bytes()).chain(base).chain(self.frames).collect()
    }
}

/// A job: its first frame, and those that it announces.
pub(super) type Frames = (Vec<u8>, Vec<Vec<u8>>);

/// Reads a job. `None` at the end of the stream.
pub(super) fn read_job(from: &mut impl Read) -> io::Result<Option<Frames>> {
    let Some(first) = read_frame(from)? else { return Ok(None) };
    let mut following = Vec::new();
    for _ in 0..Sent::following(&first) {
        following.push(read_frame(from)?.ok_or(io::ErrorKind::UnexpectedEof)?);
    }
    Ok(Some((first, following)))
}

/// A job of the guest as the child gets it.
#[derive(Debug, Default)]
pub struct Sent {
    /// `None` if it is that of the job before.
    pub base: Option<Vec<u8>>,
    pub frames: Vec<Vec<u8>>,
}

impl Sent {
    /// How many frames follow the first one of a job.
    fn following(first: &[u8]) -> usize {
        counts(first).map_or(0, |(bases, count)| bases.saturating_add(count))
    }

    /// The job of a frame and those that follow it; `None` if it is that of a script.
    pub(super) fn of(first: &[u8], following: Vec<Vec<u8>>) -> Option<Self> {
        let (bases, _) = counts(first)?;
        let mut frames = following.into_iter();
        let base = if bases > 0 { frames.next() } else { None };
        Some(Self { base, frames: frames.collect() })
    }
}

/// What a frame announces: how many bases, at most one, and how many frames of the job.
fn counts(first: &[u8]) -> Option<(usize, usize)> {
    let counts = std::str::from_utf8(first).ok()?.strip_prefix(ANNOUNCEMENT)?;
    let mut counts = counts.split_whitespace().map(str::parse);
    Some((counts.next()?.ok()?, counts.next()?.ok()?))
}
