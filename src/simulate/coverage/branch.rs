//! The branches of activities (docs/coverage.md, What is counted).

use crate::model::{Activity, ActivityKind, Approval};

/// A branch of an activity: one of its possible outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Branch {
    /// The outcome of a condition. Coverage counts it only for an If, exploring also for a While.
    True,
    False,
    /// Rounds of a While, each time that it is reached.
    Never,
    Once,
    Several,
    /// How an Approval is decided.
    Approved,
    Rejected,
    TimedOut,
    /// A call of a Provider, whatever `stopOnError` says.
    Succeeded,
    Failed,
}

impl Branch {
    /// As in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Never => "never",
            Self::Once => "once",
            Self::Several => "several",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::TimedOut => "timed-out",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// The branches of an activity that coverage counts, in the order of reports.
    pub fn of(activity: &Activity<'_>) -> &'static [Self] {
        match &activity.kind {
            ActivityKind::If { .. } => &[Self::True, Self::False],
            ActivityKind::While { .. } => &[Self::Never, Self::Once, Self::Several],
            ActivityKind::Approval(approval) if has_timeout(approval) => {
                &[Self::Approved, Self::Rejected, Self::TimedOut]
            }
            ActivityKind::Approval(_) => &[Self::Approved, Self::Rejected],
            ActivityKind::Provider(_) => &[Self::Succeeded, Self::Failed],
            _ => &[],
        }
    }

    /// The branch of an outcome of a condition.
    pub const fn of_condition(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }

    /// The branch of a While with so many rounds.
    pub const fn of_rounds(rounds: u64) -> Self {
        match rounds {
            0 => Self::Never,
            1 => Self::Once,
            _ => Self::Several,
        }
    }
}

/// Whether an Approval may have a timeout: it is neither absent, nor not set, nor a static 0.
fn has_timeout(approval: &Approval<'_>) -> bool {
    let Some(binding) = approval.settings().timeout.get() else { return approval.settings().timeout.is_unknown() };
    if binding.is_empty() {
        return false;
    }
    let is_blank = binding.literal_text().is_some_and(|(_, text)| text.trim().is_empty());
    let is_zero = binding.literal().and_then(|(_, literal)| literal.as_number()) == Some(0.0);
    !is_blank && !is_zero
}
