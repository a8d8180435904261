//! All occurrences of names in the files of a service.

mod documents;
mod occurrence;
mod others;

pub use occurrence::Occurrence;
pub use others::names as names_beside;

use super::snapshot::Snapshot;
use super::symbol::Symbol;
use crate::diagnostic::FileId;
use crate::facts::AnalyzedService;
use crate::source::Span;

/// The name at an offset; one that ends there, if no other begins.
pub fn occurrence_at(
    snapshot: &Snapshot<'_>,
    service: &AnalyzedService<'_>,
    file: FileId,
    offset: u32,
) -> Option<Occurrence> {
    let is_document = service.file(file).is_some();
    let names = if is_document { documents::names(service) } else { others::names(snapshot) };
    let touches = |found: &Occurrence| {
        let Span { start, end } = found.place.span;
        found.place.file == file && start < end && start <= offset && offset <= end
    };
    let found = names.into_iter().filter(touches);
    let scripts = if is_document { documents::script_names_at(service, file, offset) } else { Vec::new() };
    found.chain(scripts.into_iter().filter(touches)).max_by_key(|found| offset < found.place.span.end)
}

/// Every place with a name, sorted.
pub fn occurrences(snapshot: &Snapshot<'_>, service: &AnalyzedService<'_>, symbol: &Symbol) -> Vec<Occurrence> {
    let named = documents::names(service).into_iter().chain(others::names(snapshot));
    let mut found: Vec<Occurrence> = named.filter(|found| found.symbol == *symbol).collect();
    if let Symbol::Variable(name) = symbol {
        found.extend(documents::outputs(service, name));
        found.extend(documents::script_names(service, name));
    }
    found.sort_by_key(|found| found.place);
    found
}
