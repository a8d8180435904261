//! The encodings of PowerShell files (`about_Character_Encoding`).

use crate::project::Encoding;

/// Why a file cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodeError {
    /// At a byte.
    NotUtf8(usize),
    Other(&'static str),
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotUtf8(byte) => {
                write!(f, "invalid UTF-8 at byte {byte}; save the file as UTF-8")
            }
            Self::Other(encoding) => write!(f, "encoded in {encoding}; save the file as UTF-8"),
        }
    }
}

/// The text of a file in UTF-8 or UTF-16, without the byte-order mark.
///
/// # Errors
/// The file is in another encoding.
pub fn decode(bytes: &[u8]) -> Result<String, DecodeError> {
    match Encoding::of(bytes) {
        Some(encoding @ (Encoding::Utf16Le | Encoding::Utf16Be)) => return Ok(encoding.decode(bytes)),
        Some(other) => return Err(DecodeError::Other(other.name())),
        None => {}
    }
    let text = std::str::from_utf8(bytes).map_err(|error| DecodeError::NotUtf8(error.valid_up_to()))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}
