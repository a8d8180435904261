//! Whether a law holds.

use crate::explore::ExploredLaw;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Holds,
    Broken,
    /// It is broken, but a `[[suppress]]` accepts every run that breaks it.
    Accepted,
    /// The search was cut off before a run broke it.
    Unknown,
}

pub(super) fn verdict(law: &ExploredLaw) -> Verdict {
    let is_accepted = law.broken.iter().any(|broken| broken.accepted.is_some());
    match law.holds {
        _ if law.is_broken() => Verdict::Broken,
        None => Verdict::Unknown,
        Some(_) if is_accepted => Verdict::Accepted,
        Some(true) => Verdict::Holds,
        Some(false) => Verdict::Broken,
    }
}

impl Verdict {
    /// The word in the human report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "ok",
            Self::Broken => "broken",
            Self::Accepted => "accepted",
            Self::Unknown => "unknown",
        }
    }

    /// As in JSON.
    pub const fn holds(self) -> Option<bool> {
        match self {
            Self::Holds | Self::Accepted => Some(true),
            Self::Broken => Some(false),
            Self::Unknown => None,
        }
    }
}
