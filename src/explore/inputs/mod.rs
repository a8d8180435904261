//! What an order begins with: the values of form fields and of variables that are set from outside, and what else each
//! of them may be.

mod acceptance;
mod alternatives;
mod candidate;
mod choices;
mod comparisons;
mod equals;
mod input;
mod outside;
mod problems;
mod service;

pub use comparisons::{Compared, Comparisons};
pub use input::{Alternative, FieldInput, Inputs, Section};
pub use service::{Service, inputs};
