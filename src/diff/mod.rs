//! What a change of documents means: activities, variables, fields and signing cases of two sides are found in each
//! other, and compared by meaning.

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
pub use result::{Change, ChangeKind, Details, Diff, ServiceChange, ServiceDiff, Spot, What};
pub use side::Side;
