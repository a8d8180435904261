//! The outputs of a provider call, or its error.

use std::borrow::Cow;
use std::sync::Arc;

use crate::document::NodeId;

/// In the order in which they are written to variables.
#[derive(Debug, Default)]
pub struct Outputs<'p>(pub Vec<Output<'p>>);

#[derive(Debug)]
pub struct Output<'p> {
    /// The name of the variable without the prefix.
    pub property: Cow<'p, str>,
    pub value: Arc<str>,
    /// A default of the method that was not requested: no warning when no variable has its name.
    pub is_default: bool,
}

impl<'p> Output<'p> {
    pub fn requested(property: impl Into<Cow<'p, str>>, value: Arc<str>) -> Self {
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
