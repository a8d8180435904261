//! `textDocument/foldingRange`: arrays and objects of several lines.

use gen_lsp_types::{FoldingRange, FoldingRangeParams};

use crate::lsp::address::Address;
use crate::lsp::outline::containers;
use crate::lsp::state::Server;

pub fn handle(server: &Server, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let address = Address::of(&params.text_document.uri.0);
    let file = server.read_file(&address)?;
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
