//! One occurrence of a name.

use crate::lsp::features::snapshot::FileSpan;
use crate::lsp::features::symbol::{Role, Symbol};

/// A place with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    pub symbol: Symbol,
    /// The name alone, without quotes or braces.
    pub place: FileSpan,
    pub role: Role,
}
