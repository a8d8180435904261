//! The language server: lints documents while they are edited.
//!
//! `server` reads messages and results, one at a time, and changes the state (`state`); threads (`queue`) load
//! folders, lint services and read scenarios meanwhile; `jobs` decides which of these comes next. What was found is sent or
//! asked for (`diagnostics`). Scenarios and searches run in processes of their own (`run`). [`features`] answers what
//! editors ask about a document.

pub mod features;

mod capabilities;
mod client;
mod connection;
mod convert;
mod diagnostics;
mod document_uri;
mod documents;
mod jobs;
mod known_workflows;
mod load;
mod notifications;
mod outbox;
mod pending;
mod position;
mod queue;
mod requests;
mod root;
mod run;
mod server;
mod settings;
mod state;

pub use run::{RUN_ARGUMENT, RunRequest};
pub use server::{End, ServerContext, serve};
