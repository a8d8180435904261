//! Finds the declaration of the name at a place.

use super::occurrences::{occurrence_at, occurrences};
use super::snapshot::{FileSpan, Snapshot};
use super::symbol::Role;
use crate::diagnostic::FileId;
use crate::source::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The name that was asked about.
    pub origin: Span,
    /// Its declarations; for an output, followed by the calls that write it.
    pub targets: Vec<FileSpan>,
}

/// The declaration of the name at an offset. A variable is declared in the workflows, or in a form if no workflow
/// declares it. For an output, also the calls that write it: their prefix, or their method.
pub fn definition(snapshot: &Snapshot<'_>, file: FileId, offset: u32) -> Option<Definition> {
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
