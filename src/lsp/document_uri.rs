//! URIs of documents, and the paths that they stand for.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::files::paths::clean;
use crate::text::uri::percent_encoded;

/// Identifies a document, however its URI is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentUri {
    File(PathBuf),
    /// The URI of a document that is not a file, such as `untitled:Untitled-1`.
    Other(String),
}

impl DocumentUri {
    pub fn of(uri: &str) -> Self {
        path_of(uri).map_or_else(|| Self::Other(uri.to_owned()), Self::File)
    }

    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Other(_) => None,
        }
    }
}

/// A URI. Clients may write that of a file in another form.
impl fmt::Display for DocumentUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&uri_of(path)),
            Self::Other(uri) => f.write_str(uri),
        }
    }
}

/// The absolute path of a `file:` URI.
fn path_of(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (host, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let path = path_of_bytes(decoded(path), if host.eq_ignore_ascii_case("localhost") { "" } else { host })?;
    let path = clean(&path);
    path.is_absolute().then_some(path)
}

#[cfg(unix)]
fn path_of_bytes(path: Vec<u8>, host: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    (host.is_empty() && !path.contains(&0)).then(|| PathBuf::from(std::ffi::OsString::from_vec(path)))
}

/// `/c:/a` is `c:\a`, and with a host `\\host\a`. The letter of the drive is in upper case, as the system has it.
#[cfg(not(unix))]
fn path_of_bytes(path: Vec<u8>, host: &str) -> Option<PathBuf> {
    let path = String::from_utf8(path).ok()?.replace('/', "\\");
    if !host.is_empty() {
        return Some(PathBuf::from(format!("\\\\{host}{path}")));
    }
    let path = path.trim_start_matches('\\');
    let (drive, rest) = path.split_at_checked(1)?;
    Some(PathBuf::from(format!("{}{rest}", drive.to_ascii_uppercase())))
}

/// Resolves `%41`; what only looks so is kept.
fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        rest = match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.extend(u8::try_from(high * 16 + low));
                after.get(2..).unwrap_or_default()
            }
            _ => {
                bytes.push(first);
                after
            }
        };
    }
    bytes
}

#[cfg(unix)]
fn uri_of(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let encode = |part: &[u8]| match std::str::from_utf8(part) {
        Ok(part) => percent_encoded(part),
        Err(_) => part.iter().map(|byte| format!("%{byte:02X}")).collect(),
    };
    let parts: Vec<String> = path.as_os_str().as_bytes().split(|&byte| byte == b'/').map(encode).collect();
    format!("file://{}", parts.join("/"))
}

#[cfg(not(unix))]
fn uri_of(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    match path.strip_prefix("//") {
        Some(share) => format!("file://{}", percent_encoded(share)),
        None => format!("file:///{}", percent_encoded(&path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_and_uris_of_files_correspond() {
        for (uri, path) in [
            ("file:///a/b%20c/%C3%A4.json", "/a/b c/ä.json"),
            ("file:///a/ä b.json", "/a/ä b.json"),
            ("FILE://localhost/a/../b%2Fc", "/b/c"),
            ("file:/a%", "/a%"),
        ] {
            assert_eq!(DocumentUri::of(uri), DocumentUri::File(path.into()), "{uri}");
            assert_eq!(
                DocumentUri::of(&DocumentUri::File(path.into()).to_string()),
                DocumentUri::File(path.into()),
                "{uri}"
            );
        }
    }

    #[test]
    fn other_documents_are_known_by_their_uri() {
        for uri in ["untitled:Untitled-1", "git:/a/b.json?{}", "", "no scheme", "vscode-notebook-cell:/a#b"] {
            assert_eq!(DocumentUri::of(uri), DocumentUri::Other(uri.to_owned()));
        }
    }

    #[cfg(windows)]
    #[test]
    fn drives_and_shares_of_windows_are_understood() {
        for uri in ["file:///c%3A/a/b.json", "file:///C:/a/b.json", "file:///c:/a/b.json"] {
            assert_eq!(DocumentUri::of(uri), DocumentUri::File("C:\\a\\b.json".into()), "{uri}");
        }
        assert_eq!(
            DocumentUri::of("file://server/share/b.json"),
            DocumentUri::File("\\\\server\\share\\b.json".into())
        );
    }
}
