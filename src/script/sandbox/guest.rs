//! Jobs that are not scripts: what a room above this one runs in the child, in an engine of its own.
//!
//! Such a job is several frames: one that announces them, a base that the child keeps for the following jobs, and those of
//! the job.

use std::io;
use std::sync::mpsc::Receiver;
use std::time::Duration;

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

/// A job as the child gets it.
#[derive(Debug, Default)]
pub struct Sent {
    /// `None` if it is that of the job before.
    pub base: Option<Vec<u8>>,
    pub frames: Vec<Vec<u8>>,
}

impl Sent {
    /// Receives the frames that the first one announces; `None` if it announces none.
    pub(super) fn receive(first: &[u8], jobs: &Receiver<Vec<u8>>) -> io::Result<Option<Self>> {
        let text = std::str::from_utf8(first).unwrap_or_default();
        let Some(counts) = text.strip_prefix(ANNOUNCEMENT) else { return Ok(None) };
        let mut counts = counts.split_whitespace().map(str::parse::<usize>);
        let (Some(Ok(bases)), Some(Ok(count))) = (counts.next(), counts.next()) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let mut frames = Vec::new();
        for _ in 0..bases.saturating_add(count) {
            frames.push(jobs.recv().map_err(|_| io::ErrorKind::UnexpectedEof)?);
        }
        let base = (bases > 0 && !frames.is_empty()).then(|| frames.remove(0));
        Ok(Some(Self { base, frames }))
    }
}
