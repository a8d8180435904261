//! What the sandbox runs.

use serde::{Deserialize, Serialize};

use super::limits::POLLS_PER_SECOND;
use super::setup::Setup;

/// A script to run, and the environment that it sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// At most [`MAX_SCRIPT_BYTES`](super::MAX_SCRIPT_BYTES).
    pub script: String,
    /// Global variables and their string values, together at most
    /// [`MAX_VARIABLE_BYTES`](super::MAX_VARIABLE_BYTES). Of two with the same name the last one counts.
    pub variables: Vec<(String, String)>,
    /// Globals of the host, such as `console`: objects on which every function exists and does nothing.
    pub hosts: Vec<String>,
    /// Runs in the same engine before the script, with the variables in place.
    pub setup: Option<Setup>,
    /// The time of `Date`, in milliseconds since 1970 UTC. It does not advance.
    pub now_ms: i64,
    /// Seed of `Math.random`.
    pub seed: u64,
    /// The time limit in seconds, clamped to 0.01 to 86,400. A script may take two million steps for each
    /// second: calls, iterations of loops, or backtracking steps of a regular expression.
    pub seconds: f64,
    /// Less polls of the engine than the time limit allows, if any: what is left of a common limit.
    pub max_polls: Option<u32>,
}

impl Job {
    /// The time limit in seconds, in its range.
    pub(super) fn time_limit(&self) -> f64 {
        if self.seconds.is_nan() { 0.01 } else { self.seconds.clamp(0.01, 86_400.0) }
    }

    /// How often the engine may poll.
    pub(super) fn poll_budget(&self) -> u32 {
        let own = polls_of(self.time_limit());
        self.max_polls.map_or(own, |max| own.min(max))
    }
}

/// How often the engine may poll in a time limit.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub fn polls_of(seconds: f64) -> u32 {
    (seconds * POLLS_PER_SECOND).ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limit_is_clamped() {
        let limit = |seconds| {
            let (script, variables, hosts) = (String::new(), Vec::new(), Vec::new());
            Job { script, variables, hosts, setup: None, now_ms: 0, seed: 0, seconds, max_polls: None }
                .time_limit()
                .to_string()
        };
        assert_eq!([limit(2.5), limit(-1.0), limit(f64::INFINITY), limit(f64::NAN)], ["2.5", "0.01", "86400", "0.01"]);
    }
}
