//! `--add-suppressions`: `[[suppress]]` entries for the findings of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::undo::Undo;
use super::world::Failure;
use crate::collections::HashMap;
use crate::config::{FILE_NAME, NewSuppression, SuppressionTarget, with_suppressions};
use crate::diagnostic::{Diagnostic, FileId};
use crate::project::{Project, clean_path, relative_name};
use crate::rules::CONFIG_PROBLEM;
use crate::text::count;
use crate::write::Batch;

/// New entries by configuration file, in the order of the findings.
type Added = BTreeMap<PathBuf, Vec<NewSuppression>>;

/// All entries that were added, in this round and before.
type Seen = BTreeSet<(PathBuf, NewSuppression)>;

/// Adds an entry for each finding that has none yet. Returns whether there was any.
///
/// # Errors
/// A finding that no configuration can suppress, and a file that cannot be written. Nothing is written unless all
/// entries can be added.
pub(super) fn add<'d>(
    reason: &str,
    project: &Project,
    listed: impl Iterator<Item = &'d Diagnostic>,
    seen: &mut Seen,
    undo: &mut Undo,
    current: &Path,
) -> Result<bool, Failure> {
    let added = entries(project, listed, seen, current).map_err(Failure::Message)?;
    let (mut batch, mut changes) = (Batch::default(), Vec::new());
    for (path, entries) in &added {
        let config = project.configs.iter().find(|config| config.path.as_ref() == Some(path));
        let before = config.map_or("", |config| &config.text);
        let name = relative_name(path, current);
        let text = with_suppressions(before, entries, reason)
            .map_err(|error| Failure::Message(format!("cannot add suppressions to {name}: {error}")))?;
        batch.replace(path.clone(), name.clone(), text.clone().into_bytes());
        changes.push((path.clone(), name, config.map(|config| config.text.to_string()), text, entries.len()));
    }
    batch.write().map_err(Failure::Message)?;
    for (path, name, before, after, number) in changes {
        undo.note(format!("Added {} to {name}.", count(number, "suppression")));
        undo.add(path, name, before, after);
    }
    Ok(!added.is_empty())
}

fn entries<'d>(
    project: &Project,
    listed: impl Iterator<Item = &'d Diagnostic>,
    seen: &mut Seen,
    current: &Path,
) -> Result<Added, String> {
    let mut configs: HashMap<FileId, usize> = HashMap::default();
    for service in &project.services {
        configs.extend(service.files.iter().map(|&file| (file, service.config)));
    }
    let mut added = Added::new();
    for diagnostic in listed.filter(|diagnostic| diagnostic.code != CONFIG_PROBLEM.code) {
        let file = diagnostic.location.file;
        let Some((name, path)) = project.name_and_path(file) else { continue };
        let config = configs.get(&file).and_then(|&index| project.configs.get(index)?.path.clone());
        let config = match config {
            Some(config) => config,
            None if path.starts_with(current) => current.join(FILE_NAME),
            None => {
                return Err(format!(
                    "cannot suppress findings in {name}: a `wflint.toml` in the current folder does not hold for it"
                ));
            }
        };
        let folder = config.parent().unwrap_or(current);
        let file = relative_name(path, folder);
        // A name that is not UTF-8 has no string in TOML.
        if clean_path(Path::new(&file), folder).0 != path {
            return Err(format!("cannot suppress findings in {name}: its name cannot be written in `wflint.toml`"));
        }
        let entry = NewSuppression { rule: diagnostic.code.to_owned(), file, target: target(diagnostic) };
        if seen.insert((config.clone(), entry.clone())) {
            added.entry(config).or_default().push(entry);
        }
    }
    Ok(added)
}

fn target(diagnostic: &Diagnostic) -> SuppressionTarget {
    match &diagnostic.activity {
        Some(activity) => SuppressionTarget::Activity(activity.clone()),
        None => SuppressionTarget::Pointer(diagnostic.location.pointer.clone()),
    }
}
