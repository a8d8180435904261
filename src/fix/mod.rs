//! Applying fixes: in rounds, and only such that make no new finding.

mod diff;
mod edits;
mod round;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use crate::diagnostic::{Applicability, Diagnostic, FileId};
use crate::lint::{Checked, Linter, Outcome};
use crate::project::Service;
use crate::write::write_whole;

pub use diff::unified_diff;

/// Rounds at most; what is left is for the next run.
const ROUNDS: usize = 10;
/// How often a service is linted for trying fixes out, over all rounds.
const ATTEMPTS: usize = 64;

/// A file that fixes change.
#[derive(Debug, Clone)]
pub struct Change {
    /// The file.
    pub file: FileId,
    /// Where it lies.
    pub path: PathBuf,
    /// How reports name it.
    pub name: String,
    /// Its text without the fixes.
    pub before: Arc<str>,
    /// Its text with them.
    pub after: Arc<str>,
    /// How many findings they fix.
    pub fixes: usize,
}

/// What came of fixing.
#[derive(Debug, Default)]
pub struct Fixed {
    /// What is left to report.
    pub outcome: Outcome,
    /// The files that were changed, sorted by name.
    pub changes: Vec<Change>,
    /// Why others could not be changed.
    pub refused: Vec<String>,
}

/// Fixes what is reported, and hands each changed file to `keep`; what it refuses counts as not
/// fixed. Services are fixed side by side, and each as a whole: a change of one document may make
/// findings in another. To be called on a pool of [`crate::lint::on_pool`].
pub fn fix(linter: &Linter<'_>, keep: impl Fn(&Change) -> Result<(), String> + Sync) -> Fixed {
    let services = linter.project().services.par_iter();
    let parts: Vec<_> = services.map(|service| fix_service(linter, service, &keep)).collect();
    let mut fixed = Fixed::default();
    let mut checked = Vec::new();
    for part in parts {
        checked.push(part.0);
        fixed.changes.extend(part.1);
        fixed.refused.extend(part.2);
    }
    fixed.changes.sort_by_key(|change| change.file);
    fixed.outcome = linter.finish(checked);
    fixed.outcome.summary.fixed = fixed.changes.iter().map(|change| change.fixes).sum();
    fixed.outcome.summary.fixed_files = fixed.changes.len();
    fixed
}

/// Writes a changed file in place of the one that was linted.
///
/// # Errors
/// When it cannot be written, or is not as it was any more.
pub fn write(change: &Change) -> Result<(), String> {
    let name = &change.name;
    let failed = |error: std::io::Error| format!("{name}: the fixes cannot be written: {error}");
    let metadata = std::fs::metadata(&change.path).map_err(failed)?;
    if metadata.permissions().readonly() || !metadata.is_file() {
        let reason = if metadata.is_file() { "the file is read-only" } else { "it is no ordinary file" };
        return Err(format!("{name}: the fixes cannot be written: {reason}"));
    }
    let now = std::fs::read(&change.path).map_err(failed)?;
    if now == change.after.as_bytes() {
        return Ok(()); // It was named twice, by a link.
    }
    if now != change.before.as_bytes() {
        return Err(format!("{name}: the fixes are not written: the file was changed while it was linted"));
    }
    write_whole(&change.path, change.after.as_bytes()).map_err(failed)
}

fn fix_service(
    linter: &Linter<'_>,
    service: &Service,
    keep: impl Fn(&Change) -> Result<(), String>,
) -> (Checked, Vec<Change>, Vec<String>) {
    // Read once: what is judged is what was fixed.
    let read = linter.project().texts(service);
    let mut texts = read.clone();
    let mut changes: BTreeMap<FileId, Change> = BTreeMap::new();
    let mut attempts = ATTEMPTS;
    let mut checked = linter.check(service, &texts);
    for _ in 0..ROUNDS {
        let accepted = round::accepted(linter, service, &texts, &checked, &mut attempts);
        if accepted.is_empty() {
            break;
        }
        for (file, text) in edits::apply(&accepted, &checked.sources) {
            let fixes = accepted.iter().filter(|finding| finding.location.file == file).count();
            add(linter, &checked, &mut changes, file, &text, fixes);
            texts.insert(file, text.into());
        }
        checked = linter.check(service, &texts);
    }
    let mut refused = Vec::new();
    changes.retain(|_, change| keep(change).map_err(|reason| refused.push(reason)).is_ok());
    if !refused.is_empty() {
        let as_it_was = read.into_iter().filter(|(file, _)| !changes.contains_key(file));
        texts.extend(as_it_was);
        checked = linter.check(service, &texts);
    }
    (checked, changes.into_values().collect(), refused)
}

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

/// Whether a finding's fix is to be applied.
fn is_wanted(linter: &Linter<'_>, finding: &Diagnostic) -> bool {
    let Some(fix) = &finding.fix else { return false };
    let is_allowed = fix.applicability == Applicability::Safe || linter.options().unsafe_fixes;
    is_allowed && !fix.edits.is_empty() && linter.project().is_reported(finding.location.file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let (before, after) = ("{}".into(), "[]".into());
        let change = Change { file: FileId(0), path: path.clone(), name: "a.json".to_owned(), before, after, fixes: 1 };
        std::fs::write(&path, "{ }").unwrap();
        assert!(write(&change).unwrap_err().contains("a.json: the fixes are not written: the file was changed"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{ }");
        std::fs::write(&path, "{}").unwrap();
        assert_eq!((write(&change), write(&change)), (Ok(()), Ok(())), "the second time it is as it should be");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[]");
        std::fs::remove_file(&path).unwrap();
        assert!(write(&change).is_err());
    }
}
