//! The values of a scenario file with their spans, the same for every syntax.

use std::sync::Arc;

use crate::source::Span;

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
    pub key: Key,
    pub value: Value,
}

#[derive(Debug, Clone)]
pub struct Key {
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
