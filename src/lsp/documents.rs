//! The open documents.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::address::Address;
use crate::config::FILE_NAME;
use crate::project::is_json;
use crate::read::Unsaved;

#[derive(Debug, Clone)]
pub struct OpenDocument {
    /// As the client writes it.
    pub uri: String,
    pub version: i32,
    pub language: String,
    pub text: Arc<str>,
    /// The last text that was a document.
    pub good: Option<Arc<str>>,
    /// When it was changed last; `None` for one that was opened.
    pub changed: Option<Instant>,
}

#[derive(Debug, Default)]
pub struct Documents {
    open: BTreeMap<Address, OpenDocument>,
}

impl Documents {
    pub fn open(&mut self, address: Address, document: OpenDocument) {
        self.open.insert(address, document);
    }

    /// Whether it was open.
    pub fn close(&mut self, address: &Address) -> bool {
        self.open.remove(address).is_some()
    }

    pub fn get(&self, address: &Address) -> Option<&OpenDocument> {
        self.open.get(address)
    }

    pub fn get_mut(&mut self, address: &Address) -> Option<&mut OpenDocument> {
        self.open.get_mut(address)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Address, &OpenDocument)> {
        self.open.iter()
    }

    /// The documents that are files, whose texts replace those on disk.
    pub fn unsaved(&self) -> Unsaved {
        let files = self.open.iter();
        Unsaved::texts(
            files.filter_map(|(address, document)| Some((address.path()?.to_path_buf(), Arc::clone(&document.text)))),
        )
    }

    /// The URIs of open files, as the client writes them.
    pub fn uris(&self) -> BTreeMap<PathBuf, String> {
        let files = self.open.iter();
        files.filter_map(|(address, document)| Some((address.path()?.to_path_buf(), document.uri.clone()))).collect()
    }

    /// The URI of a document, as the client writes it.
    pub fn uri(&self, address: &Address) -> String {
        self.get(address).map_or_else(|| address.uri(), |document| document.uri.clone())
    }
}

/// Whether a document may be one that is linted.
pub fn may_be_document(address: &Address, document: &OpenDocument) -> bool {
    match address {
        Address::File(path) => is_json(path),
        Address::Other(_) => matches!(document.language.as_str(), "json" | "jsonc" | "json5" | "" | "wflint"),
    }
}

/// Whether a document is named as a configuration.
pub fn is_config(address: &Address) -> bool {
    address.path().and_then(std::path::Path::file_name).is_some_and(|name| name == FILE_NAME)
}
