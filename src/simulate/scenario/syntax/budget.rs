//! What a scenario file may hold. A scenario is written by hand; a hostile one must not make a
//! parser take much memory or time, also not by aliases that repeat aliases.

use super::tree::{Shape, Value};
use crate::limits::MAX_SMALL_FILE_BYTES;
use crate::simulate::scenario::location::Problem;
use crate::source::Span;

/// Levels of arrays and objects. Whatever walks a tree may recurse this far.
pub const MAX_LEVELS: usize = 64;
/// Bytes of a key. Pointers repeat the keys above a value, and there is one for each value.
pub const MAX_KEY_BYTES: usize = 512;
/// Values, copies by aliases included.
const MAX_VALUES: usize = 200_000;
/// Bytes of strings and keys, copies included.
const MAX_TEXT: usize = 4 * MAX_SMALL_FILE_BYTES;

/// How much more of a file may be read. Parsers pay for every value before they keep it.
#[derive(Debug)]
pub struct Budget {
    values: usize,
    text: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { values: MAX_VALUES, text: MAX_TEXT }
    }
}

impl Budget {
    /// Counts one value of `text` bytes at a depth of `levels`.
    pub fn value(&mut self, text: usize, levels: usize, span: Span) -> Result<(), Problem> {
        if levels > MAX_LEVELS {
            return Err(Problem::at(span, format!("nested deeper than {MAX_LEVELS} levels")));
        }
        match (self.values.checked_sub(1), self.text.checked_sub(text)) {
            (Some(values), Some(text)) => {
                *self = Self { values, text };
                Ok(())
            }
            (None, _) => Err(Problem::at(span, format!("more than {MAX_VALUES} values with all aliases expanded"))),
            (_, None) => Err(Problem::at(span, "too much text with all aliases expanded".to_owned())),
        }
    }

    /// Counts a copy of a value, with everything in it, at a depth of `levels`.
    pub fn copy(&mut self, value: &Value, levels: usize, span: Span) -> Result<(), Problem> {
        match &value.shape {
            Shape::Scalar(scalar) => self.value(scalar.text.len(), levels, span),
            Shape::Array(values) => {
                self.value(0, levels + 1, span)?;
                values.iter().try_for_each(|value| self.copy(value, levels + 1, span))
            }
            Shape::Object(members) => {
                self.value(0, levels + 1, span)?;
                members.iter().try_for_each(|member| {
                    self.key(&member.key.text, span)?;
                    self.copy(&member.value, levels + 1, span)
                })
            }
        }
    }

    pub fn key(&mut self, key: &str, span: Span) -> Result<(), Problem> {
        if key.len() > MAX_KEY_BYTES {
            return Err(Problem::at(span, format!("key longer than {MAX_KEY_BYTES} bytes")));
        }
        self.text = self
            .text
            .checked_sub(key.len())
            .ok_or_else(|| Problem::at(span, "too much text with all aliases expanded".to_owned()))?;
        Ok(())
    }
}
