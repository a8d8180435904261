//! What a search looks for in runs, besides their ends.

use crate::explore::laws::{Faults, Monitors, Rejections};
use crate::model::ActivityId;
use crate::simulate::Slot;

/// What a search looks for.
#[derive(Clone, Copy)]
pub struct Watch<'e> {
    pub monitors: &'e Monitors<'e>,
    /// Whether faults are looked for also where something fails or is empty by choice.
    pub in_all_runs: bool,
    /// Whether the branches that coverage counts are looked for.
    pub branches: bool,
    /// `None` when the law `no-fault` is not asked for.
    pub faults: Option<&'e Faults<'e, 'e>>,
    /// Likewise.
    pub rejections: Option<&'e Rejections>,
    /// The claims that cycles may show.
    pub claims: &'e [Claim],
}

/// What lint claims: a loop never ends while variables have these values.
#[derive(Debug)]
pub struct Claim {
    pub activity: ActivityId,
    pub values: Vec<(Slot, String)>,
}
