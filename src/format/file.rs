//! Formatting a file, whatever it holds.

use super::{NewIds, formatted};
use crate::config::Config;
use crate::project::{Content, File};
use crate::source::SourceFile;

/// The text of a document in its stable form; `None` for a file that holds none.
///
/// # Errors
/// Why it cannot be formatted, with its name.
pub fn format_file(file: &File, config: &Config, ids: &NewIds) -> Result<Option<String>, String> {
    let name = file.source.name.as_str();
    let failed = |reason: &str| Err(format!("cannot format {name}: {reason}"));
    match &file.content {
        Content::Document(kind, document) => match file.duplicate_key() {
            Some(reason) => failed(&reason),
            None => Ok(Some(formatted(document, *kind, &config.fmt, ids))),
        },
        Content::Unrelated(_) | Content::Resembling(..) => Ok(None),
        Content::Invalid(error) => {
            let limit = error.kind.exceeded_limit(config.max_depth);
            let reason = limit.unwrap_or_else(|| "invalid JSON".to_owned());
            failed(&format!("{reason}{}", place(&file.source, error.offset)))
        }
        Content::OtherEncoding(_) | Content::NotUtf8(_) => failed("not encoded in UTF-8"),
        Content::TooLarge(limit) => failed(&format!("larger than the limit of {} MiB", limit >> 20)),
    }
}

fn place(source: &SourceFile, offset: u32) -> String {
    let position = source.position(offset);
    format!(" at line {}, column {}", position.line, position.column)
}
