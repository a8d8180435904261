//! Which findings are reported when only some files of a service were named.

use crate::collections::HashMap;
use crate::diagnostic::{Diagnostic, FileId};
use crate::project::File;

/// Selects the findings in the named files, and those that these files cause in other files of the service.
///
/// A finding in another file is caused by the named files when it is not there without them, so the
/// other files are checked again on their own, and their findings are subtracted by rule and place.
pub(super) fn in_scope(
    files: &[&File],
    only_reported: bool,
    mut found: Vec<Box<Diagnostic>>,
    check: impl FnOnce(&[&File]) -> Vec<Box<Diagnostic>>,
) -> Vec<Box<Diagnostic>> {
    let is_reported = |id: FileId| files.iter().any(|file| file.id == id && file.reported);
    if files.iter().all(|file| file.reported) {
        return found;
    }
    let mut without_named = HashMap::default();
    if !only_reported && found.iter().any(|diagnostic| !is_reported(diagnostic.location.file)) {
        let rest: Vec<&File> = files.iter().copied().filter(|file| !file.reported).collect();
        for diagnostic in check(&rest) {
            let key = (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer);
            *without_named.entry(key).or_insert(0usize) += 1;
        }
    }
    found.retain(|diagnostic| {
        if is_reported(diagnostic.location.file) {
            return true;
        }
        let key = (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer.clone());
        let left = without_named.get_mut(&key).filter(|count| **count > 0);
        let is_caused = left.map(|count| *count -= 1).is_none();
        is_caused && !only_reported
    });
    found
}
