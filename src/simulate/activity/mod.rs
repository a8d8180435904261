//! Runs activities, by type.

mod approval;
mod assign;
mod code;
mod condition;
mod dispatch;
mod looping;
mod provider;
mod status;

pub use approval::remind_approvers;
pub use dispatch::{begin, continue_run, run_workflow};
pub use provider::SIMULATED_FAILURE;
