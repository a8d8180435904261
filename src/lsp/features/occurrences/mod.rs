//! Every place in the files of a service that has a name.

mod documents;
mod occurrence;

pub use occurrence::Occurrence;

use super::snapshot::Snapshot;
use super::symbol::{Role, Symbol};
use crate::diagnostic::FileId;
use crate::facts::AnalyzedService;

/// The name at an offset; one that ends there, if no other begins.
pub fn occurrence_at(
    snapshot: &Snapshot<'_>,
    service: &AnalyzedService<'_>,
    file: FileId,
    offset: u32,
) -> Option<Occurrence> {
    let _ = snapshot;
    let names = documents::names(service);
    let here = |found: &Occurrence| found.place.file == file && found.role != Role::Output;
    let touches = |found: &Occurrence| found.place.span.start <= offset && offset <= found.place.span.end;
    let found = names.into_iter().filter(|found| here(found) && touches(found));
    let script = || documents::script_names_at(service, file, offset).into_iter().filter(touches);
    found.chain(script()).max_by_key(|found| offset < found.place.span.end)
}

/// Every place with a name, sorted.
pub fn occurrences(snapshot: &Snapshot<'_>, service: &AnalyzedService<'_>, symbol: &Symbol) -> Vec<Occurrence> {
    let _ = snapshot;
    let mut found: Vec<Occurrence> =
        documents::names(service).into_iter().filter(|found| found.symbol == *symbol).collect();
    if let Symbol::Variable(name) = symbol {
        found.extend(documents::outputs(service, name));
        found.extend(documents::script_names(service, name));
    }
    found.sort_by_key(|found| found.place);
    found
}
