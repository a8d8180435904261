//! Changes of documents.

use gen_lsp_types::{Position, Range};
use serde::Deserialize;
use serde_json::Value;

use super::message::Failure;
use super::position::Encoding;

/// A change of a text: of all of it, without a range. Read here and not by the types of the protocol: those take a
/// change with an invalid range for one of the whole text.
#[derive(Debug, Clone, Deserialize)]
pub struct Change {
    #[serde(default)]
    range: Option<Range>,
    text: String,
}

impl Change {
    /// Reads `contentChanges`.
    ///
    /// # Errors
    /// When one of them is invalid: then none counts.
    pub fn all(changes: Value) -> Result<Vec<Self>, Failure> {
        serde_json::from_value(changes).map_err(|error| Failure::params(format!("invalid change: {error}")))
    }
}

/// Applies changes one after the other: the positions of each are those in the text that the changes before it leave.
pub fn apply(text: &mut String, changes: Vec<Change>, encoding: Encoding) {
    for Change { range, text: new } in changes {
        match range {
            None => *text = new,
            Some(Range { start, end }) => {
                let (start, end) = if key(start) <= key(end) { (start, end) } else { (end, start) };
                let (start, end) = (encoding.offset(text, start), encoding.offset(text, end));
                text.replace_range(start..end, &new);
            }
        }
    }
}

const fn key(position: Position) -> u64 {
    ((position.line as u64) << 32) | position.character as u64
}
