//! The hover of the name at a place, as Markdown.

mod markdown;
mod method;
mod rule;
mod variable;

use super::cursor::parameter_at;
use super::occurrences::occurrence_at;
use super::snapshot::Snapshot;
use super::symbol::Symbol;
use crate::diagnostic::FileId;
use crate::facts::{AnalyzedService, Context};
use crate::redaction::Redactions;
use crate::source::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The span of the name.
    pub span: Span,
    pub markdown: String,
}

/// The hover at an offset, without secrets and values of masked variables.
pub fn hover(snapshot: &Snapshot<'_>, file: FileId, offset: u32) -> Option<Hover> {
    snapshot.analyze(|service| {
        let mut hover = find(snapshot, service, file, offset)?;
        let sources = service.files.iter().map(|file| (file.id, &file.source));
        let redactions = Redactions::new(Context::new(service).sensitive_values(), sources);
        redactions.redact_text(&mut hover.markdown);
        Some(hover)
    })
}

fn find(snapshot: &Snapshot<'_>, service: &AnalyzedService<'_>, file: FileId, offset: u32) -> Option<Hover> {
    if let Some(site) = parameter_at(service, file, offset) {
        return Some(Hover { span: site.span, markdown: method::parameter(&site) });
    }
    let found = occurrence_at(snapshot, service, file, offset)?;
    let markdown = match &found.symbol {
        Symbol::Variable(name) => variable::markdown(service, name, file, offset),
        Symbol::Method(name) => method::method(service.config.catalog.method(name)?),
        Symbol::Rule(word) => rule::markdown(word)?,
        Symbol::Document(_) | Symbol::Activity(_) | Symbol::Field(_) => return None,
    };
    Some(Hover { span: found.place.span, markdown })
}
