//! The parts of documents: symbols, folding and selection ranges.

use gen_lsp_types::{
    DocumentSymbol, DocumentSymbolParams, FoldingRange, FoldingRangeParams, Position, Range, SelectionRange,
    SelectionRangeParams, SymbolKind, WorkspaceSymbolParams,
};
use serde_json::{Value, json};

use crate::document::{Document, NodeId, NodeKind};
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::root::Root;
use crate::lsp::state::Server;
use crate::project::{File, relative_name};
use crate::schema::DocumentKind;
use crate::source::{SourceFile, Span};

pub fn document_symbols(server: &Server, params: &DocumentSymbolParams) -> Option<Vec<DocumentSymbol>> {
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let file = server.read_file(&uri)?;
    let (kind, document) = file.document()?;
    Some(parts(document, kind).into_iter().map(|part| symbol(server, &file.source, part)).collect())
}

#[expect(deprecated, reason = "a field of the protocol that has no default")]
fn symbol(server: &Server, source: &SourceFile, part: Part) -> DocumentSymbol {
    let children: Vec<_> = part.children.into_iter().map(|part| symbol(server, source, part)).collect();
    DocumentSymbol {
        name: part.name,
        detail: part.detail,
        kind: kind(part.kind),
        tags: None,
        deprecated: None,
        range: server.client.encoding.range(source, part.span),
        selection_range: server.client.encoding.range(source, part.name_span),
        children: (!children.is_empty()).then_some(children),
    }
}

const fn kind(kind: PartKind) -> SymbolKind {
    match kind {
        PartKind::Activity => SymbolKind::Function,
        PartKind::Field => SymbolKind::Field,
        PartKind::Variable => SymbolKind::Variable,
    }
}

/// Symbols that are listed.
const MAX_SYMBOLS: usize = 1_000;

/// The symbols whose names contain the letters of the query in order, ignoring case.
pub fn workspace_symbols(server: &Server, params: &WorkspaceSymbolParams) -> Vec<Value> {
    let mut found = Vec::new();
    for root in &server.roots {
        add_root(server, root, &params.query, &mut found);
    }
    found.truncate(MAX_SYMBOLS);
    found
}

fn add_root(server: &Server, root: &Root, query: &str, found: &mut Vec<Value>) {
    let Some(loaded) = &root.loaded else { return };
    let open = server.open_contents(root);
    for service in &loaded.project.services {
        if found.len() >= MAX_SYMBOLS {
            return;
        }
        let read = loaded.read(service, &open);
        let documents = || read.files.iter().filter(|file| file.document().is_some());
        let folder = documents().next().and_then(|file| file.source.path.parent());
        let name = folder.map(|folder| relative_name(folder, &loaded.project.current)).unwrap_or_default();
        if let Some(file) = documents().next().filter(|_| !name.is_empty() && matches(&name, query)) {
            let location = json!({ "uri": uri(server, root, file), "range": Range::default() });
            found.push(json!({ "name": name, "kind": 4, "location": location }));
        }
        for file in documents() {
            let Some((kind, document)) = file.document() else { continue };
            for part in parts(document, kind) {
                add_part(server, (root, file), &part, query, found);
            }
        }
    }
}

fn add_part(server: &Server, (root, file): (&Root, &File), part: &Part, query: &str, found: &mut Vec<Value>) {
    if matches(&part.name, query) && found.len() < MAX_SYMBOLS {
        let range = server.client.encoding.range(&file.source, part.name_span);
        found.push(json!({
            "name": part.name,
            "kind": kind(part.kind),
            "containerName": file.source.name,
            "location": { "uri": uri(server, root, file), "range": range },
        }));
    }
    for child in &part.children {
        add_part(server, (root, file), child, query, found);
    }
}

fn uri(server: &Server, root: &Root, file: &File) -> String {
    server.documents.uri_as_written(&server.converter(root).document_uri(&file.source.path))
}

fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

pub fn folding_ranges(server: &Server, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let file = server.read_file(&uri)?;
    let (_, document) = file.document()?;
    let mut ranges: Vec<FoldingRange> = Vec::new();
    for span in containers(document) {
        let (start, end) = (file.source.position(span.start).line - 1, file.source.position(span.end).line - 1);
        // The line of the closing bracket stays, and of containers that begin in one line the outer one counts.
        let is_known = ranges.last().is_some_and(|last| last.start_line == start);
        if end > start + 1 && !is_known {
            ranges.push(FoldingRange { start_line: start, end_line: end - 1, ..FoldingRange::default() });
        }
    }
    Some(ranges)
}

pub fn selection_ranges(server: &Server, params: &SelectionRangeParams) -> Option<Vec<SelectionRange>> {
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let file = server.read_file(&uri)?;
    let (_, document) = file.document()?;
    let encoding = server.client.encoding;
    let chain = |&position: &Position| {
        let offset = u32::try_from(encoding.offset(&file.source.text, position)).unwrap_or(u32::MAX);
        let spans = around(document, offset).into_iter().rev();
        let ranges = spans.map(|span| encoding.range(&file.source, span));
        let outside = None;
        let found = ranges.fold(outside, |parent: Option<Box<SelectionRange>>, range| {
            Some(Box::new(SelectionRange { range, parent }))
        });
        let nothing = SelectionRange { range: Range { start: position, end: position }, parent: None };
        found.map_or(nothing, |found| *found)
    };
    Some(params.positions.iter().map(chain).collect())
}

/// An activity, a field or a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    name: String,
    /// Its type.
    detail: Option<String>,
    kind: PartKind,
    span: Span,
    /// Its name.
    name_span: Span,
    children: Vec<Self>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartKind {
    Activity,
    Field,
    Variable,
}

/// The activities or fields of a document, then its variables.
fn parts(document: &Document, kind: DocumentKind) -> Vec<Part> {
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
fn containers(document: &Document) -> Vec<Span> {
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
fn around(document: &Document, offset: u32) -> Vec<Span> {
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
