//! The line ends of formatted documents.

use std::path::Path;

use crate::config::LineEnding;
use crate::git::converts_line_ends;

/// A formatted text, which has LF, with the line ends that the file at a path should have.
pub(super) fn with_line_ends(text: String, before: &str, path: &Path, wanted: LineEnding) -> String {
    if has_crlf(before, path, wanted) { text.replace('\n', "\r\n") } else { text }
}

fn has_crlf(before: &str, path: &Path, wanted: LineEnding) -> bool {
    let crlf = before.matches("\r\n").count();
    let lf = before.matches('\n').count() - crlf;
    match wanted {
        LineEnding::Lf if crlf == 0 => false,
        LineEnding::Crlf if lf == 0 => true,
        // Where git converts, those of the working tree are not the committed ones, and would be converted back.
        LineEnding::Lf | LineEnding::Crlf if !converts_line_ends(path) => wanted == LineEnding::Crlf,
        LineEnding::Lf | LineEnding::Crlf | LineEnding::Auto => crlf > lf,
    }
}
