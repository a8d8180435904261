//! `textDocument/selectionRange`: a key or value, its member, and what is around.

use gen_lsp_types::{Position, Range, SelectionRange, SelectionRangeParams};

use crate::lsp::address::Address;
use crate::lsp::outline::around;
use crate::lsp::state::Server;

pub fn handle(server: &Server, params: &SelectionRangeParams) -> Option<Vec<SelectionRange>> {
    let address = Address::of(&params.text_document.uri.0);
    let file = server.read_file(&address)?;
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
