//! Small changes of workflows, "mutants": one that no scenario notices shows what the scenarios do not check
//! (docs/coverage.md).
//!
//! `all` lists the changes of a workflow: `conditions`, `activities`, `texts` and `parameters` have a kind each. `changed`
//! finds the activities that a git revision did not have. `prepared` finds the workflows and `run` tries the changes:
//! first by their scenarios, then by the errors that lint (`errors`) adds. `accepted` are the entries of the configuration.

mod accepted;
mod activities;
mod all;
mod change;
mod changed;
mod conditions;
mod edit;
mod errors;
mod found;
mod parameters;
mod prepared;
mod run;
mod target;
#[cfg(test)]
mod tests;
mod texts;
mod trial;

pub use found::{Mutants, Survivor};
pub use prepared::{Prepared, Request};
pub use run::Watcher;
