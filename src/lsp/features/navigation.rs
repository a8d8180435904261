//! Where the name at a place is declared and used: definition, references and highlights.

use gen_lsp_types::{
    DefinitionParams, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location, ReferenceParams,
};

use super::ask::Ask;
use super::occurrences::{Occurrence, Role, occurrence_at, occurrences};
use super::snapshot::{FileSpan, Snapshot};
use crate::lsp::state::Server;
use crate::text::diagnostic::FileId;
use crate::text::source::Span;

pub fn find_definition(server: &Server, params: &DefinitionParams) -> Option<Vec<Location>> {
    let place = &params.text_document_position_params;
    Ask::first(server, place, |ask| Some(ask.locations(&ask.answer(definition)??.targets)))
}

pub fn find_references(server: &Server, params: &ReferenceParams) -> Option<Vec<Location>> {
    let with_declaration = params.context.include_declaration;
    Ask::first(server, &params.text_document_position_params, |ask| {
        let places = ask.answer(|snapshot, file, offset| references(snapshot, file, offset, with_declaration))?;
        (!places.is_empty()).then(|| ask.locations(&places))
    })
}

pub fn find_highlights(server: &Server, params: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    Ask::first(server, &params.text_document_position_params, |ask| {
        let found = ask.answer(highlights).filter(|found| !found.is_empty())?;
        let shown = |highlight: &Highlight| {
            Some(DocumentHighlight { range: ask.range(highlight.span)?, kind: Some(highlight.kind) })
        };
        Some(found.iter().filter_map(shown).collect())
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The name that was asked about.
    pub origin: Span,
    /// Its declarations; for an output, followed by the calls that write it.
    pub targets: Vec<FileSpan>,
}

/// The declaration of the name at an offset. A variable is declared in the workflows, or in a form if no workflow
/// declares it. For an output, also the calls that write it: their prefix, or their method.
pub fn definition(snapshot: &Snapshot, file: FileId, offset: u32) -> Option<Definition> {
    snapshot.analyze(|service| {
        let origin = occurrence_at(snapshot, service, file, offset)?;
        let found = occurrences(snapshot, service, &origin.symbol);
        let with = |role: Role| found.iter().filter(move |found| found.role == role).map(|found| found.place);
        let mut targets: Vec<FileSpan> = with(Role::Declaration).collect();
        if targets.is_empty() {
            targets.extend(with(Role::FormDeclaration));
        }
        targets.extend(with(Role::Output));
        (!targets.is_empty()).then_some(Definition { origin: origin.place.span, targets })
    })
}

/// All references to the name at an offset, sorted; for an output, also the calls that write it. `with_declaration`:
/// whether the declarations are among them.
pub fn references(snapshot: &Snapshot, file: FileId, offset: u32, with_declaration: bool) -> Vec<FileSpan> {
    snapshot.analyze(|service| {
        let Some(origin) = occurrence_at(snapshot, service, file, offset) else { return Vec::new() };
        let found = occurrences(snapshot, service, &origin.symbol).into_iter();
        let wanted = found.filter(|found| with_declaration || found.role != Role::Declaration);
        let mut places: Vec<FileSpan> = wanted.map(|found| found.place).collect();
        places.dedup();
        places
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    pub span: Span,
    pub kind: DocumentHighlightKind,
}

/// The occurrences in the file of the name at an offset, sorted.
pub fn highlights(snapshot: &Snapshot, file: FileId, offset: u32) -> Vec<Highlight> {
    snapshot.analyze(|service| {
        let Some(origin) = occurrence_at(snapshot, service, file, offset) else { return Vec::new() };
        let found = occurrences(snapshot, service, &origin.symbol).into_iter();
        let here = found.filter(|found| found.place.file == file && found.place.span.start < found.place.span.end);
        let highlight = |found: Occurrence| Highlight {
            span: found.place.span,
            kind: match found.role {
                Role::Declaration | Role::FormDeclaration | Role::Mention | Role::Message => {
                    DocumentHighlightKind::Text
                }
                Role::Read => DocumentHighlightKind::Read,
                Role::Write | Role::Both | Role::Output => DocumentHighlightKind::Write,
            },
        };
        let mut highlights: Vec<Highlight> = here.map(highlight).collect();
        highlights.dedup_by_key(|highlight| highlight.span);
        highlights
    })
}
