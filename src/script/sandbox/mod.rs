//! Runs a script in a child process, with limits on time, memory and stack.
//!
//! The script is a sloppy-mode global script. It sees its variables, the built-in objects of
//! ECMAScript, a clock that does not advance, and random numbers from a seed: the same job gets the same
//! answer. `Json` is declared. A top-level `return` ends the script. It has no files, network, timers or console. Its result is the global variable `Json`.
//! Jobs of promises run when the script has ended, before `Json` is read. Local time is UTC, except on Windows, where the engine asks the
//! system for the time zone.
//!
//! Two mechanisms end a script that runs too long. The engine polls an interrupt handler, which stops
//! the script after a fixed number of polls: deterministic, and usually reached in a fraction of the
//! time limit. Loops inside the engine, such as that of `Array.prototype.reverse`, do not poll; for
//! those a watchdog ends the child, by processor time and not by the clock, so that other processes do
//! not change the result. A crash of the engine also costs only the child.
//!
//! The child also runs the jobs of a [`Guest`], which has an engine of its own, under the same watchdog.
//!
//! Where no process can be started, as in WebAssembly, the engine runs in this one (`in_process.rs`).
//!
//! Script engines have faults. Where the platform can (`confinement.rs`), the child may only read and
//! write its pipes and manage its memory, so that a fault of the engine opens neither files nor network.

#[cfg_attr(target_family = "wasm", path = "in_process.rs")]
mod child;
mod confinement;
mod engine;
mod evaluate;
mod frame;
mod globals;
mod guest;
mod job;
mod parent;
mod top_level;
mod watch;
mod worker;

pub use confinement::Confinement;
pub use evaluate::Compiled;
pub use frame::{NO_SCRIPTS, WORKER_ARGUMENT, decode_jobs};
pub use guest::{Guest, GuestJob, Sent};
pub use job::{Answer, FailureKind, Job, JsonVariable, Reply, ScriptFailure, polls_of};
pub use parent::{Memo, Sandbox, SandboxError};
pub use top_level::NOT_SIMULATED;
pub use watch::Watch;
pub use worker::worker;
