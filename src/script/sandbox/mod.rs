//! Runs a script in a child process, with limits on time, memory and stack.
//!
//! The script is a sloppy-mode global script. It sees its variables, what the JavaScript language has,
//! a clock that stands still, and random numbers that are the same every time: the same job gets the
//! same answer. It sees no files, no network, no timers and no console. What it leaves in the global
//! `Json` is the answer. Callbacks of promises do not run. Local time is UTC, but on Windows it is that
//! of the machine: there the engine asks the system.
//!
//! The engine counts the steps of a script, and stops it after as many as usually take a fraction of
//! its time. Loops inside the engine, as that of `Array.prototype.reverse`, are not counted; for these
//! the child is killed when the time is over. A crash of the engine, too, costs no more than the child.

mod engine;
mod parent;
mod protocol;
mod thrown;
mod worker;

pub use parent::{Sandbox, SandboxError};
pub use protocol::{Answer, FailureKind, Job, JsonVariable, ScriptFailure};
pub use worker::worker;

/// The argument that turns the program into a [`worker`]. With dashes, so that no file is meant.
pub const WORKER_ARGUMENT: &str = "--script-worker";

/// The longest script, in bytes.
pub const LONGEST_SCRIPT: usize = 1 << 20;

/// The longest names and texts of all variables of a script together, in bytes.
pub const LONGEST_VARIABLES: usize = 4 << 20;
