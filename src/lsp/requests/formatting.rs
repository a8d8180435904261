//! `textDocument/formatting`: as `wflint fmt`.

use gen_lsp_types::{DocumentFormattingParams, TextEdit};

use crate::fix::between;
use crate::format::{NewIds, format_file};
use crate::lsp::address::Address;
use crate::lsp::message::Failure;
use crate::lsp::state::Server;
use crate::source::Span;

/// The edits that make the stable form; `None` for what is not a document.
///
/// # Errors
/// Why the document cannot be formatted.
pub fn handle(server: &Server, params: &DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let address = Address::of(&params.text_document.uri.0);
    let Some((root, service)) = server.service(&address) else { return Ok(None) };
    let project = root.loaded.as_ref().map(|loaded| &loaded.project);
    let config = project.and_then(|project| project.configs.get(project.services.get(service)?.config));
    let (Some(file), Some(config)) = (server.read_file(&address), config) else { return Ok(None) };
    let after = format_file(&file, config, &NewIds::default()).map_err(Failure::refused)?;
    let Some(after) = after else { return Ok(None) };
    let replacements = between(&file.source.text, &after).into_iter();
    let edits = replacements.map(|replacement| TextEdit {
        range: server.client.encoding.range(&file.source, Span::of_range(&replacement.before)),
        new_text: after.get(replacement.after).unwrap_or_default().to_owned(),
    });
    Ok(Some(edits.collect()))
}
