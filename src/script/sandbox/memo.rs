//! Replies that sandboxes share: a script that runs again with the same input has the same answer.

use std::sync::{Mutex, PoisonError};

use super::job::{Answer, FailureKind, Job, Reply, ScriptFailure};
use crate::collections::HashMap;

/// Bytes of jobs and replies that are kept. Later ones are not.
const MAX_BYTES: usize = 64 << 20;

/// The replies of scripts that ran, for sandboxes on several threads.
#[derive(Debug, Default)]
pub struct Memo {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    replies: HashMap<String, Reply>,
    bytes: usize,
}

/// A job without its budget of polls.
pub(super) struct Key {
    /// At any time.
    timeless: String,
    /// With its time and its seed.
    exact: String,
}

impl Key {
    pub fn of(job: &Job) -> Option<Self> {
        let exact = Job { max_polls: None, ..job.clone() };
        let timeless = Job { now_ms: 0, seed: 0, ..exact.clone() };
        // Another key than that of a job at time 0.
        let timeless = format!("timeless {}", serde_json::to_string(&timeless).ok()?);
        Some(Self { timeless, exact: serde_json::to_string(&exact).ok()? })
    }
}

impl Memo {
    /// The reply to a job, if it is known and took less polls than the job may take.
    pub(super) fn reply(&self, key: &Key, job: &Job) -> Option<Reply> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = kept.replies.get(&key.timeless).or_else(|| kept.replies.get(&key.exact))?;
        (reply.polls < job.poll_budget()).then(|| reply.clone())
    }

    /// Keeps a reply, unless a limit of the job was a part of it.
    pub(super) fn keep(&self, key: Key, job: &Job, reply: &Reply) {
        let is_cut_off = match &reply.answer {
            Answer::Failed(ScriptFailure { kind: FailureKind::TimeLimit | FailureKind::Killed, .. }) => true,
            Answer::Done { .. } | Answer::Failed(_) => reply.polls >= job.poll_budget(),
        };
        if is_cut_off {
            return;
        }
        let key = if reply.reads_clock_or_random { key.exact } else { key.timeless };
        let bytes = key.len() + serde_json::to_string(reply).map_or(MAX_BYTES, |text| text.len());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + bytes <= MAX_BYTES {
            kept.bytes += bytes;
            kept.replies.insert(key, reply.clone());
        }
    }
}
