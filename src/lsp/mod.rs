//! The language server: lints documents while they are edited.
//!
//! `server` takes messages and results, one at a time, and changes the `state`; threads (`queue`) do the `jobs` meanwhile.
//! What they find is sent or asked for (`diagnostics`); runs are processes of their own (`run`). [`features`] answers what
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
mod picture;
mod position;
mod queue;
mod requests;
mod root;
mod run;
mod server;
mod settings;
mod state;

pub use picture::{Asked, Picture, PictureAnswer};
pub use position::Encoding;
pub use run::{Order, PlaysOrder, RUN_ARGUMENT, Report, RunRequest, Runs, Wanted, Work};
pub use server::{End, ServerContext, serve};
