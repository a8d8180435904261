//! Texts in messages. They are not cut here, as those of the linter are: a part of a masked value
//! would no longer be known as one. Reports hide first, and cut then.

/// A text in backticks.
pub fn quote(text: &str) -> String {
    format!("`{text}`")
}
