//! The open documents, and their changes (`contentChanges`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::{Position, Range};
use serde::Deserialize;
use serde_json::Value;

use super::connection::Failure;
use super::document_uri::DocumentUri;
use super::position::Encoding;
use crate::config::FILE_NAME;
use crate::files::read::Unsaved;
use crate::lint::Checked;
use crate::project::is_json;

#[derive(Debug, Clone)]
pub struct OpenDocument {
    /// As the client writes it.
    pub uri: String,
    pub version: i32,
    pub language: String,
    pub text: Arc<str>,
    /// The last text that was a document.
    pub last_valid: Option<Arc<str>>,
    /// What was found in the service then.
    pub last_checked: Option<Arc<Checked>>,
}

#[derive(Debug, Default)]
pub struct Documents {
    open: BTreeMap<DocumentUri, OpenDocument>,
}

impl Documents {
    pub fn open(&mut self, uri: DocumentUri, document: OpenDocument) {
        self.open.insert(uri, document);
    }

    /// Whether it was open.
    pub fn close(&mut self, uri: &DocumentUri) -> bool {
        self.open.remove(uri).is_some()
    }

    pub fn get(&self, uri: &DocumentUri) -> Option<&OpenDocument> {
        self.open.get(uri)
    }

    pub fn get_mut(&mut self, uri: &DocumentUri) -> Option<&mut OpenDocument> {
        self.open.get_mut(uri)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&DocumentUri, &OpenDocument)> {
        self.open.iter()
    }

    /// The documents that are files, whose texts replace those on disk.
    pub fn unsaved(&self) -> Unsaved {
        let files = self.open.iter();
        Unsaved::texts(
            files.filter_map(|(uri, document)| Some((uri.path()?.to_path_buf(), Arc::clone(&document.text)))),
        )
    }

    /// The URIs of open files, as the client writes them.
    pub fn uris(&self) -> BTreeMap<PathBuf, String> {
        let files = self.open.iter();
        files.filter_map(|(uri, document)| Some((uri.path()?.to_path_buf(), document.uri.clone()))).collect()
    }

    /// The URI of a document, as the client writes it.
    pub fn uri_as_written(&self, uri: &DocumentUri) -> String {
        self.get(uri).map_or_else(|| uri.to_string(), |document| document.uri.clone())
    }
}

/// Whether a document may be one that is linted.
pub fn may_be_document(uri: &DocumentUri, document: &OpenDocument) -> bool {
    match uri {
        DocumentUri::File(path) => is_json(path),
        DocumentUri::Other(_) => matches!(document.language.as_str(), "json" | "jsonc" | "json5" | "" | "wflint"),
    }
}

/// Whether a document is named as a configuration.
pub fn is_config(uri: &DocumentUri) -> bool {
    uri.path().and_then(std::path::Path::file_name).is_some_and(|name| name == FILE_NAME)
}

/// A change of a document: of the whole text, without a range. Read here and not by the types of the protocol: those take a
/// change with an invalid range for one of the whole text.
#[derive(Debug, Clone, Deserialize)]
pub struct Change {
    #[serde(default)]
    range: Option<Range>,
    text: String,
}

impl Change {
    /// Reads `contentChanges`.
    pub fn all(changes: Value) -> Result<Vec<Self>, Failure> {
        serde_json::from_value(changes).map_err(|error| Failure::params(format!("invalid change: {error}")))
    }
}

/// The text after changes, one after the other: the positions of each are those in the text that the changes before it
/// leave.
pub fn apply(text: &str, changes: Vec<Change>, encoding: Encoding) -> String {
    let mut changed = Cow::Borrowed(text);
    for Change { range, text: new } in changes {
        let Some(Range { start, end }) = range else {
            changed = Cow::Owned(new);
            continue;
        };
        let (start, end) = if key(start) <= key(end) { (start, end) } else { (end, start) };
        let (start, end) = encoding.offsets(&changed, start, end);
        let [before, after] = [changed.get(..start), changed.get(end..)].map(Option::unwrap_or_default);
        changed = Cow::Owned([before, &new, after].concat());
    }
    changed.into_owned()
}

const fn key(position: Position) -> u64 {
    ((position.line as u64) << 32) | position.character as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The byte of a position, character by character.
    fn offset(text: &str, position: Position, encoding: Encoding) -> usize {
        let mut at = 0;
        for _ in 0..position.line {
            let Some(end) = text.get(at..).unwrap().find(['\n', '\r']) else { return text.len() };
            at += end + if text.get(at + end..).unwrap().starts_with("\r\n") { 2 } else { 1 };
        }
        let mut units = 0;
        for character in text.get(at..).unwrap().chars().take_while(|character| !['\n', '\r'].contains(character)) {
            units += if encoding == Encoding::Utf8 { character.len_utf8() } else { character.len_utf16() };
            if units > position.character as usize {
                break;
            }
            at += character.len_utf8();
        }
        at
    }

    fn text() -> impl Strategy<Value = String> {
        const PIECES: [&str; 11] =
            ["a", "\"", "\n", "\r", "\r\n", "é", "e\u{301}", "\u{1f600}", "\u{2028}", "\u{feff}", ""];
        prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat())
    }

    fn position() -> impl Strategy<Value = Position> {
        (0..6_u32, 0..10_u32).prop_map(|(line, character)| Position { line, character })
    }

    fn change() -> impl Strategy<Value = Change> {
        let range = prop::option::weighted(0.9, (position(), position()).prop_map(|(start, end)| Range { start, end }));
        (range, text()).prop_map(|(range, text)| Change { range, text })
    }

    proptest! {
        #[test]
        fn changes_do_what_a_plain_model_does(
            start in text(),
            changes in prop::collection::vec(change(), 0..6),
            is_utf8 in any::<bool>(),
        ) {
            let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
            let mut model = start.clone();
            for Change { range, text } in &changes {
                let Some(range) = range else {
                    model.clone_from(text);
                    continue;
                };
                let (a, b) = (offset(&model, range.start, encoding), offset(&model, range.end, encoding));
                model = format!("{}{text}{}", model.get(..a.min(b)).unwrap(), model.get(a.max(b)..).unwrap());
            }
            prop_assert_eq!(apply(&start, changes, encoding), model);
        }
    }
}
