//! Runs and searches that an editor asks for. Each is a process of its own, this program again, so that nothing waits for
//! it, it can be stopped at any moment, and its memory is given back.

mod child;
mod request;
mod runs;

pub use child::Ended;
pub use request::{RUN_ARGUMENT, RunRequest};
pub use runs::{Order, Report, Runs};
