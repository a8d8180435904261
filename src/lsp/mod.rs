//! The language server: the linter, on what is being typed.
//!
//! `server` reads messages and results, one at a time, and changes the state (`state`); a thread (`job`) loads folders,
//! lints services and reads scenarios meanwhile. `schedule` decides which of these comes next. What was found is sent
//! (`publish`) or asked for (`pull`). [`features`] answers what editors ask about a place in a service.

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
mod requests;
mod root;
mod schedule;
mod server;
mod settings;
mod state;
mod sync;
mod watch;

pub use server::{End, Surroundings, serve};
