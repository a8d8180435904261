//! Determines what is renamed at a place.

use crate::diagnostic::FileId;
use crate::facts::{AnalyzedService, output_sites};
use crate::lsp::features::occurrences::occurrence_at;
use crate::lsp::features::snapshot::Snapshot;
use crate::lsp::features::symbol::Symbol;
use crate::source::Span;
use crate::text::quote;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Variable(String),
    /// The prefix of outputs.
    Prefix(String),
}

impl Target {
    pub fn name(&self) -> &str {
        let (Self::Variable(name) | Self::Prefix(name)) = self;
        name
    }
}

/// The symbol to rename at an offset, and its span there.
pub fn at(
    snapshot: &Snapshot<'_>,
    service: &AnalyzedService<'_>,
    file: FileId,
    offset: u32,
) -> Result<(Target, Span), String> {
    let touches = |span: Span| span.start <= offset && offset <= span.end;
    let mut sites = output_sites(service).filter(|site| site.file == file && touches(site.span));
    if let Some(site) = sites.find(|site| site.prefix().is_some()) {
        return Ok((Target::Prefix(site.prefix().unwrap_or_default().to_owned()), site.span));
    }
    let found = occurrence_at(snapshot, service, file, offset);
    let name = match found.as_ref().map(|found| &found.symbol) {
        Some(Symbol::Variable(name)) => name.clone(),
        Some(_) => return Err("only variables and prefixes of outputs can be renamed".to_owned()),
        None => return Err("expected the name of a variable, or the prefix of outputs".to_owned()),
    };
    let span = found.map(|found| found.place.span).unwrap_or_default();
    let written = snapshot.text(file).and_then(|text| text.get(span.range())).unwrap_or_default();
    // With escapes it is still the name.
    if written != name && !written.contains('\\') {
        return Err(format!(
            "{} is a parameter of the script, bound to {}; rename the variable where it is bound",
            quote(written),
            quote(&name)
        ));
    }
    Ok((Target::Variable(name), span))
}
