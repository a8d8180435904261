//! What lowering reads.

use crate::config::Types;
use crate::document::Document;
use crate::suggest::Suggester;

/// The input of lowering.
#[derive(Debug, Clone, Copy)]
pub struct Lowering<'d> {
    pub document: &'d Document,
    /// Activity and field types declared in the configuration.
    pub types: &'d Types,
    /// For mistyped keys.
    pub suggester: &'d Suggester,
}
