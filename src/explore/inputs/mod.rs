//! The initial values of an order: form fields and variables that are set from outside, with the alternatives of each.

mod alternatives;
mod candidate;
mod outside;
mod service;

pub use outside::Declarations;
pub use service::{Service, inputs};

use serde_json::Value;

use crate::synth::{Comparisons, Submitted};

#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The usual values, by field, or by variable for a workflow without a form.
    pub submit: Vec<(String, Submitted)>,
    /// The usual values, by variable.
    pub variables: Vec<(String, Submitted)>,
    /// The values that may be chosen.
    pub fields: Vec<FieldInput>,
    /// The entries of people whom the form lets a person choose; none when a directory is given.
    pub people: Vec<Value>,
    /// Why the service cannot be explored, one sentence each.
    pub problems: Vec<String>,
    /// What the workflow compares its variables with.
    pub comparisons: Comparisons,
    /// The assumptions of the choices, as sentences without a period.
    pub assumptions: Vec<String>,
}

/// A variable with the values that it may have at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldInput {
    pub section: Section,
    /// The key in the section.
    pub name: String,
    pub variable: String,
    /// The usual one first.
    pub alternatives: Vec<Alternative>,
}

/// The key of a scenario that holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Submit,
    Variables,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    pub value: Submitted,
    /// The field is left empty, although it could be filled in.
    pub is_nothing: bool,
}
