//! Everything that orders can do: the states of a workflow, with every choice that people, providers and time can make, and
//! how orders can end.

mod all;
mod assumptions;
mod breaks;
mod candidates;
mod compared;
mod cover;
mod directory;
mod ends;
mod explored;
mod given_directory;
pub mod inputs;
pub mod laws;
mod order;
mod order_form;
mod possible;
mod project;
mod results;
mod sampled;
mod scenario;
mod search;
mod service;
mod shown;
#[cfg(test)]
pub(crate) mod test_data;
mod timeline;

pub use all::explore_project;
pub use cover::cover;
pub use ends::{Ending, without_ids};
pub use explored::*;
pub use given_directory::given_directory;
pub use project::ExploredProject;
pub use service::{Covers, Request, ServiceResult, explore_service};
