//! Answers to what an editor asks about a place in a file of a service: plain data with byte spans.
//!
//! A [`Snapshot`] holds the files of the service. Each question has a file of its own: [`definition()`],
//! [`references()`], [`highlights()`], [`rename()`], [`hover()`], [`inlay_hints()`], [`completions()`].

mod analysis;
mod completion;
mod cursor;
mod definition;
mod highlights;
mod hover;
mod inlay_hints;
mod occurrences;
mod references;
mod rename;
mod snapshot;
mod symbol;

pub use analysis::ServiceAnalysis;
pub use completion::{Completion, CompletionKind, completions};
pub use definition::{Definition, definition};
pub use highlights::{Highlight, HighlightKind, highlights};
pub use hover::{Hover, hover};
pub use inlay_hints::{InlayHint, inlay_hints};
pub use references::references;
pub use rename::{Renamable, prepare_rename, rename};
pub use snapshot::{FileSpan, OtherFile, Snapshot};
