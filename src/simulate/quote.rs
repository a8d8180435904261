//! Quoted strings in messages.

/// A string in backticks. Unlike the linter's `quote` it does not cut long strings: masking would
/// not find a part of a masked value. Reports mask first and cut then.
pub fn quote(text: &str) -> String {
    format!("`{text}`")
}
