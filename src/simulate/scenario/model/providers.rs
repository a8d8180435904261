//! What a scenario says of provider calls.

use std::sync::Arc;

use crate::simulate::scenario::location::Spanned;

/// A provider call that fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub method: Spanned<String>,
    /// Which call of the method fails, from 1; every one when `None`.
    pub call: Option<u64>,
    pub error: String,
}

/// The results of one method, one for each call.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderResults {
    /// At the location of the key.
    pub method: Spanned<String>,
    pub results: Vec<Spanned<ProviderResult>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderResult {
    /// Names without prefix, and values.
    Outputs(Vec<(String, Arc<str>)>),
    /// The call fails with this message.
    Error(String),
}
