//! Applying fixes: in rounds, and only those that cause no new finding.

mod change;
mod diff;
mod edits;
mod round;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::diagnostic::FileId;
use crate::lint::{Checked, Linter, Outcome};
use crate::project::Service;

pub use change::{Change, write};
pub use diff::unified_diff;

/// What is left after them is for the next run.
const MAX_ROUNDS: usize = 10;
/// How often a service is linted to try fixes out, over all rounds.
const MAX_ATTEMPTS: usize = 64;

/// The result of fixing.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The findings that are left.
    pub outcome: Outcome,
    /// Sorted by file.
    pub changes: Vec<Change>,
    /// Why other files could not be changed.
    pub refused: Vec<String>,
}

/// The result of fixing one service.
struct FixedService {
    checked: Checked,
    changes: Vec<Change>,
    refused: Vec<String>,
}

/// Fixes what is reported, and passes each changed file to `keep`; a file that it refuses counts as
/// not fixed. Services are fixed in parallel, each as a whole: a change of one document may cause
/// findings in another. To be called on a pool of [`crate::lint::on_pool`].
pub fn fix(linter: &Linter<'_>, keep: impl Fn(&Change) -> Result<(), String> + Sync) -> Fixed {
    let services = linter.project().services.par_iter();
    let parts: Vec<_> = services.map(|service| fix_service(linter, service, &keep)).collect();
    let mut fixed = Fixed::default();
    let mut checked = Vec::new();
    for part in parts {
        checked.push(part.checked);
        fixed.changes.extend(part.changes);
        fixed.refused.extend(part.refused);
    }
    fixed.changes.sort_by_key(|change| change.file);
    fixed.outcome = linter.finish(checked);
    fixed.outcome.summary.fixed = fixed.changes.iter().map(|change| change.fixes).sum();
    fixed.outcome.summary.fixed_files = fixed.changes.len();
    fixed
}

fn fix_service(linter: &Linter<'_>, service: &Service, keep: impl Fn(&Change) -> Result<(), String>) -> FixedService {
    // The files are read once, so that every round sees the contents that were linted, whatever
    // happens on the disk meanwhile.
    let original = linter.project().contents(service);
    let mut overrides = original.clone();
    let mut changes: BTreeMap<FileId, Change> = BTreeMap::new();
    let mut attempts = MAX_ATTEMPTS;
    let mut checked = linter.check(service, &overrides);
    for _ in 0..MAX_ROUNDS {
        let accepted = round::accepted(linter, service, &overrides, &checked, &mut attempts);
        if accepted.is_empty() {
            break;
        }
        for (file, text) in edits::apply(&accepted, &checked.sources) {
            let fixes = accepted.iter().filter(|finding| finding.location.file == file).count();
            add(linter, &checked, &mut changes, file, &text, fixes);
            overrides.insert(file, text.into());
        }
        checked = linter.check(service, &overrides);
    }
    let mut refused = Vec::new();
    changes.retain(|_, change| keep(change).map_err(|reason| refused.push(reason)).is_ok());
    if !refused.is_empty() {
        // The report must match what is on the disk: files that were not written are checked as they were.
        let unchanged = original.into_iter().filter(|(file, _)| !changes.contains_key(file));
        overrides.extend(unchanged);
        checked = linter.check(service, &overrides);
    }
    FixedService { checked, changes: changes.into_values().collect(), refused }
}

/// Adds fixes to the change of a file.
fn add(
    linter: &Linter<'_>,
    checked: &Checked,
    changes: &mut BTreeMap<FileId, Change>,
    file: FileId,
    text: &Arc<str>,
    fixes: usize,
) {
    if let Some(change) = changes.get_mut(&file) {
        change.after = Arc::clone(text);
        change.fixes += fixes;
        return;
    }
    let (Some((name, path)), Some(source)) = (linter.project().name_and_path(file), checked.sources.get(&file)) else {
        return;
    };
    let (before, after) = (Arc::clone(&source.text), Arc::clone(text));
    changes.insert(file, Change { file, path: path.to_path_buf(), name: name.to_owned(), before, after, fixes });
}
