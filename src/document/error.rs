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
    /// More of something than the limit, for a message "too many …".
    TooMany(&'static str),
}

impl SyntaxErrorKind {
    /// The limit that a document exceeds, in words; `None` for other errors.
    pub fn exceeded_limit(self, max_depth: usize) -> Option<String> {
        match self {
            Self::Unexpected(_) | Self::BadString(_) => None,
            Self::TooDeep => Some(format!("document nested deeper than {max_depth} levels")),
            Self::TooMany(what) => Some(format!("too many {what}")),
        }
    }
}
