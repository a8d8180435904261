//! What a change means (`wflint diff`): the activities, variables, fields and signing cases of two sides are matched,
//! and compared by meaning.
//!
//! `side` reads the two sides, `project` pairs their services. `tree` is the activities of a workflow or the fields of a
//! form; `matching` finds the items that are the same on both sides, and `members` compares them. `orders` explores both
//! sides. `result` has the differences as plain data.

mod canonical;
mod matching;
mod members;
mod orders;
mod project;
mod result;
mod service;
mod side;
mod texts;
mod tree;
mod tree_changes;
mod variables;

pub use orders::Exploration;
pub use project::{Comparison, Mode, compare};
pub use result::{
    Change, ChangeKind, ChangedFiles, Details, Diff, OrderEnd, Orders, ServiceChange, ServiceDiff, Sides, Spot, What,
};
pub use side::Side;
