//! Reading the files that configure a run.

use std::fs::Metadata;
use std::io::Read;
use std::path::Path;

/// Bytes of a configuration, catalog or baseline.
const MAX_BYTES: u64 = 64 << 20;

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    Missing,
    /// The reason, in words.
    Other(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("no such file"),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

/// Reads a regular text file, also through a link. Pipes and devices are refused, because reading
/// one may never end.
///
/// # Errors
/// Why the file cannot be read.
pub fn read_regular(path: &Path) -> Result<String, ReadError> {
    let other = |reason: String| Err(ReadError::Other(reason));
    match std::fs::metadata(path) {
        Ok(metadata) => match irregular(&metadata) {
            Some(found) => return other(format!("expected a regular file, found {found}")),
            None if metadata.len() > MAX_BYTES => return other(format!("larger than {} MiB", MAX_BYTES >> 20)),
            None => {}
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && is_link(path) => {
            return other("broken link".to_owned());
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(ReadError::Missing),
        Err(error) => return other(error.to_string()),
    }
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    if let Err(error) = read {
        return other(error.to_string());
    }
    String::from_utf8(bytes)
        .or_else(|error| other(format!("invalid UTF-8 at byte {}", error.utf8_error().valid_up_to())))
}

/// Whether there is anything at a path, even what cannot be read, such as a broken link.
pub fn is_present(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
    }
}

fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

/// What a file is, unless it is a regular one.
fn irregular(metadata: &Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a folder")
    } else {
        Some("a pipe or device")
    }
}
