//! What editors ask about a document: one file each, with the handling of its requests.
//!
//! The questions about a place in a service take a [`Snapshot`] of its files, and answer with plain data in byte spans; an
//! `Ask` puts them to the services that a document is about.

pub(super) mod code_actions;
pub(super) mod commands;
pub(super) mod completion;
pub(super) mod drawing;
pub(super) mod edits;
pub(super) mod hover;
pub(super) mod inlay_hints;
pub(super) mod navigation;
pub(super) mod plays;
pub(super) mod rename;
pub(super) mod symbols;

mod ask;
mod cursor;
mod occurrences;
mod renamed_places;
mod snapshot;

pub use completion::{Completion, CompletionKind, completions};
pub use hover::hover;
pub use inlay_hints::inlay_hints;
pub use navigation::{definition, highlights, references};
pub use rename::{prepare_rename, rename};
pub use snapshot::{FileSpan, OtherFile, ServiceAnalysis, Snapshot};
