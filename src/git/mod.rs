//! Old versions of files from a git repository. Nothing is checked out, and nothing that the repository configures is
//! run: no hooks, filters, helpers or remotes.

mod blobs;
mod command;
mod listing;
mod object;
mod repository;

pub use blobs::Blobs;
pub use object::ObjectId;
pub use repository::{Repository, Tree};
