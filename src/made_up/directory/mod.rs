//! Entries of a directory, made up for lookups: for those that a run has made ([`Directory`]), and for those that a
//! search comes to, with everything that they may find ([`AskedDirectory`]).

mod answer;
mod answers;
mod asked;
mod asked_entry;
mod complete;
mod looked_up;
mod properties;
mod searched;
#[cfg(test)]
mod tests;

pub use answer::Answer;
pub use asked::AskedDirectory;
pub use looked_up::{Directory, LookedUp, Lookup};
pub use properties::PropertyUses;
pub use searched::SearchedDirectory;
