//! Quoted names and values in messages.

/// A string in backticks. Unlike the linter's `quote` it does not cut long strings: masking would
/// not find a part of a masked value. Reports mask first and cut then.
pub fn quote(text: &str) -> String {
    format!("`{text}`")
}

/// A value in double quotes, as the linter shows found strings. It is not cut either.
pub fn quote_value(text: &str) -> String {
    format!("\"{text}\"")
}
