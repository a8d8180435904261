//! What JSON is: the kind of document, or how it resembles one (docs/concepts.md, Document).

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::encoding::Encoding;
use crate::document::{Document, Limits, NodeId, NodeKind};
use crate::model::case_key;
use crate::schema::DocumentKind;

/// The key of the array that marks each kind of document; the first kind that matches wins.
const MARKS: [(&str, DocumentKind); 3] = [
    ("activities", DocumentKind::Workflow),
    ("fields", DocumentKind::Form),
    (case_key::PARTIES, DocumentKind::SigningCase),
];

/// The kind of document that JSON holds, if any.
pub fn document_kind(text: &str) -> Option<DocumentKind> {
    let document = Document::parse(text, Limits::default()).ok()?;
    kind_of(&document, document.root())
}

/// The value that is the document, by the pointers of `[documents] roots`: the first that is certainly one, or else the
/// first that may be one.
pub(super) fn find_root(document: &Document, roots: &[String]) -> Option<(DocumentKind, NodeId)> {
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

/// The array under a key, also where the key is repeated with another value (WF005). A signing case may have its keys in any
/// case.
fn array(document: &Document, root: NodeId, name: &str) -> Option<NodeId> {
    let is_array = |node: &NodeId| document.kind(*node) == NodeKind::Array;
    if name == case_key::PARTIES {
        return member(document, root, name).filter(is_array);
    }
    let last = document.member(root, name)?;
    if is_array(&last) {
        Some(last)
    } else {
        document.children(root).filter(is_array).find(|&node| document.key_is(node, name))
    }
}

/// Whether a file that was not named is a document, and not other JSON with such an array: it has
/// `variables`, or an element of the array has a string `type`. Of a signing case, an element or the
/// case itself has a string `Name`; of one with `parties` in another case, which has many meanings, the case itself, or it
/// has `AllowedSignatureTypes`.
pub(super) fn is_certain(kind: DocumentKind, document: &Document, root: NodeId) -> bool {
    if document.member(root, "variables").is_some() && kind != DocumentKind::SigningCase {
        return true;
    }
    let (mark, key) = match kind {
        DocumentKind::Workflow => ("activities", "type"),
        DocumentKind::Form => ("fields", "type"),
        DocumentKind::SigningCase => (case_key::PARTIES, case_key::NAME),
    };
    let value = |object: NodeId| match kind {
        DocumentKind::SigningCase => member(document, object, key),
        _ => document.member(object, key),
    };
    let has_key = |object: NodeId| value(object).is_some_and(|value| document.kind(value) == NodeKind::String);
    let array = array(document, root, mark);
    let is_exact = array.is_some_and(|array| document.key(array) == Some(mark));
    let mut elements = array.filter(|_| is_exact).into_iter().flat_map(|array| document.children(array));
    // A case without parties still has its own name.
    let is_case = || has_key(root) || member(document, root, case_key::ALLOWED_SIGNATURE_TYPES).is_some();
    elements.any(has_key) || kind == DocumentKind::SigningCase && is_case()
}

/// Whether bytes may be a document, or a broken one.
pub(super) fn may_be_document(bytes: &[u8]) -> bool {
    looks_like_document(bytes) || may_hold_document(bytes)
}

/// Whether bytes contain one of the keys that mark a document, in whichever encoding they are: what comes before a key
/// may be broken, so the first bytes do not decide.
pub(super) fn looks_like_document(bytes: &[u8]) -> bool {
    let has =
        |encoding: &Encoding| quoted_marks().any(|key| memchr::memmem::find(bytes, &encoding.encode(&key)).is_some());
    FIND_MARKS.iter().any(|marks| marks.is_match(bytes))
        || FIND_CASE.iter().any(|mark| mark.is_match(bytes))
        || memchr::memchr(0, bytes).is_some() && Encoding::ALL.iter().any(has)
}

/// Finds all keys that mark a document in one pass.
static FIND_MARKS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(quoted_marks()).ok());

/// Finds the key that marks a signing case, in any case.
static FIND_CASE: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder().ascii_case_insensitive(true).build([format!("\"{}\"", case_key::PARTIES)]).ok()
});

fn quoted_marks() -> impl Iterator<Item = String> {
    MARKS.iter().map(|(name, _)| format!("\"{name}\""))
}

/// Whether bytes that do not look like a document may hold one: they contain one of the keys in another case, or
/// escapes that may spell one. Rejects most files of a repository without parsing them.
pub(super) fn may_hold_document(bytes: &[u8]) -> bool {
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

/// How a file resembles a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resemblance {
    /// The root has the array that marks a document under a key in another case.
    Case { found: String, expected: &'static str },
    /// The value with this pointer would be a document.
    Wrapped { pointer: String },
}

/// Levels below the root at which a document is looked for.
const MAX_DEPTH: usize = 4;
/// Values that are looked at, so that a large file of other data costs little.
const MAX_VALUES: usize = 10_000;

/// How a file that is not a document resembles one at one of these pointers. Keys are compared without case.
pub fn resemblance(document: &Document, roots: &[String]) -> Option<Resemblance> {
    let mut marks = roots.iter().filter_map(|pointer| mark_of(document, document.resolve(pointer)?));
    if let Some((found, expected)) = marks.next() {
        return (found != expected).then(|| Resemblance::Case { found: found.to_owned(), expected });
    }
    let root = document.root();
    if mark_of(document, root).is_some() {
        return Some(Resemblance::Wrapped { pointer: String::new() });
    }
    let mut level = vec![root];
    let mut values = 0;
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        for child in level.iter().flat_map(|&node| document.children(node)) {
            values += 1;
            if values > MAX_VALUES {
                return None;
            }
            if mark_of(document, child).is_some() {
                return Some(Resemblance::Wrapped { pointer: document.pointer(child) });
            }
            if matches!(document.kind(child), NodeKind::Object | NodeKind::Array) {
                next.push(child);
            }
        }
        level = next;
    }
    None
}

/// The key that marks an object as a document, as it is written and as it must be.
fn mark_of(document: &Document, object: NodeId) -> Option<(&str, &'static str)> {
    MARKS.into_iter().find_map(|(mark, kind)| {
        let array = member(document, object, mark).filter(|&node| document.kind(node) == NodeKind::Array)?;
        let key = if kind == DocumentKind::SigningCase { "Name" } else { "type" };
        let has_key = |node| member(document, node, key).is_some_and(|value| document.kind(value) == NodeKind::String);
        let has_more = if kind == DocumentKind::SigningCase {
            has_key(object)
        } else {
            member(document, object, "variables").is_some()
        };
        let is_certain = has_more || document.children(array).any(has_key);
        is_certain.then(|| document.key(array).map(|found| (found, mark))).flatten()
    })
}

/// The member of an object whose key is this one, in any case.
fn member(document: &Document, object: NodeId, name: &str) -> Option<NodeId> {
    if document.kind(object) != NodeKind::Object {
        return None;
    }
    document.children(object).find(|&node| document.key(node).is_some_and(|key| key.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
