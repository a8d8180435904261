//! JSON text as a flat arena that keeps the place of every key and value. Knows only JSON.
//!
//! A container's children lie side by side in the arena, so that a node is a few numbers: where
//! its text is, where its children are. Nothing borrows; the text is shared with the source file.

mod arena;
mod edit;
mod escape;
mod key;
mod layout;
mod new_value;
mod node;
mod parse;
mod pointer;
mod scan;

pub(crate) use arena::whole_number;
pub use arena::{Document, Duplicate};
pub use edit::{Editor, removal_of, separate_removal};
pub(crate) use key::KeyTable;
pub(crate) use layout::Layout;
pub use new_value::NewValue;
pub use node::{NodeId, NodeKind};
pub use parse::Limits;
pub use pointer::{escape_step, is_pointer};
pub use scan::{SyntaxError, SyntaxErrorKind};
