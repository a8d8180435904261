//! From the tree of values to a scenario.

mod environment;
mod expectations;
mod fields;
mod keys;
mod people;
mod reader;
mod root;
mod units;
mod value_ref;

pub use root::read;
