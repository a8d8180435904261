//! The outputs of a provider call, or its error.

use std::sync::Arc;

use crate::document::NodeId;

/// In the order in which they are written to variables.
#[derive(Debug, Default)]
pub struct Outputs(pub Vec<Output>);

#[derive(Debug)]
pub struct Output {
    /// The name of the variable without the prefix.
    pub property: String,
    pub value: Arc<str>,
    /// A default of the method that was not requested: no warning when no variable has its name.
    pub is_default: bool,
}

impl Output {
    pub fn requested(property: impl Into<String>, value: Arc<str>) -> Self {
        Self { property: property.into(), value, is_default: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    pub message: String,
    /// The parameter at fault.
    pub node: Option<NodeId>,
}

impl CallError {
    /// An error that no parameter causes.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), node: None }
    }
}
