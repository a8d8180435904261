//! Search filters (RFC 4515): `tree` is what `parse` makes of a string, one `comparison` after the other.

mod comparison;
mod parse;
mod tree;

pub use tree::{Filter, FilterError, MAX_BYTES, MAX_DEPTH};
pub(super) use tree::{Item, Node, Test};
