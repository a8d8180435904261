//! What lowering reads.

use crate::config::Types;
use crate::document::Document;
use crate::suggest::Suggester;

/// What lowering needs beside the document.
#[derive(Debug, Clone, Copy)]
pub struct Lowering<'d> {
    /// The document.
    pub document: &'d Document,
    /// Activity and field types that the user declared.
    pub types: &'d Types,
    /// For mistyped member names.
    pub suggester: &'d Suggester,
}
