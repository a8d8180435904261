//! The values of a scenario file with their places, the same for every syntax.

use std::sync::Arc;

use super::{Place, Problem};
use crate::source::Span;

/// Bytes of a file. A scenario is written by people; a parser may need a hundred times as much.
pub(super) const MOST_BYTES: usize = 1024 * 1024;
/// Levels of lists and maps. Whatever walks a tree may recurse this far.
pub(super) const MOST_LEVELS: usize = 64;
/// Bytes of a key: pointers repeat the keys above a value, and there is one for each value.
const MOST_KEY_BYTES: usize = 512;
/// Values, copies that aliases stand for included.
const MOST_VALUES: usize = 200_000;
/// Bytes of texts, copies included.
const MOST_TEXT: usize = 4 * MOST_BYTES;

/// A value and where it is written.
#[derive(Debug, Clone)]
pub(super) struct Value {
    /// What it is.
    pub shape: Shape,
    /// Its bytes in the file; for what an alias stands for, those of the alias.
    pub span: Span,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// A single text.
    Scalar(Scalar),
    /// Values in order.
    List(Vec<Value>),
    /// Values by key, in the order of the file; a key may be repeated.
    Map(Vec<Member>),
}

/// A single text. It is shared, so that copying a value does not copy its texts.
#[derive(Debug, Clone)]
pub(super) struct Scalar {
    /// What is written, escapes resolved where there were quotes.
    pub text: Arc<str>,
    /// How it is written.
    pub style: Style,
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Without quotes.
    Plain,
    /// With quotes, or as a block of lines.
    Quoted,
    /// Nothing: `null`, `~`, or no value at all.
    Null,
}

/// A value and its key.
#[derive(Debug, Clone)]
pub(super) struct Member {
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Value,
}

/// A key and where it is written.
#[derive(Debug, Clone)]
pub(super) struct Key {
    /// The key.
    pub text: Arc<str>,
    /// Its bytes in the file.
    pub span: Span,
}

impl Value {
    pub(super) fn scalar(text: &str, style: Style, span: Span) -> Self {
        Self { shape: Shape::Scalar(Scalar { text: text.into(), style }), span }
    }

    /// Whether it counts as not there.
    pub(super) const fn is_null(&self) -> bool {
        matches!(self.shape, Shape::Scalar(Scalar { style: Style::Null, .. }))
    }

    /// The value as if all of it were written at one place.
    pub(super) fn moved_to(mut self, span: Span) -> Self {
        self.move_to(span);
        self
    }

    fn move_to(&mut self, span: Span) {
        self.span = span;
        match &mut self.shape {
            Shape::Scalar(_) => {}
            Shape::List(values) => values.iter_mut().for_each(|value| value.move_to(span)),
            Shape::Map(members) => {
                for member in members {
                    member.key.span = span;
                    member.value.move_to(span);
                }
            }
        }
    }
}

/// What may still be read of a file.
#[derive(Debug)]
pub(super) struct Budget {
    values: usize,
    text: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { values: MOST_VALUES, text: MOST_TEXT }
    }
}

impl Budget {
    /// Pays for one value with this much text, lying under so many levels.
    pub(super) fn value(&mut self, text: usize, levels: usize, span: Span) -> Result<(), Problem> {
        if levels > MOST_LEVELS {
            return Err(at(span, format!("this is nested deeper than {MOST_LEVELS} levels")));
        }
        match (self.values.checked_sub(1), self.text.checked_sub(text)) {
            (Some(values), Some(text)) => {
                *self = Self { values, text };
                Ok(())
            }
            (None, _) => {
                Err(at(span, format!("the file has more than {MOST_VALUES} values, what aliases repeat included")))
            }
            (_, None) => Err(at(span, "the file has too much text, what aliases repeat included".to_owned())),
        }
    }

    /// Pays for a copy of a value that is put under so many levels.
    pub(super) fn copy(&mut self, value: &Value, levels: usize, span: Span) -> Result<(), Problem> {
        match &value.shape {
            Shape::Scalar(scalar) => self.value(scalar.text.len(), levels, span),
            Shape::List(values) => {
                self.value(0, levels + 1, span)?;
                values.iter().try_for_each(|value| self.copy(value, levels + 1, span))
            }
            Shape::Map(members) => {
                self.value(0, levels + 1, span)?;
                members.iter().try_for_each(|member| {
                    self.key(&member.key.text, span)?;
                    self.copy(&member.value, levels + 1, span)
                })
            }
        }
    }

    /// Pays for a key.
    pub(super) fn key(&mut self, key: &str, span: Span) -> Result<(), Problem> {
        if key.len() > MOST_KEY_BYTES {
            return Err(at(span, format!("this key is longer than {MOST_KEY_BYTES} bytes")));
        }
        self.text = self
            .text
            .checked_sub(key.len())
            .ok_or_else(|| at(span, "the file has too much text, what aliases repeat included".to_owned()))?;
        Ok(())
    }
}

/// A problem of the text itself, before anything in it has a pointer.
pub(super) fn at(span: Span, message: String) -> Problem {
    Problem { place: Place { pointer: String::new(), span }, message, help: None }
}

/// The bytes of a range on character boundaries of a text, as near to the given one as there are.
pub(super) fn span_within(text: &str, start: usize, end: usize) -> Span {
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        u32::try_from(at).unwrap_or(u32::MAX)
    };
    Span::new(boundary(start), boundary(end.max(start)))
}
