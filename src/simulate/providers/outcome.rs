//! What a provider call gives, or why it fails.

use std::sync::Arc;

use crate::document::NodeId;

/// The values that a call gives, in order.
#[derive(Debug, Default)]
pub struct Outputs(pub Vec<Output>);

#[derive(Debug)]
pub struct Output {
    /// The name of the variable without the prefix.
    pub property: String,
    pub value: Arc<str>,
    /// The method gives it unasked, and so nothing is lost when no variable takes it.
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
