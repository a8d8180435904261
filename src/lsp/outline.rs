//! The parts of a document, as editors list them.

use crate::document::{Document, NodeId, NodeKind};
use crate::schema::DocumentKind;
use crate::source::Span;

/// An activity, a field or a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    /// Its type.
    pub detail: Option<String>,
    pub kind: PartKind,
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    pub children: Vec<Self>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    Activity,
    Field,
    Variable,
}

/// The activities or fields of a document, then its variables.
pub fn parts(document: &Document, kind: DocumentKind) -> Vec<Part> {
    let root = document.root();
    let mut parts = match kind {
        DocumentKind::Workflow => list(document, root, "activities", PartKind::Activity),
        DocumentKind::Form => list(document, root, "fields", PartKind::Field),
        DocumentKind::SigningCase => Vec::new(),
    };
    parts.extend(list(document, root, "variables", PartKind::Variable));
    parts
}

/// The parts in a member of an object. Documents are not deeper than their parser allows.
fn list(document: &Document, object: NodeId, member: &str, kind: PartKind) -> Vec<Part> {
    let array = document.member(object, member).filter(|&array| document.kind(array) == NodeKind::Array);
    let elements = array.into_iter().flat_map(|array| document.children(array));
    let objects = elements.filter(|&element| document.kind(element) == NodeKind::Object);
    objects.map(|object| part(document, object, kind)).collect()
}

fn part(document: &Document, object: NodeId, kind: PartKind) -> Part {
    let string = |name: &str| {
        let node = document.member(object, name)?;
        Some((document.string(node)?.to_owned(), document.span(node)))
    };
    let span = document.span(object);
    let type_name = string("type").map(|(name, _)| name);
    let name = string("name").filter(|(name, _)| !name.trim().is_empty());
    let unnamed = || (type_name.clone().unwrap_or_else(|| "unnamed".to_owned()), span);
    let (name, name_span) = name.unwrap_or_else(unnamed);
    let children = match kind {
        PartKind::Activity => list(document, object, "activities", kind),
        PartKind::Field => document
            .member(object, "fieldsViewModel")
            .map(|model| list(document, model, "fields", kind))
            .unwrap_or_default(),
        PartKind::Variable => Vec::new(),
    };
    Part { name, detail: type_name, kind, span, name_span, children }
}

/// The arrays and objects of a document, around their contents first.
pub fn containers(document: &Document) -> Vec<Span> {
    let mut found = Vec::new();
    let mut left = vec![top(document)];
    while let Some(node) = left.pop() {
        if document.kind(node).is_container() {
            found.push(document.span(node));
            left.extend(document.children(node));
        }
    }
    found.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    found
}

/// The ranges around an offset, from the inside out: a key or value, its member, and so on.
pub fn around(document: &Document, offset: u32) -> Vec<Span> {
    let has = |span: Span| span.start <= offset && offset <= span.end;
    let mut spans = Vec::new();
    let mut node = Some(top(document)).filter(|&node| has(document.span(node)));
    while let Some(at) = node {
        spans.push(document.span(at));
        node = None;
        for child in document.children(at) {
            let (value, key) = (document.span(child), document.key_span(child));
            let member = Span::new(key.map_or(value.start, |key| key.start), value.end);
            if !has(member) {
                continue;
            }
            if member != value {
                spans.push(member);
            }
            if has(value) {
                node = Some(child);
            } else {
                spans.extend(key.filter(|&key| has(key)));
            }
            break;
        }
    }
    spans.reverse();
    spans.dedup();
    spans
}

/// The whole text, of which the document may be a part.
fn top(document: &Document) -> NodeId {
    std::iter::successors(Some(document.root()), |&node| document.parent(node)).last().unwrap_or(document.root())
}
