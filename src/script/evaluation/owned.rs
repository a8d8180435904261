//! A request that borrows nothing, for another thread.

use std::sync::Arc;

use super::cache::Key;
use super::request::{EvaluationRequest, ScriptParameter};
use crate::script::syntax::Script;

/// An [`EvaluationRequest`] with all that it needs.
pub struct OwnedRequest {
    syntax: Arc<Script>,
    key: Key,
}

impl OwnedRequest {
    /// Copies a request. The analysis of the script is shared.
    pub fn new(request: &EvaluationRequest<'_>) -> Self {
        Self { syntax: Arc::clone(request.syntax), key: Key::new(request) }
    }

    /// The request, with the same result as the one that was copied.
    pub fn request(&self) -> EvaluationRequest<'_> {
        let Self { syntax, key: Key { script, parameters, hosts, limits } } = self;
        let parameters = parameters.iter().map(|(name, input, tries_empty)| ScriptParameter {
            name,
            input: input.clone(),
            may_be_empty: *tries_empty,
        });
        let hosts = hosts.iter().map(String::as_str).collect();
        EvaluationRequest { script, syntax, parameters: parameters.collect(), hosts, limits: *limits }
    }

    /// What decides the result.
    pub(super) const fn key(&self) -> &Key {
        &self.key
    }

    /// An estimate of its memory, in bytes.
    pub fn memory(&self) -> usize {
        8 * self.key.size()
    }
}
