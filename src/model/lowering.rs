//! The input of lowering: turning a document into activities, bindings, variables and fields.

use crate::config::Types;
use crate::document::Document;
use crate::suggest::Suggester;

#[derive(Debug, Clone, Copy)]
pub struct Lowering<'d, 's> {
    pub document: &'d Document,
    /// Activity and field types declared in the configuration.
    pub types: &'s Types,
    /// Finds mistyped keys.
    pub suggester: &'s Suggester,
}
