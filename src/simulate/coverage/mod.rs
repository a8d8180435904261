//! Coverage of workflows by runs: activities and branches (docs/coverage.md).

mod branch;
mod covered;
mod taken;
mod workflow;

pub use branch::Branch;
pub use covered::Covered;
pub use taken::{LoopVisits, taken};
pub use workflow::{Count, Coverage};
