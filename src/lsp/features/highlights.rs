//! Finds all occurrences of the name at a place in the same file.

use super::occurrences::{Occurrence, occurrence_at, occurrences};
use super::snapshot::Snapshot;
use super::symbol::Role;
use crate::diagnostic::FileId;
use crate::source::Span;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Highlight {
    pub span: Span,
    pub kind: HighlightKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HighlightKind {
    /// It is named, neither read nor written.
    Text,
    Read,
    Write,
}

/// The occurrences in the file of the name at an offset, sorted.
pub fn highlights(snapshot: &Snapshot<'_>, file: FileId, offset: u32) -> Vec<Highlight> {
    snapshot.analyze(|service| {
        let Some(origin) = occurrence_at(snapshot, service, file, offset) else { return Vec::new() };
        let found = occurrences(snapshot, service, &origin.symbol).into_iter();
        let here = found.filter(|found| found.place.file == file && found.place.span.start < found.place.span.end);
        let highlight = |found: Occurrence| Highlight {
            span: found.place.span,
            kind: match found.role {
                Role::Declaration | Role::FormDeclaration | Role::Mention | Role::Message => HighlightKind::Text,
                Role::Read => HighlightKind::Read,
                Role::Write | Role::Both | Role::Output => HighlightKind::Write,
            },
        };
        let mut highlights: Vec<Highlight> = here.map(highlight).collect();
        highlights.dedup_by_key(|highlight| highlight.span);
        highlights
    })
}
