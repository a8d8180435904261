//! The parts of documents: symbols, folding and selection ranges.

use gen_lsp_types::{
    DocumentSymbol, DocumentSymbolParams, FoldingRange, FoldingRangeParams, Position, Range, SelectionRange,
    SelectionRangeParams, SymbolKind, WorkspaceSymbolParams,
};
use serde_json::{Value, json};

use crate::document::{Document, NodeId, NodeKind};
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::position::Encoding;
use crate::lsp::root::Root;
use crate::lsp::state::Server;
use crate::project::{File, relative_name};
use crate::schema::DocumentKind;
use crate::text::source::{SourceFile, Span};

pub fn document_symbols(server: &Server, params: &DocumentSymbolParams) -> Option<Vec<DocumentSymbol>> {
    let file = server.read_file(&DocumentUri::of(&params.text_document.uri.0))?;
    Outline::of(server, &file).map(|outline| outline.symbols())
}

/// The activities, fields and variables of a document.
struct Outline<'f> {
    encoding: Encoding,
    source: &'f SourceFile,
    kind: DocumentKind,
    document: &'f Document,
}

impl<'f> Outline<'f> {
    fn of(server: &Server, file: &'f File) -> Option<Self> {
        let (kind, document) = file.document()?;
        Some(Self { encoding: server.client.encoding, source: &file.source, kind, document })
    }

    /// The activities or fields, then the variables.
    fn symbols(&self) -> Vec<DocumentSymbol> {
        let root = self.document.root();
        let mut symbols = match self.kind {
            DocumentKind::Workflow => self.list(root, "activities", SymbolKind::Function),
            DocumentKind::Form => self.list(root, "fields", SymbolKind::Field),
            DocumentKind::SigningCase => Vec::new(),
        };
        symbols.extend(self.list(root, "variables", SymbolKind::Variable));
        symbols
    }

    /// The symbols in a member of an object. Documents are not deeper than their parser allows.
    fn list(&self, object: NodeId, member: &str, kind: SymbolKind) -> Vec<DocumentSymbol> {
        let array = self.document.member(object, member);
        let array = array.filter(|&array| self.document.kind(array) == NodeKind::Array);
        let elements = array.into_iter().flat_map(|array| self.document.children(array));
        let objects = elements.filter(|&element| self.document.kind(element) == NodeKind::Object);
        objects.map(|object| self.symbol(object, kind)).collect()
    }

    #[expect(deprecated, reason = "a field of the protocol that has no default")]
    fn symbol(&self, object: NodeId, kind: SymbolKind) -> DocumentSymbol {
        let string = |name: &str| {
            let node = self.document.member(object, name)?;
            Some((self.document.string(node)?.to_owned(), self.document.span(node)))
        };
        let span = self.document.span(object);
        let detail = string("type").map(|(name, _)| name);
        let name = string("name").filter(|(name, _)| !name.trim().is_empty());
        let unnamed = || (detail.clone().unwrap_or_else(|| "unnamed".to_owned()), span);
        let (name, name_span) = name.unwrap_or_else(unnamed);
        let model = || self.document.member(object, "fieldsViewModel");
        let children = match kind {
            SymbolKind::Function => self.list(object, "activities", kind),
            SymbolKind::Field => model().map(|model| self.list(model, "fields", kind)).unwrap_or_default(),
            _ => Vec::new(),
        };
        DocumentSymbol {
            name,
            detail,
            kind,
            tags: None,
            deprecated: None,
            range: self.encoding.range(self.source, span),
            selection_range: self.encoding.range(self.source, name_span),
            children: (!children.is_empty()).then_some(children),
        }
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
            let uri = uri(server, root, file);
            for symbol in Outline::of(server, file).map(|outline| outline.symbols()).unwrap_or_default() {
                add_symbol(&file.source.name, &uri, &symbol, query, found);
            }
        }
    }
}

fn add_symbol(file: &str, uri: &str, symbol: &DocumentSymbol, query: &str, found: &mut Vec<Value>) {
    if matches(&symbol.name, query) && found.len() < MAX_SYMBOLS {
        let location = json!({ "uri": uri, "range": symbol.selection_range });
        found.push(json!({
            "name": symbol.name, "kind": symbol.kind, "containerName": file, "location": location,
        }));
    }
    for child in symbol.children.iter().flatten() {
        add_symbol(file, uri, child, query, found);
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
