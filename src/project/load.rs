//! Reading files.

use std::sync::Arc;

use super::encoding::Encoding;
use super::file::{Candidate, Content, Contents, File};
use super::kinds::{find_root, is_certain, looks_like_document, may_hold_document, resemblance};
use crate::common::limits::MAX_SEARCHED_MIB;
use crate::config::Config;
use crate::document::{Document, Limits};
use crate::files::read::{any_part, read_up_to};
use crate::schema::{DocumentKind, as_signing_case};
use crate::text::diagnostic::FileId;
use crate::text::source::{SourceFile, Span};

/// Reads a file; `None` when it holds no document and is skipped. One that has not changed since it was read before with
/// the same configuration is used again.
pub(super) fn load(
    id: FileId,
    candidate: &Candidate,
    config: &Config,
    skip_unrelated: bool,
    before: Option<&File>,
) -> Result<Option<File>, String> {
    let contents = contents(candidate, config, before)?;
    if let Some(before) = before.filter(|before| before.has_contents(&contents)) {
        return Ok(Some(File { meant: candidate.meant, ..before.clone() }));
    }
    let bytes = contents.as_bytes();
    let is_named = candidate.named && !skip_unrelated;
    let must_hold_a_document = is_named || candidate.meant.is_some();
    let looks_like_document =
        looks_like_document(bytes) || !must_hold_a_document && looks_like_document_further_on(candidate, bytes, config);
    if !must_hold_a_document && !looks_like_document && !may_hold_document(bytes) {
        return Ok(None);
    }
    let (text, content) = classify(contents, config);
    let content = match content {
        Content::Unrelated(document) if !is_named => match resemblance(&document, &config.roots) {
            Some(resemblance) => Content::Resembling(document, resemblance),
            None if candidate.meant.is_some() => Content::Unrelated(document),
            None => return Ok(None),
        },
        other => other,
    };
    let is_kept = match &content {
        Content::Document(kind, document) => {
            candidate.named || candidate.meant.is_some() || is_certain(*kind, document, document.root())
        }
        Content::Unrelated(_) | Content::Resembling(..) => true,
        Content::Invalid(_) | Content::OtherEncoding(_) | Content::NotUtf8(_) | Content::TooLarge(_) => {
            must_hold_a_document || looks_like_document
        }
    };
    let mut source = SourceFile::new(candidate.path.clone(), candidate.name.clone(), text);
    // Any file may be named, also by a link in a stranger's repository.
    source.is_quoted = matches!(content, Content::Resembling(..)) || looks_like_document;
    let (meant, reported, derived) = (candidate.meant, candidate.reported, Arc::default());
    Ok(is_kept.then_some(File { id, source, content, meant, reported, derived }))
}

/// The contents of a file: those that replace it, or those on the disk. A text that was read before is shared.
pub(super) fn contents(candidate: &Candidate, config: &Config, before: Option<&File>) -> Result<Contents, String> {
    if let Some(contents) = &candidate.contents {
        return Ok(contents.clone());
    }
    let bytes = read_up_to(&candidate.path, config.max_file_bytes);
    let bytes = bytes.map_err(|error| format!("cannot read {}: {error}", candidate.name))?;
    let known = before.map(|before| &before.source.text).filter(|text| text.as_bytes() == bytes);
    Ok(known.map_or_else(|| Contents::new(&bytes), |text| Contents::Text(Arc::clone(text))))
}

/// Whether a file over the size limit looks like a document by what follows its beginning.
fn looks_like_document_further_on(candidate: &Candidate, beginning: &[u8], config: &Config) -> bool {
    let is_cut = candidate.contents.is_none() && beginning.len() as u64 > config.max_file_bytes;
    is_cut && any_part(&candidate.path, u64::from(MAX_SEARCHED_MIB) << 20, looks_like_document)
}

/// The text of a file, and what it is.
fn classify(contents: Contents, config: &Config) -> (Arc<str>, Content) {
    let bytes = contents.as_bytes();
    if bytes.len() as u64 > config.max_file_bytes {
        // No more than what is read of a file.
        let end = usize::try_from(config.max_file_bytes).map_or(bytes.len(), |limit| bytes.len().min(limit + 1));
        let text = String::from_utf8_lossy(bytes.get(..end).unwrap_or(bytes)).into_owned();
        return (text.into(), Content::TooLarge(config.max_file_bytes));
    }
    // Before UTF-8: ASCII in UTF-16 without a byte-order mark is valid UTF-8, full of zeros.
    if let Some(encoding) = Encoding::of(bytes) {
        return (encoding.decode(bytes).into(), Content::OtherEncoding(encoding));
    }
    let text: Arc<str> = match contents {
        Contents::Text(text) => text,
        Contents::Bytes(bytes) => match std::str::from_utf8(&bytes) {
            Ok(text) => text.into(),
            Err(error) => {
                let start = u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                return (text.into(), Content::NotUtf8(Span::new(start, start)));
            }
        },
    };
    let limits = Limits { depth: config.max_depth, ..Limits::default() };
    let content = match Document::parse(Arc::clone(&text), limits) {
        Err(error) => Content::Invalid(error),
        Ok(document) => match find_root(&document, &config.roots) {
            Some((kind, root)) => {
                let is_case = kind == DocumentKind::SigningCase;
                let document = if is_case { as_signing_case(document) } else { document };
                Content::Document(kind, Arc::new(document.with_root(root)))
            }
            None => Content::Unrelated(Arc::new(document)),
        },
    };
    (text, content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(json: &[u8]) -> Content {
        classify(Contents::new(json), &Config::default()).1
    }

    #[test]
    fn kind_of_document_follows_from_its_array() {
        for (json, wanted) in [
            (r#"{"activities": [], "fields": []}"#, DocumentKind::Workflow),
            (r#"{"fields": [], "Parties": []}"#, DocumentKind::Form),
            (r#"{"Parties": []}"#, DocumentKind::SigningCase),
        ] {
            assert!(matches!(content(json.as_bytes()), Content::Document(kind, _) if kind == wanted), "{json}");
        }
        for repeated in [r#"{"activities": [], "activities": 1}"#, r#"{"activities": 1, "activities": []}"#] {
            assert!(matches!(content(repeated.as_bytes()), Content::Document(DocumentKind::Workflow, _)), "{repeated}");
        }
        assert!(matches!(content(br#"{"activities": {}}"#), Content::Unrelated(_)));
        assert!(matches!(content(b"[]"), Content::Unrelated(_)));
        assert!(matches!(content(b"\xff"), Content::NotUtf8(_)));
        assert!(matches!(content(b"{"), Content::Invalid(_)));
    }

    #[test]
    fn other_json_with_such_an_array_is_not_certain() {
        let certain = |json: &str| match content(json.as_bytes()) {
            Content::Document(kind, document) => is_certain(kind, &document, document.root()),
            _ => false,
        };
        assert!(certain(r#"{"fields": [], "variables": []}"#));
        assert!(certain(r#"{"fields": [{"type": "InputText"}]}"#));
        assert!(!certain(r#"{"fields": ["id", "name"]}"#));
        assert!(!certain(r#"{"activities": [{"title": "Swimming"}]}"#));
        assert!(certain(r#"{"Parties": [{"Name": "Anna"}]}"#));
    }
}
