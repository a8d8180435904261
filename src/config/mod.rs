//! `wflint.toml`: the configuration of a project.

mod append;
mod file;
mod listed;
mod pattern;
mod services;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::boundary::Boundary;
use crate::catalog::Catalog;
use crate::diagnostic::Severity;
use crate::read::{is_present, read_regular};
use crate::source::Span;
use crate::toml_file::{self, TomlError};
use file::{ConfigFile, check, span, suppression};
use pattern::matching_files;
use services::check_services;

pub use append::{NewSuppression, SuppressionTarget, with_suppressions};
pub use listed::{Origin, Setting};
pub use pattern::{PatternSet, matched_by_files};
pub use settings::{
    ActivityShape, DeclaredActivity, DeclaredWrites, EditorState, FailOn, FormatOptions, MemberOrder, PerFileIgnore,
    ServiceEntry, SpannedSelector, Suppression, Types,
};

pub const FILE_NAME: &str = "wflint.toml";

/// A configuration, ready for use.
#[derive(Debug, Clone)]
pub struct Config {
    /// `None` for the defaults.
    pub path: Option<PathBuf>,
    /// The files that it was read from, catalogs included.
    pub files: Vec<PathBuf>,
    /// The text of the file; empty for the defaults.
    pub text: Arc<str>,
    /// The folder that its paths and patterns are relative to.
    pub folder: PathBuf,
    /// Rules that report, by code, prefix, name or group; all of them when `None`.
    pub select: Option<Vec<String>>,
    /// The place of `select` in the file.
    pub select_span: Span,
    /// Rules that do not report; wins over `select`.
    pub ignore: Vec<String>,
    /// Patterns of files and folders that are not walked into.
    pub exclude: Vec<String>,
    pub fail_on: Option<FailOn>,
    /// The built-in provider methods with the user's additions and changes.
    pub catalog: Catalog,
    /// The file of known findings.
    pub baseline: Option<PathBuf>,
    /// Names of variables that the platform provides.
    pub system_variables: BTreeSet<String>,
    pub types: Types,
    /// Severities by code, prefix, name or group.
    pub severity: Vec<(String, Severity)>,
    pub per_file_ignores: Vec<PerFileIgnore>,
    pub suppressions: Vec<Suppression>,
    pub services: Vec<ServiceEntry>,
    /// The shortest delay of a loop that calls a provider, in seconds.
    pub min_poll_seconds: f64,
    /// The time limit of a script while documents are linted, in seconds; all scripts of a service have
    /// five times as much. Both are counted in steps of the engine.
    pub script_seconds: f64,
    pub max_file_bytes: u64,
    /// Levels of arrays and objects in a document.
    pub max_depth: usize,
    /// Whether the scripts of Code activities are run, in the sandbox, while documents are linted.
    pub evaluate_scripts: bool,
    pub fmt: FormatOptions,
    /// Activities in a workflow; unlimited when `None`.
    pub max_activities: Option<usize>,
    /// Levels of activities in a workflow; unlimited when `None`.
    pub max_nesting: Option<usize>,
    /// Ifs, Whiles and Events in a workflow; unlimited when `None`.
    pub max_branches: Option<usize>,
}

impl Default for Config {
    fn default() -> Self {
        Self::from_file(ConfigFile::default(), None, Vec::new(), Catalog::built_in().clone())
    }
}

impl Config {
    /// Reads a configuration file and the catalogs that it names, which are within the boundary.
    ///
    /// # Errors
    /// The first problem, in one line that begins with its place.
    pub fn load(path: &Path, boundary: &Boundary) -> Result<Self, TomlError> {
        Self::load_with(path, boundary, &[])
    }

    /// As [`Self::load`]; files that are not saved yet, with these absolute paths, count as existing.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_with(path: &Path, boundary: &Boundary, unsaved: &[PathBuf]) -> Result<Self, TomlError> {
        let name = path.display().to_string();
        let text = read_regular(path).map_err(|error| TomlError(format!("cannot read {name}: {error}")))?;
        let file: ConfigFile = toml_file::read(&name, &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        check(&file).map_err(|reason| TomlError(format!("{name}: {reason}")))?;
        check_services(&file.service, folder, unsaved)
            .map_err(|error| toml_file::error_at(&name, &text, error.at.start, &error.reason))?;
        let suppressions = file.suppress.iter().map(|entry| {
            suppression(entry).map_err(|error| toml_file::error_at(&name, &text, error.at.start, error.reason))
        });
        let suppressions = suppressions.collect::<Result<_, _>>()?;
        let mut catalog = Catalog::built_in().clone();
        let mut files = vec![path.to_path_buf()];
        for pattern in &file.catalogs {
            let added = add_catalogs(&mut catalog, folder, pattern, boundary);
            files.extend(added.map_err(|error| TomlError(format!("{name}: catalogs: {}", error.0)))?);
        }
        Ok(Self { text: text.into(), files, ..Self::from_file(file, Some(path), suppressions, catalog) })
    }

    /// The nearest configuration file at or above a folder. One that cannot be read counts: without it
    /// the files would be linted with other settings than its author chose.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        folder.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| is_present(path))
    }

    fn from_file(file: ConfigFile, path: Option<&Path>, suppressions: Vec<Suppression>, catalog: Catalog) -> Self {
        let per_file_ignores = file.per_file_ignores.into_iter().map(|(pattern, rules)| {
            let selectors = rules.into_iter().map(|rule| {
                let span = span(&rule.span());
                SpannedSelector { selector: rule.into_inner(), span }
            });
            let pattern_span = span(&pattern.span());
            PerFileIgnore { pattern: pattern.into_inner(), pattern_span, selectors: selectors.collect() }
        });
        Self {
            path: path.map(Path::to_path_buf),
            files: Vec::new(),
            text: Arc::default(),
            folder: path.and_then(Path::parent).unwrap_or(Path::new("")).to_path_buf(),
            select_span: file.select.as_ref().map_or_else(Span::default, |select| span(&select.span())),
            select: file.select.map(toml::Spanned::into_inner),
            ignore: file.ignore,
            exclude: file.exclude,
            fail_on: file.fail_on,
            catalog,
            baseline: file.baseline.map(|baseline| path.and_then(Path::parent).unwrap_or(Path::new("")).join(baseline)),
            system_variables: file.system_variables,
            types: file.types,
            severity: file.severity.into_iter().map(|(rule, level)| (rule, level.into())).collect(),
            per_file_ignores: per_file_ignores.collect(),
            suppressions,
            services: file.service.iter().map(|service| service.get_ref().entry()).collect(),
            min_poll_seconds: file.limits.min_poll_seconds,
            script_seconds: file.limits.script_seconds,
            max_file_bytes: u64::from(file.limits.max_file_mib) << 20,
            max_depth: file.limits.max_depth,
            evaluate_scripts: file.scripts.evaluate,
            fmt: file.fmt,
            max_activities: file.limits.max_activities,
            max_nesting: file.limits.max_nesting,
            max_branches: file.limits.max_branches,
        }
    }
}

/// Adds the catalogs that a pattern matches, and returns their paths.
fn add_catalogs(
    catalog: &mut Catalog,
    folder: &Path,
    pattern: &str,
    boundary: &Boundary,
) -> Result<Vec<PathBuf>, TomlError> {
    let paths = matching_files(folder, pattern).map_err(TomlError)?;
    if paths.is_empty() {
        return Err(TomlError(format!("no file matches `{pattern}`")));
    }
    for path in &paths {
        let name = path.display().to_string();
        let text = boundary.check(path, folder).and_then(|()| read_regular(path));
        let text = text.map_err(|error| TomlError(format!("cannot read {name}: {error}")))?;
        catalog.add(&name, &text)?;
    }
    Ok(paths)
}
