//! Old versions of files from a git repository. Nothing is checked out, and nothing that the repository configures is
//! run: no hooks, filters, helpers or remotes.

mod command;
mod renamed;
mod repository;

pub use command::{Blobs, ObjectId};
pub use repository::{Repository, Tree, converts_line_ends, ignore_settings};
