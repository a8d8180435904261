//! Strings in a run, and what they mean as numbers and booleans.

use std::sync::Arc;

use crate::model::Locales;

/// A string of a document, or one that the run built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text<'p> {
    Document(&'p str),
    Built(Arc<str>),
}

impl Text<'_> {
    pub fn as_str(&self) -> &str {
        match self {
            Self::Document(text) => text,
            Self::Built(text) => text,
        }
    }
}

/// The decimal number in a string, blanks around it ignored; `inf` and `nan` are not numbers.
pub fn number(text: &str) -> Option<f64> {
    decimal(text.trim()).filter(|number| number.is_finite())
}

/// A number as JSON writes it; `f64` itself also takes words such as `inf`. Infinite when it is too large.
pub fn decimal(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    is_number.then(|| text.parse().ok())?
}

/// The boolean in a string, in any case, blanks around it ignored.
pub fn boolean(text: &str) -> Option<bool> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("true") {
        return Some(true);
    }
    text.eq_ignore_ascii_case("false").then_some(false)
}

/// The translation for a culture, or the first one.
pub fn translation<'p>(texts: &Locales<'p>, culture: &str) -> &'p str {
    let exact = texts.iter().find(|entry| entry.locale == culture);
    let found = exact
        .or_else(|| texts.iter().find(|entry| entry.locale.eq_ignore_ascii_case(culture)))
        .or_else(|| texts.first());
    found.and_then(|entry| entry.text).unwrap_or_default()
}
