//! The simulated provider methods.

mod arguments;
mod call;
mod directory;
pub mod esign;
mod outcome;

pub use arguments::Arguments;
pub use call::{call, lookup};
pub use outcome::{CallError, Output, Outputs};
