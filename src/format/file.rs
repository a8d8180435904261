//! Formatting a file, whatever it holds.

use super::{NewIds, formatted};
use crate::config::Config;
use crate::document::Document;
use crate::project::{Content, File};
use crate::schema::DocumentKind;
use crate::source::SourceFile;

/// The text of a document in its stable form; `None` for a file that holds none.
///
/// # Errors
/// Why it cannot be formatted, with its name.
pub fn format_file(file: &File, config: &Config, ids: &NewIds) -> Result<Option<String>, String> {
    let document = formattable(file, config)?;
    Ok(document.map(|(kind, document)| formatted(document, kind, &config.fmt, ids)))
}

/// The document of a file; `None` for a file that holds none.
///
/// # Errors
/// Why it cannot be formatted, with its name.
pub fn formattable<'f>(file: &'f File, config: &Config) -> Result<Option<(DocumentKind, &'f Document)>, String> {
    let name = file.source.name.as_str();
    let failed = |reason: &str| Err(format!("cannot format {name}: {reason}"));
    match &file.content {
        Content::Document(kind, document) => match file.duplicate_key() {
            Some(reason) => failed(&reason),
            None => Ok(Some((*kind, document))),
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
