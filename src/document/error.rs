//! Syntax errors of JSON.

/// The first reason why JSON cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    /// Byte offset of the error; the length of the text when something is missing at its end.
    pub offset: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// What was expected, for a message "expected …".
    Unexpected(&'static str),
    /// What an invalid string contains, for a message "… contains …".
    BadString(&'static str),
    /// Nested more deeply than the limit.
    TooDeep,
    /// More values than the limit, or more objects; for a message "too many …".
    TooMany(&'static str),
    /// The keys on the path to a value have more bytes together than the limit.
    LongKeys,
}
