//! Laws over runs: conditions that every order has to meet.
//!
//! [`Monitors`] of a service remember of a run what the laws of the configuration ask about (`state`), and judge its end;
//! `names` finds names in laws that no service has, `accepted` the `[[suppress]]` entries that accept a broken law, and
//! [`Faults`] finds what the built-in law `no-fault` observes.

mod accepted;
mod faults;
mod monitors;
mod names;
mod secrets;
mod state;
#[cfg(test)]
mod tests;

pub use accepted::{Accepted, LawProblem};
pub use faults::{Fault, Faults, MetFault, SetVariables};
pub use monitors::{Monitors, concerns};
pub use names::{ServiceNames, unknown_names};
pub use secrets::secrets_of;
pub use state::{Breach, Final, MonitorState, Verdict};
