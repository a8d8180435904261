//! Draws a workflow as the structured program that it is: a vertical line of steps, branches that join again, loops,
//! and approvals with a lane for each event (docs/graph.md).
//!
//! [`Drawing::new`] makes a tree of blocks from a workflow; `svg` lays the tree out, `mermaid` and `dot` write it as a
//! `graph`. All strings of the document are redacted and made visible when the tree is made; each format only escapes
//! them for its own syntax. [`outline`] says in words what happens.

mod block;
mod build;
mod details;
mod dot;
mod durations;
mod graph;
mod mermaid;
pub mod outline;
mod svg;

pub use block::{Block, Drawing, Kind, Mark};
pub use build::{MAX_ACTIVITIES, find_part};
pub use details::Texts;
pub use durations::in_words;
pub use outline::{Outline, item_label};
pub use svg::{DRAWING_STYLE, SVG_PREFIX};
