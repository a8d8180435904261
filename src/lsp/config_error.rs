//! Errors of configurations, in the files that have them.

use std::path::{Path, PathBuf};

use gen_lsp_types::{Diagnostic, DiagnosticSeverity, Range};

use super::position::Encoding;
use crate::source::SourceFile;
use crate::text::character_length;

/// An error that makes a configuration unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file that has it, if it is known.
    pub path: Option<PathBuf>,
    /// From 1.
    place: Option<(u32, u32)>,
    message: String,
    /// With its place.
    pub reason: String,
}

impl ConfigError {
    /// Reads an error that may begin with its place.
    pub fn new(reason: &str) -> Self {
        for (end, _) in reason.match_indices(": ") {
            let (head, message) = (reason.get(..end).unwrap_or(""), reason.get(end + 2..).unwrap_or(""));
            let mut parts = head.rsplitn(3, ':');
            let (column, line, path) = (parts.next(), parts.next(), parts.next());
            let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
            if let (Some(column), Some(line), Some(path)) = (number(column), number(line), path) {
                let (path, place) = (Some(path.into()), Some((line, column)));
                return Self { path, place, message: message.to_owned(), reason: reason.to_owned() };
            }
        }
        let (head, message) = reason.split_once(": ").unwrap_or(("", reason));
        let path = Path::new(head.strip_prefix("cannot read ").unwrap_or(head));
        let message = if head.starts_with("cannot read ") { reason } else { message };
        let is_known = path.is_absolute();
        Self {
            path: is_known.then(|| path.to_path_buf()),
            place: None,
            message: if is_known { message } else { reason }.to_owned(),
            reason: reason.to_owned(),
        }
    }

    /// At its place in the text of the file: the character there.
    pub fn diagnostic(&self, text: &str, encoding: Encoding) -> Diagnostic {
        let source = SourceFile::new(PathBuf::new(), String::new(), text.into());
        let range = self.place.map(|(line, column)| {
            let start = source.line_start(line) as usize;
            let line = text.get(start..).unwrap_or_default();
            let skipped = column.saturating_sub(1) as usize;
            let skipped = if start == 0 && line.starts_with('\u{feff}') { skipped + 1 } else { skipped };
            let at = start + line.char_indices().nth(skipped).map_or(line.len(), |(at, _)| at);
            let position = |offset: usize| encoding.position(&source, u32::try_from(offset).unwrap_or(u32::MAX));
            Range { start: position(at), end: position(at + character_length(text, at)) }
        });
        Diagnostic {
            range: range.unwrap_or_default(),
            severity: Some(DiagnosticSeverity::Error),
            source: Some("wflint".to_owned()),
            message: self.message.clone().into(),
            ..Diagnostic::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn place_is_read_from_an_error() {
        let error = ConfigError::new("/a: b/wflint.toml:2:3: unknown key `a`: b");
        assert_eq!((error.path, error.place), (Some("/a: b/wflint.toml".into()), Some((2, 3))));
        assert_eq!(error.message, "unknown key `a`: b");
        let error = ConfigError::new("/a/wflint.toml: no pointer");
        assert_eq!(
            (error.path, error.place, error.message.as_str()),
            (Some("/a/wflint.toml".into()), None, "no pointer")
        );
        let error = ConfigError::new("cannot read /a/b.toml: no such file");
        assert_eq!(
            (error.path, error.message.as_str()),
            (Some("/a/b.toml".into()), "cannot read /a/b.toml: no such file")
        );
        assert_eq!(ConfigError::new("unknown rule selector `X`: y").path, None);
    }
}
