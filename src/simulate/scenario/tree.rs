//! The values of a scenario file with their spans, the same for every syntax, and how many there may be.

use std::path::Path;
use std::sync::Arc;

use super::model::Problem;
use crate::common::limits::MAX_SMALL_FILE_BYTES;
use crate::text::source::Span;

/// How a scenario file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScenarioSyntax {
    /// YAML 1.2, one document, without tags.
    Yaml,
    Json,
    Toml,
}

impl ScenarioSyntax {
    /// By the file's extension.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Value {
    pub shape: Shape,
    /// In the file; for a value that an alias repeats, the span of the alias.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum Shape {
    Scalar(Scalar),
    Array(Vec<Value>),
    /// In the order of the file; a key may be repeated.
    Object(Vec<Member>),
}

/// A string, or anything else that is not an array or object. All of them are read as they are
/// written. The text is shared, so that copying a value for an alias does not copy it.
#[derive(Debug, Clone)]
pub struct Scalar {
    /// As written; without the quotes, with escapes resolved.
    pub text: Arc<str>,
    pub style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// With quotes, or as a block of lines.
    Quoted,
    /// `null`, `~`, or no value at all.
    Null,
}

#[derive(Debug, Clone)]
pub struct Member {
    pub key: SpannedKey,
    pub value: Value,
}

#[derive(Debug, Clone)]
pub struct SpannedKey {
    pub text: Arc<str>,
    pub span: Span,
}

impl Value {
    pub fn scalar(text: &str, style: Style, span: Span) -> Self {
        Self { shape: Shape::Scalar(Scalar { text: text.into(), style }), span }
    }

    /// A null counts as a missing value.
    pub const fn is_null(&self) -> bool {
        matches!(self.shape, Shape::Scalar(Scalar { style: Style::Null, .. }))
    }

    /// The value with every span in it replaced: what an alias repeats is written at the alias.
    pub fn at_span(mut self, span: Span) -> Self {
        self.set_span(span);
        self
    }

    fn set_span(&mut self, span: Span) {
        self.span = span;
        match &mut self.shape {
            Shape::Scalar(_) => {}
            Shape::Array(values) => values.iter_mut().for_each(|value| value.set_span(span)),
            Shape::Object(members) => {
                for member in members {
                    member.key.span = span;
                    member.value.set_span(span);
                }
            }
        }
    }
}

/// The span of a range, with both ends moved back to character boundaries inside the text.
pub fn span_within(text: &str, start: usize, end: usize) -> Span {
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        u32::try_from(at).unwrap_or(u32::MAX)
    };
    Span::new(boundary(start), boundary(end.max(start)))
}

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
