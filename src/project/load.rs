//! Reading files, and telling documents from other JSON (rules.md, Document).

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::discover::{Candidate, Configs};
use super::{Content, File, Request};
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::document::{Document, Kind, Limits, NodeId};
use crate::schema::DocumentKind;
use crate::source::{SourceFile, Span};

/// A file and what is to be done with it.
pub(super) struct Loaded {
    pub file: File,
    pub config: usize,
    /// It holds nothing of ours and is left out.
    pub skipped: bool,
}

/// Reads every candidate, in parallel; the reasons why some could not be read come second.
pub(super) fn read_all(
    request: &Request,
    candidates: &std::collections::BTreeMap<std::path::PathBuf, Candidate>,
    configs: &Configs,
) -> (Vec<Loaded>, Vec<String>) {
    let defaults = Config::default();
    let candidates: Vec<_> = candidates.iter().collect();
    let results: Vec<Result<Loaded, String>> = candidates
        .par_iter()
        .map(|(path, candidate)| {
            let config = configs.get(candidate.config).unwrap_or(&defaults);
            load(path, candidate, config, request.skip_unrelated)
        })
        .collect();
    let mut unreadable = Vec::new();
    let files =
        results.into_iter().filter_map(|result| result.map_err(|reason| unreadable.push(reason)).ok()).collect();
    (files, unreadable)
}

fn load(path: &Path, candidate: &Candidate, config: &Config, skip_unrelated: bool) -> Result<Loaded, String> {
    let bytes = match &candidate.bytes {
        Some(bytes) => bytes.to_vec(),
        None => read(path, config.max_file_bytes).map_err(|error| format!("{}: {error}", candidate.name))?,
    };
    let must_hold_a_document = candidate.named && !skip_unrelated;
    let ours = looks_like_ours(&bytes);
    let (text, content) = if must_hold_a_document || ours { classify(bytes, config) } else { (Arc::from(""), None) };
    let skipped = match &content {
        Some(Content::Document(kind, document)) => !candidate.named && !is_certain(*kind, document),
        Some(Content::Unrelated(_)) => !must_hold_a_document,
        Some(Content::Invalid(_) | Content::NotUtf8(_) | Content::TooLarge(_)) => !must_hold_a_document && !ours,
        None => true,
    };
    let source = SourceFile::new(path.to_path_buf(), candidate.name.clone(), text);
    let content = content.unwrap_or(Content::TooLarge(0));
    let file = File { id: FileId(0), source, content, reported: candidate.reported };
    Ok(Loaded { file, config: candidate.config, skipped })
}

/// Reads a file up to one byte over the limit, so that no file fills the memory.
fn read(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if metadata.is_dir() {
        return Err("is a folder".to_owned());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0) + 1);
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Whether bytes hold one of the names by which a document is known.
pub fn looks_like_ours(bytes: &[u8]) -> bool {
    ["\"activities\"", "\"fields\"", "\"Parties\""]
        .iter()
        .any(|name| memchr::memmem::find(bytes, name.as_bytes()).is_some())
}

fn classify(bytes: Vec<u8>, config: &Config) -> (Arc<str>, Option<Content>) {
    if bytes.len() as u64 > config.max_file_bytes {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return (text.into(), Some(Content::TooLarge(config.max_file_bytes)));
    }
    let text: Arc<str> = match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => {
            let start = u32::try_from(error.utf8_error().valid_up_to()).unwrap_or(u32::MAX);
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            return (text.into(), Some(Content::NotUtf8(Span::new(start, start))));
        }
    };
    let content = match Document::parse(Arc::clone(&text), Limits { depth: config.max_depth }) {
        Err(error) => Content::Invalid(error),
        Ok(document) => match kind_of(&document) {
            Some(kind) => Content::Document(kind, document),
            None => Content::Unrelated(document),
        },
    };
    (text, Some(content))
}

const MARKS: [(&str, DocumentKind); 3] =
    [("activities", DocumentKind::Workflow), ("fields", DocumentKind::Form), ("Parties", DocumentKind::SigningCase)];

fn kind_of(document: &Document) -> Option<DocumentKind> {
    MARKS.into_iter().find_map(|(name, kind)| list(document, name).map(|_| kind))
}

fn list(document: &Document, name: &str) -> Option<NodeId> {
    document.member(document.root(), name).filter(|&node| document.kind(node) == Kind::Array)
}

/// Whether a file that nobody named is a document, and not other JSON with such a list: it has
/// `variables`, or an element of the list has a text `type` (of a signing case, `Name`).
fn is_certain(kind: DocumentKind, document: &Document) -> bool {
    if document.member(document.root(), "variables").is_some() && kind != DocumentKind::SigningCase {
        return true;
    }
    let (mark, sign) = match kind {
        DocumentKind::Workflow => ("activities", "type"),
        DocumentKind::Form => ("fields", "type"),
        DocumentKind::SigningCase => ("Parties", "Name"),
    };
    list(document, mark)
        .into_iter()
        .flat_map(|list| document.children(list))
        .any(|element| document.member(element, sign).is_some_and(|sign| document.kind(sign) == Kind::String))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(json: &[u8]) -> Option<Content> {
        classify(json.to_vec(), &Config::default()).1
    }

    #[test]
    fn a_document_is_told_by_its_list() {
        for (json, wanted) in [
            (r#"{"activities": [], "fields": []}"#, DocumentKind::Workflow),
            (r#"{"fields": [], "Parties": []}"#, DocumentKind::Form),
            (r#"{"Parties": []}"#, DocumentKind::SigningCase),
        ] {
            assert!(matches!(content(json.as_bytes()), Some(Content::Document(kind, _)) if kind == wanted), "{json}");
        }
        assert!(matches!(content(br#"{"activities": {}}"#), Some(Content::Unrelated(_))));
        assert!(matches!(content(b"[]"), Some(Content::Unrelated(_))));
        assert!(matches!(content(b"\xff"), Some(Content::NotUtf8(_))));
        assert!(matches!(content(b"{"), Some(Content::Invalid(_))));
    }

    #[test]
    fn other_json_with_such_a_list_is_not_certain() {
        let certain = |json: &str| match content(json.as_bytes()) {
            Some(Content::Document(kind, document)) => is_certain(kind, &document),
            _ => false,
        };
        assert!(certain(r#"{"fields": [], "variables": []}"#));
        assert!(certain(r#"{"fields": [{"type": "InputText"}]}"#));
        assert!(!certain(r#"{"fields": ["id", "name"]}"#));
        assert!(!certain(r#"{"activities": [{"title": "Swimming"}]}"#));
        assert!(certain(r#"{"Parties": [{"Name": "Anna"}]}"#));
    }
}
