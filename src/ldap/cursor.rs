//! The text of a filter and the place that is read next.

use std::ops::Range;

use super::filter::FilterError;

pub type Parsed<T> = Result<T, FilterError>;

pub struct Cursor<'t> {
    pub text: &'t str,
    /// The byte that is read next; always on a character boundary.
    pub at: usize,
}

impl<'t> Cursor<'t> {
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn accept(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    /// The next characters up to one of these, or to the end.
    pub fn until(&mut self, ends: &[char]) -> &'t str {
        let rest = self.rest();
        let found = rest.find(ends).and_then(|length| rest.get(..length)).unwrap_or(rest);
        self.at += found.len();
        found
    }

    pub fn missing_end(&self, open: usize) -> FilterError {
        let column = self.text.get(..open).unwrap_or_default().chars().count() + 1;
        let end = self.text.len();
        error(end..end, format!("missing `)` for the `(` at column {column}"))
    }

    /// The error for white space that is next.
    pub fn whitespace(&self, place: &str) -> FilterError {
        let rest = self.rest();
        let span = self.at..self.at + rest.len() - rest.trim_start().len();
        error(span, format!("unexpected white space {place}")).with_help("remove it")
    }
}

pub fn error(span: Range<usize>, message: impl Into<String>) -> FilterError {
    FilterError { span, message: message.into(), help: None, exceeds_limit: false }
}

impl FilterError {
    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}
