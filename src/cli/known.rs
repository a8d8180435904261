//! Findings that are known: `--baseline`, `baseline` in configurations, `--write-baseline`, and the `[[suppress]]` entries
//! of `--add-suppressions`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lint_options::LintOptions;
use super::world::{Failure, World, unwritable};
use crate::common::collections::HashMap;
use crate::config::{Config, FILE_NAME, NewSuppression, with_suppressions};
use crate::document::{Document, Limits};
use crate::files::write::replace_unchanged;
use crate::lint::identity::Counts;
use crate::lint::{Baseline, Baselines, suppression_target};
use crate::project::{Project, Request, clean_path, relative_name};
use crate::rules::CONFIG_PROBLEM;
use crate::text::count;
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::source::SourceFile;

/// Reads the baseline of the command line, otherwise those of the configurations.
pub(super) fn load_baselines(
    options: &LintOptions,
    configs: &[Config],
    request: &Request,
    current: &Path,
) -> Result<Baselines, String> {
    let empty =
        Baselines { are_written: options.write_baseline, are_strict: options.strict_baseline, ..Baselines::default() };
    let baselines =
        empty.load(options.baseline.as_ref().map(|path| current.join(path)).as_deref(), configs, request)?;
    if options.write_baseline && baselines.all.is_empty() {
        return Err("`--write-baseline` requires `--baseline FILE`, or `baseline` in `wflint.toml`".to_owned());
    }
    Ok(baselines)
}

/// Writes the baselines with these entries. Returns the lines to print about them.
pub(super) fn write_baselines(
    options: &LintOptions,
    baselines: &Baselines,
    entries: &[Counts],
    world: &World<'_>,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    for (old, counts) in baselines.all.iter().zip(entries) {
        let name = relative_name(&old.path, &world.current);
        let is_read = |now: Option<&[u8]>| old.is_text(now);
        let written = replace_unchanged(&old.path, is_read, |out| Baseline::write(counts, out));
        written.map_err(|error| unwritable(&name, &error))?;
        if !options.run.quiet {
            let total: usize = counts.values().sum();
            let removed = match old.total().saturating_sub(total) {
                0 => String::new(),
                removed => format!(", {removed} removed"),
            };
            lines.push(format!("Wrote {} to {name}{removed}.", count(total, "finding")));
        }
    }
    Ok(lines)
}

/// New entries by configuration file, in the order of the findings.
type Added = BTreeMap<PathBuf, Vec<NewSuppression>>;

/// All entries that were added, in this round and before.
pub(super) type Seen = BTreeSet<(PathBuf, NewSuppression)>;

/// Adds an entry for each finding that has none yet. Returns a line to print about each file; none if there was nothing to
/// add.
///
/// # Errors
/// A finding that no configuration can suppress, before anything is written, or a file that cannot be written.
pub(super) fn suppress<'d>(
    reason: &str,
    project: &Project,
    sources: &BTreeMap<FileId, SourceFile>,
    listed: impl Iterator<Item = &'d Diagnostic>,
    seen: &mut Seen,
    current: &Path,
) -> Result<Vec<String>, Failure> {
    let added = entries(project, sources, listed, seen, current).map_err(Failure::Message)?;
    let mut files = Vec::new();
    for (path, entries) in &added {
        let config = project.configs.iter().find(|config| config.path.as_ref() == Some(path));
        let before = config.map_or("", |config| &config.text);
        let name = relative_name(path, current);
        let text = with_suppressions(before, entries, reason)
            .map_err(|error| Failure::Message(format!("cannot add suppressions to {name}: {error}")))?;
        files.push((path, name, text, entries.len(), config.map(|config| Arc::clone(&config.text))));
    }
    let mut lines = Vec::new();
    for (path, name, text, number, before) in files {
        let is_read = |now: Option<&[u8]>| now == before.as_ref().map(|text| text.as_bytes());
        let written = replace_unchanged(path, is_read, |out| out.write_all(text.as_bytes()));
        written.map_err(|error| unwritable(&name, &error))?;
        lines.push(format!("Added {} to {name}.", count(number, "suppression")));
    }
    Ok(lines)
}

fn entries<'d>(
    project: &Project,
    sources: &BTreeMap<FileId, SourceFile>,
    listed: impl Iterator<Item = &'d Diagnostic>,
    seen: &mut Seen,
    current: &Path,
) -> Result<Added, String> {
    let mut configs: HashMap<FileId, usize> = HashMap::default();
    for service in &project.services {
        configs.extend(service.files.iter().map(|&file| (file, service.config)));
    }
    let mut added = Added::new();
    let mut documents: BTreeMap<FileId, Option<Document>> = BTreeMap::new();
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
        let document = documents
            .entry(diagnostic.location.file)
            .or_insert_with_key(|file| Document::parse(Arc::clone(&sources.get(file)?.text), Limits::default()).ok());
        let (activity, pointer) = (diagnostic.activity.as_deref(), &diagnostic.location.pointer);
        let target = suppression_target(activity, pointer, document.as_ref());
        let entry = NewSuppression { rule: diagnostic.code.to_owned(), file, target };
        if seen.insert((config.clone(), entry.clone())) {
            added.entry(config).or_default().push(entry);
        }
    }
    Ok(added)
}
