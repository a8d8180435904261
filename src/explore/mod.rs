//! Exploration: visits all states that the orders of a service can reach, with every choice that people, providers and
//! time can make, and finds how orders can end.
//!
//! `service` explores one service: `inputs` finds what an order may begin with, `search` visits the states, and `laws`
//! judges the runs. `replay` turns the runs of a search into scenarios (`scenario`) and plain data for reports
//! (`explored`); `embed` makes the states and moves that a search has recorded into a graph (`state_graph`). `project` explores the services of a project, and judges the laws over all of them.

mod breaks;
mod cover;
mod embed;
mod ends;
mod explored;
mod given_directory;
pub mod inputs;
pub mod laws;
mod left_out;
mod order;
mod project;
mod reached;
mod replay;
mod results;
mod run_events;
mod scenario;
mod search;
mod service;
mod shown;
mod state_graph;
#[cfg(test)]
pub(crate) mod test_data;
mod timeline;

pub use cover::cover;
pub use ends::{Ending, without_ids};
pub use explored::*;
pub use given_directory::given_directory;
pub use order::OrderForms;
pub use project::{ExploredProject, explore_project};
pub use service::{Covers, Request, ServiceResult, explore_service};
pub use state_graph::{GraphCycle, GraphEnd, GraphMove, GraphState, StateGraph};
