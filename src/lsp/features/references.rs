//! Finds all references to the name at a place, in all files of the service.

use super::occurrences::{occurrence_at, occurrences};
use super::snapshot::{FileSpan, Snapshot};
use super::symbol::Role;
use crate::diagnostic::FileId;

/// All references to the name at an offset, sorted; for an output, also the calls that write it. `with_declaration`:
/// whether the declarations are among them.
pub fn references(snapshot: &Snapshot<'_>, file: FileId, offset: u32, with_declaration: bool) -> Vec<FileSpan> {
    snapshot.analyze(|service| {
        let Some(origin) = occurrence_at(snapshot, service, file, offset) else { return Vec::new() };
        let found = occurrences(snapshot, service, &origin.symbol).into_iter();
        let wanted = found.filter(|found| with_declaration || found.role != Role::Declaration);
        let mut places: Vec<FileSpan> = wanted.map(|found| found.place).collect();
        places.dedup();
        places
    })
}
