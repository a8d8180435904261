//! The language server: lints documents while they are edited.
//!
//! `server` reads messages and results, one at a time, and changes the state (`state`); a thread (`job`) loads folders,
//! lints services and reads scenarios meanwhile. `schedule` decides which of these comes next. What was found is sent
//! (`publish`) or asked for (`pull`). Scenarios and searches run in processes of their own (`run`). [`features`] answers what
//! editors ask about a place in a service.

pub mod features;

mod address;
mod ask;
mod canceled;
mod capabilities;
mod client;
mod config_error;
mod convert;
mod documents;
mod edit;
mod frame;
mod job;
mod known_workflows;
mod load;
mod message;
mod notifications;
mod outbox;
mod outline;
mod pending;
mod position;
mod process;
mod publish;
mod pull;
mod refresh;
mod requests;
mod root;
mod run;
mod schedule;
mod server;
mod service_scenarios;
mod settings;
mod stale;
mod state;
mod sync;
mod trace;
mod watch;

pub use run::{RUN_ARGUMENT, RunRequest};
pub use server::{End, ServerContext, serve};
