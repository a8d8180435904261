//! The initial values of an order: form fields and variables that are set from outside, with the alternatives of each.

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
pub use outside::Declarations;
pub use service::{Service, inputs};
