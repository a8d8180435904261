//! What a change means (`wflint diff`): the activities, variables, fields and signing cases of two sides are matched,
//! and compared by meaning.
//!
//! `side` reads the two sides, `project` pairs their services and `documents` the documents of a service. `tree` is the
//! activities of a workflow or the fields of a form; `matching` finds the items that are the same on both sides, and
//! `members` compares them. `orders` explores both sides. `result` and `changed_orders` are the differences as plain
//! data.

mod binding;
mod canonical;
mod cases;
mod changed_orders;
mod documents;
mod likeness;
mod matching;
mod members;
mod moved;
mod number;
mod orders;
mod places;
mod project;
mod relocated;
mod renames;
mod result;
mod scripts;
mod service;
mod side;
mod spot;
mod texts;
mod tree;
mod tree_changes;
mod variables;

pub use changed_orders::{OrderEnd, Orders, Sides};
pub use orders::Exploration;
pub use project::{Comparison, Mode, compare};
pub use result::{Change, ChangeKind, ChangedFiles, Details, Diff, ServiceChange, ServiceDiff, Spot, What};
pub use side::Side;
