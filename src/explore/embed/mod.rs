//! The states that a search has recorded, as a graph for a reader who chooses what happens (`graph`, with the choices in
//! `words`), and what Status activities publish and Approvals decide (`published`).

mod graph;
mod published;
mod words;

pub use graph::Embedder;
