//! Laws over runs: conditions that every order has to meet.
//!
//! [`Monitors`] of a service remember of a run what the laws of the configuration ask about (`state`), and judge its end;
//! `names` finds names in laws that no service has, `accepted` the `[[suppress]]` entries that accept a broken law, and
//! [`Faults`] finds what the built-in law `no-fault` observes.

mod accepted;
mod before;
mod condition;
mod faults;
mod monitors;
mod names;
mod rejections;
mod state;
mod statuses;
#[cfg(test)]
mod tests;
mod tracked;
mod unset;
mod verdict;

pub use accepted::{Accepted, LawProblem};
pub use faults::{Fault, Faults, MetFault};
pub use monitors::Monitors;
pub use names::{ServiceNames, unknown_names};
pub use rejections::Rejections;
pub use state::MonitorState;
pub use unset::SetVariables;
pub use verdict::{Breach, Final, Verdict};
