//! `textDocument/formatting`: as `wflint fmt`.

use gen_lsp_types::{DocumentFormattingParams, TextEdit};

use crate::fix::between;
use crate::format::{NewIds, format_file};
use crate::lsp::address::Address;
use crate::lsp::message::Failure;
use crate::lsp::state::Server;
use crate::project::Service;
use crate::source::Span;

/// The edits that make the stable form; `None` for what is not a document.
///
/// # Errors
/// Why the document cannot be formatted.
pub fn handle(server: &Server, params: &DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let address = Address::of(&params.text_document.uri.0);
    let Some((root, service)) = server.service(&address) else { return Ok(None) };
    let Some((loaded, file)) = root.loaded.as_ref().zip(root.file_of(&address)) else { return Ok(None) };
    let Some(config) = loaded.project.services.get(service).map(|service| service.config) else { return Ok(None) };
    let only = Service { files: vec![file], config };
    let read = loaded.project.read(&only, &server.open_contents(root));
    let (Some(file), Some(config)) = (read.files.first(), loaded.project.configs.get(config)) else { return Ok(None) };
    let after = format_file(file, config.fmt, &NewIds::default()).map_err(Failure::refused)?;
    let Some(after) = after else { return Ok(None) };
    let replacements = between(&file.source.text, &after).into_iter();
    let edits = replacements.map(|replacement| TextEdit {
        range: server.client.encoding.range(&file.source, Span::of_range(&replacement.before)),
        new_text: after.get(replacement.after).unwrap_or_default().to_owned(),
    });
    Ok(Some(edits.collect()))
}
