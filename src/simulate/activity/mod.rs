//! What activities do, by their type.

mod approval;
mod assign;
mod code;
mod condition;
mod dispatch;
mod looping;
mod provider;
mod status;

pub use approval::remind_approvers;
pub use dispatch::run_workflow;
