//! Applying fixes: in rounds, and only those that cause no new finding. `offer` says which ones a report shows, a `round`
//! applies `edits`, which become a `change` of a file; `entries` of configurations come last.

mod change;
mod edits;
mod entries;
mod offer;
mod round;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::common::limits::MAX_FINDINGS;
use crate::lint::{Checked, Linter, Outcome};
use crate::project::{Contents, Service};
use crate::text::diagnostic::FileId;
use edits::{Edited, composed};

pub use change::{Change, unified_diff, write};
pub use edits::between;
pub use offer::{check, lint};

/// Fixes that remain after these rounds are left for the next run.
const MAX_ROUNDS: usize = 10;

/// Maximum number of fixes of one rule in one file that are applied to a small service in one round. It is higher than
/// the number of listed findings, because each round lints all documents again; in a large service, they would take too
/// much memory.
const MAX_FIXES: usize = 4 * MAX_FINDINGS;
/// Bytes of the documents of a small service.
const MAX_SMALL: usize = 3 << 20;

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

/// Applies the fixes of all findings, and passes the changed files to `keep`, grouped by fix. Files that it refuses
/// count as not fixed. Services are fixed in parallel, each as a whole: a change of one document may cause findings in
/// another. To be called on a [`crate::lint::pool`].
pub fn fix(linter: &Linter<'_>, keep: impl Fn(&[&Change]) -> Result<(), String> + Sync) -> Fixed {
    let services = linter.project().services.par_iter();
    let parts: Vec<_> = services.map(|service| fix_service(linter, service, &keep)).collect();
    let mut fixed = Fixed::default();
    let mut checked = Vec::new();
    for part in parts {
        checked.push(part.checked);
        fixed.changes.extend(part.changes);
        fixed.refused.extend(part.refused);
    }
    fixed.outcome = linter.finish(checked);
    let (changes, refused) = entries::remove(linter, &mut fixed.outcome, &keep);
    fixed.changes.extend(changes);
    fixed.refused.extend(refused);
    fixed.changes.sort_by_key(|change| change.file);
    fixed.outcome.summary.fixed = fixed.changes.iter().map(|change| change.fixes).sum();
    fixed.outcome.summary.fixed_files = fixed.changes.len();
    fixed
}

fn fix_service(
    linter: &Linter<'_>,
    service: &Service,
    keep: impl Fn(&[&Change]) -> Result<(), String>,
) -> FixedService {
    // The files are read once, so that every round sees the contents that were linted, whatever
    // happens on the disk meanwhile.
    let original = linter.project().contents(service);
    let mut overrides = original.clone();
    let mut changes: BTreeMap<FileId, Change> = BTreeMap::new();
    let mut groups = Groups::default();
    let mut attempts = round::MAX_ATTEMPTS;
    let bytes: usize = original.values().map(|contents| contents.as_bytes().len()).sum();
    let max_fixes = if bytes <= MAX_SMALL { MAX_FIXES } else { MAX_FINDINGS };
    let mut checked = linter.check_listing(service, &overrides, max_fixes);
    for _ in 0..MAX_ROUNDS {
        let accepted = round::accepted(linter, service, &overrides, &checked, &mut attempts);
        if accepted.is_empty() {
            break;
        }
        let mut counts: BTreeMap<FileId, usize> = BTreeMap::new();
        for finding in &accepted {
            groups.join(finding.edited_files().collect());
            *counts.entry(finding.location.file).or_default() += 1;
        }
        for (file, edited) in edits::apply(&accepted, &checked.sources) {
            let fixes = counts.get(&file).copied().unwrap_or(0);
            overrides.insert(file, Contents::Text(Arc::clone(&edited.text)));
            add(linter, &checked, &mut changes, file, edited, fixes);
        }
        // Frees the findings before the next round.
        drop(checked);
        checked = linter.check_listing(service, &overrides, max_fixes);
    }
    if max_fixes > MAX_FINDINGS && checked.diagnostics.len() > MAX_FINDINGS {
        drop(checked);
        checked = linter.check(service, &overrides);
    }
    let refused = keep_groups(groups, &mut changes, keep);
    if !refused.is_empty() {
        // The report must match the files on disk, so files that were not written are checked with their old contents.
        let unchanged = original.into_iter().filter(|(file, _)| !changes.contains_key(file));
        overrides.extend(unchanged);
        drop(checked);
        checked = linter.check(service, &overrides);
    }
    offer::keep_applicable(linter, service, &overrides, &mut checked);
    FixedService { checked, changes: changes.into_values().collect(), refused }
}

/// Passes the changes to `keep`, a group at a time, and drops those that it refuses. Returns the reasons.
fn keep_groups(
    groups: Groups,
    changes: &mut BTreeMap<FileId, Change>,
    keep: impl Fn(&[&Change]) -> Result<(), String>,
) -> Vec<String> {
    let mut refused = Vec::new();
    for group in groups.into_groups() {
        let together: Vec<&Change> = group.iter().filter_map(|file| changes.get(file)).collect();
        if let Err(reason) = keep(&together) {
            refused.push(reason);
            changes.retain(|file, _| !group.contains(file));
        }
    }
    refused
}

/// Files that are changed all together or not at all, because some fix changes several of them.
#[derive(Default)]
struct Groups {
    groups: BTreeMap<usize, BTreeSet<FileId>>,
    /// The group of each file.
    of_file: BTreeMap<FileId, usize>,
}

impl Groups {
    fn join(&mut self, files: BTreeSet<FileId>) {
        let known: BTreeSet<usize> = files.iter().filter_map(|file| self.of_file.get(file)).copied().collect();
        // The smaller ones are added to the largest.
        let size = |index: &usize| self.groups.get(index).map_or(0, BTreeSet::len);
        let target = known.iter().copied().max_by_key(size).unwrap_or(self.of_file.len());
        let joined = known.iter().filter(|&&index| index != target).filter_map(|index| self.groups.remove(index));
        let added: Vec<FileId> = joined.flatten().chain(files).collect();
        self.of_file.extend(added.iter().map(|&file| (file, target)));
        self.groups.entry(target).or_default().extend(added);
    }

    fn into_groups(self) -> impl Iterator<Item = BTreeSet<FileId>> {
        self.groups.into_values()
    }
}

/// Adds fixes to the change of a file.
fn add(
    linter: &Linter<'_>,
    checked: &Checked,
    changes: &mut BTreeMap<FileId, Change>,
    file: FileId,
    edited: Edited,
    fixes: usize,
) {
    let Edited { text: after, replacements } = edited;
    if let Some(change) = changes.get_mut(&file) {
        change.after = after;
        change.replacements = composed(&change.replacements, &replacements);
        change.fixes += fixes;
        return;
    }
    let (Some((name, path)), Some(source)) = (linter.project().name_and_path(file), checked.sources.get(&file)) else {
        return;
    };
    let (path, name, before) = (path.to_path_buf(), name.to_owned(), Arc::clone(&source.text));
    changes.insert(file, Change { file, path, name, before, after, replacements, fixes });
}
