//! Reading files, and distinguishing documents from other JSON (docs/concepts.md, Document).

use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;

use super::encoding::Encoding;
use super::file::{Candidate, Content, Contents, File};
use super::marks::MARKS;
use super::resemblance::resemblance;
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::document::{Document, Limits, NodeId, NodeKind};
use crate::model::case_key;
use crate::read::{Kind, any_part, with_bytes};
use crate::schema::DocumentKind;
use crate::source::{SourceFile, Span};

/// Bytes of a file over the size limit that are searched for the keys of a document: the highest limit there is.
const MAX_SEARCHED_BYTES: u64 = 1 << 30;

/// Reads a file; `None` when it holds no document and is skipped.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn load(
    id: FileId,
    candidate: &Candidate,
    config: &Config,
    skip_unrelated: bool,
) -> Result<Option<File>, String> {
    load_again(id, candidate, config, skip_unrelated, None)
}

/// As [`load`], of a file that was read before with the same configuration: only what has changed is parsed.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn load_again(
    id: FileId,
    candidate: &Candidate,
    config: &Config,
    skip_unrelated: bool,
    before: Option<&File>,
) -> Result<Option<File>, String> {
    let contents = contents_again(candidate, config, before)?;
    if let Some(before) = before.filter(|before| before.has_contents(&contents)) {
        return Ok(Some(before.clone()));
    }
    let bytes = contents.as_bytes();
    let must_hold_a_document = candidate.named && !skip_unrelated;
    let looks_like_document =
        looks_like_document(bytes) || !must_hold_a_document && looks_like_document_further_on(candidate, bytes, config);
    if !must_hold_a_document && !looks_like_document && !may_hold_document(bytes) {
        return Ok(None);
    }
    let (text, content) = classify(contents, config);
    let content = match content {
        Content::Unrelated(document) if !must_hold_a_document => match resemblance(&document, &config.roots) {
            Some(resemblance) => Content::Resembling(document, resemblance),
            None => return Ok(None),
        },
        other => other,
    };
    let is_kept = match &content {
        Content::Document(kind, document) => candidate.named || is_certain(*kind, document, document.root()),
        Content::Unrelated(_) | Content::Resembling(..) => true,
        Content::Invalid(_) | Content::OtherEncoding(_) | Content::NotUtf8(_) | Content::TooLarge(_) => {
            must_hold_a_document || looks_like_document
        }
    };
    let mut source = SourceFile::new(candidate.path.clone(), candidate.name.clone(), text);
    // Any file may be named, also by a link in a stranger's repository.
    source.is_quoted = matches!(content, Content::Resembling(..)) || looks_like_document;
    let (reported, derived) = (candidate.reported, Arc::default());
    Ok(is_kept.then_some(File { id, source, content, reported, derived }))
}

/// The contents of a file: those that replace it, or those on the disk.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn contents(candidate: &Candidate, config: &Config) -> Result<Contents, String> {
    contents_again(candidate, config, None)
}

/// As [`contents`]. A text that was read before is shared.
///
/// # Errors
/// Why it cannot be read.
fn contents_again(candidate: &Candidate, config: &Config, before: Option<&File>) -> Result<Contents, String> {
    if let Some(contents) = &candidate.contents {
        return Ok(contents.clone());
    }
    let kind = if candidate.named { Kind::Unknown } else { Kind::Regular };
    let read = with_bytes(&candidate.path, kind, config.max_file_bytes, |bytes| {
        let known = before.map(|before| &before.source.text).filter(|text| text.as_bytes() == bytes);
        known.map_or_else(|| Contents::new(bytes), |text| Contents::Text(Arc::clone(text)))
    });
    read.map_err(|error| format!("cannot read {}: {error}", candidate.name))
}

/// Whether bytes may be a document, or a broken one.
pub(super) fn may_be_document(bytes: &[u8]) -> bool {
    looks_like_document(bytes) || may_hold_document(bytes)
}

/// Whether bytes contain one of the keys that mark a document, in whichever encoding they are: what comes before a key
/// may be broken, so the first bytes do not decide.
fn looks_like_document(bytes: &[u8]) -> bool {
    let has =
        |encoding: &Encoding| quoted_marks().any(|key| memchr::memmem::find(bytes, &encoding.encode(&key)).is_some());
    FIND_MARKS.iter().any(|marks| marks.is_match(bytes))
        || memchr::memchr(0, bytes).is_some() && Encoding::ALL.iter().any(has)
}

/// Finds all keys that mark a document in one pass.
static FIND_MARKS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(quoted_marks()).ok());

fn quoted_marks() -> impl Iterator<Item = String> {
    MARKS.iter().map(|(name, _)| format!("\"{name}\""))
}

/// Whether a file over the size limit looks like a document, by what follows its beginning, up to [`MAX_SEARCHED_BYTES`].
fn looks_like_document_further_on(candidate: &Candidate, beginning: &[u8], config: &Config) -> bool {
    let is_cut = candidate.contents.is_none() && beginning.len() as u64 > config.max_file_bytes;
    is_cut && any_part(&candidate.path, MAX_SEARCHED_BYTES, looks_like_document)
}

/// Whether bytes that do not look like a document may hold one: they contain one of the keys in another case, or
/// escapes that may spell one. Rejects most files of a repository without parsing them.
fn may_hold_document(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"\\u00").is_some()
        || memchr::memchr_iter(b'"', bytes).any(|quote| starts_with_mark(bytes.get(quote + 1..).unwrap_or_default()))
}

/// Whether text begins with one of the keys and a quote, in any case.
fn starts_with_mark(text: &[u8]) -> bool {
    MARKS.iter().any(|(name, _)| {
        text.get(..name.len()).is_some_and(|key| key.eq_ignore_ascii_case(name.as_bytes()))
            && text.get(name.len()) == Some(&b'"')
    })
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
            Some((kind, root)) => Content::Document(kind, Arc::new(document.with_root(root))),
            None => Content::Unrelated(Arc::new(document)),
        },
    };
    (text, content)
}

/// The kind of document that JSON holds, if any.
pub fn document_kind(text: &str) -> Option<DocumentKind> {
    let document = Document::parse(text, Limits::default()).ok()?;
    kind_of(&document, document.root())
}

/// The value that is the document, by the pointers of `[documents] roots`: the first that is certainly one, or else the
/// first that may be one.
fn find_root(document: &Document, roots: &[String]) -> Option<(DocumentKind, NodeId)> {
    let root = |pointer: &String| {
        let node = document.resolve(pointer)?;
        Some((kind_of(document, node)?, node))
    };
    let mut found = roots.iter().filter_map(root);
    let first = found.next()?;
    let is_certain = |&(kind, node): &(DocumentKind, NodeId)| is_certain(kind, document, node);
    std::iter::once(first).chain(found).find(is_certain).or(Some(first))
}

fn kind_of(document: &Document, root: NodeId) -> Option<DocumentKind> {
    MARKS.into_iter().find_map(|(name, kind)| array(document, root, name).map(|_| kind))
}

/// The array under a key, also where the key is repeated with another value (WF005).
fn array(document: &Document, root: NodeId, name: &str) -> Option<NodeId> {
    let is_array = |node: &NodeId| document.kind(*node) == NodeKind::Array;
    let last = document.member(root, name)?;
    if is_array(&last) {
        Some(last)
    } else {
        document.children(root).filter(is_array).find(|&node| document.key_is(node, name))
    }
}

/// Whether a file that was not named is a document, and not other JSON with such an array: it has
/// `variables`, or an element of the array has a string `type`. Of a signing case, an element or the
/// case itself has a string `Name`.
fn is_certain(kind: DocumentKind, document: &Document, root: NodeId) -> bool {
    if document.member(root, "variables").is_some() && kind != DocumentKind::SigningCase {
        return true;
    }
    let (mark, key) = match kind {
        DocumentKind::Workflow => ("activities", "type"),
        DocumentKind::Form => ("fields", "type"),
        DocumentKind::SigningCase => (case_key::PARTIES, case_key::NAME),
    };
    let has_key =
        |object: NodeId| document.member(object, key).is_some_and(|value| document.kind(value) == NodeKind::String);
    let mut elements = array(document, root, mark).into_iter().flat_map(|array| document.children(array));
    // A case without parties still has its own name.
    elements.any(has_key) || kind == DocumentKind::SigningCase && has_key(root)
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
    fn broken_files_are_recognized_by_a_key_in_any_encoding_at_any_byte() {
        let encoded = Encoding::ALL.into_iter().map(|encoding| encoding.encode(r#"{"Parties": "#));
        for bytes in encoded.chain([br#"{"fields": "#.to_vec()]) {
            for before in [&b""[..], b"\0", b" ", b"\xff\xfe", b"\0\0\xff"] {
                assert!(looks_like_document(&[before, &bytes].concat()), "{before:?} {bytes:?}");
            }
        }
        assert!(!looks_like_document(b"\0\"field\"\0s\0"));
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
