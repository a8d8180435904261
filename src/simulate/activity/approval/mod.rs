//! Approval: people are asked, answer or are reminded, until one approves, all have rejected, or
//! the timeout ends it.

mod answers;
mod ask;
mod events;
mod remind;
mod settings;
mod wait;

pub(super) use events::fire_next;
pub use remind::remind_approvers;
pub(super) use wait::{advance, begin};
