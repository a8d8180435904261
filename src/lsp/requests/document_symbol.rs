//! `textDocument/documentSymbol`: activities, fields and variables.

use gen_lsp_types::{DocumentSymbol, DocumentSymbolParams, SymbolKind};

use crate::lsp::address::Address;
use crate::lsp::outline::{Part, PartKind, parts};
use crate::lsp::state::Server;
use crate::source::SourceFile;

pub fn handle(server: &Server, params: &DocumentSymbolParams) -> Option<Vec<DocumentSymbol>> {
    let address = Address::of(&params.text_document.uri.0);
    let file = server.read_file(&address)?;
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

pub const fn kind(kind: PartKind) -> SymbolKind {
    match kind {
        PartKind::Activity => SymbolKind::Function,
        PartKind::Field => SymbolKind::Field,
        PartKind::Variable => SymbolKind::Variable,
    }
}
