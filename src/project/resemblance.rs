//! JSON that would be a document but for the case of its keys, or for an object or array around it.

use super::marks::MARKS;
use crate::document::{Document, NodeId, NodeKind};
use crate::schema::DocumentKind;

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
