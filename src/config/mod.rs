//! `wflint.toml`: what a project says about itself.

mod file;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;
use serde::Deserialize;

use crate::catalog::Catalog;
use crate::diagnostic::Severity;
use crate::source::Span;
use crate::toml_file::{self, TomlError};
use file::{ConfigFile, check, span, suppression};

/// The name of the configuration file.
pub const FILE_NAME: &str = "wflint.toml";

/// The least severity that makes the exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// Errors only.
    Error,
    /// Errors and warnings.
    #[default]
    Warning,
    /// Any finding.
    Info,
    /// No finding.
    Never,
}

impl FailOn {
    /// Whether a finding of this severity fails the run.
    pub const fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => matches!(severity, Severity::Error),
            Self::Warning => matches!(severity, Severity::Error | Severity::Warning),
            Self::Info => true,
            Self::Never => false,
        }
    }
}

/// Building blocks of the platform that the reference does not show, as the user declares them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Types {
    /// Activity types.
    pub activities: BTreeMap<String, ActivityShape>,
    /// Form field types.
    pub fields: Vec<String>,
}

/// Whether a declared activity type runs children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActivityShape {
    /// It has none.
    Leaf,
    /// It runs its children.
    Container,
}

/// Documents that share a variable list, where "one folder is one service" does not say it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ServiceEntry {
    /// How people call it.
    pub name: String,
    /// Path of the workflow, from the configuration's folder.
    pub workflow: Option<String>,
    /// Patterns of its forms, from the configuration's folder.
    #[serde(default)]
    pub forms: Vec<String>,
}

/// One finding that is known and not reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// Code or name of its rule, as written.
    pub rule: String,
    /// Its file, from the configuration's folder.
    pub file: String,
    /// The nearest activity or field around it.
    pub activity: Option<String>,
    /// Its place, or one around it.
    pub pointer: Option<String>,
    /// The last day on which it is not reported.
    pub until: Option<Date>,
    /// Where in the file the entry begins.
    pub span: Span,
    /// Where the rule is named.
    pub rule_span: Span,
    /// Where the day is named.
    pub until_span: Span,
}

/// Rules that do not report for the files of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerFileIgnore {
    /// The pattern, from the configuration's folder.
    pub pattern: String,
    /// The rules, by code, prefix, name or group, each with its place in the file.
    pub rules: Vec<(String, Span)>,
}

/// A configuration, ready for use.
#[derive(Debug, Clone)]
pub struct Config {
    /// The file it came from; `None` for the defaults.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: Arc<str>,
    /// The folder that its paths and patterns are relative to.
    pub folder: PathBuf,
    /// Rules that report, by code, prefix, name or group; all of them when `None`.
    pub select: Option<Vec<String>>,
    /// Rules that do not report.
    pub ignore: Vec<String>,
    /// Patterns of what a walk leaves out.
    pub exclude: Vec<String>,
    /// The least severity that fails a run.
    pub fail_on: Option<FailOn>,
    /// The provider methods: the documented ones and the user's.
    pub catalog: Catalog,
    /// Names of variables that the platform provides.
    pub system_variables: Vec<String>,
    /// Declared activity and field types.
    pub types: Types,
    /// Severities by rule code or name.
    pub severity: Vec<(String, Severity)>,
    /// Rules that do not report for the files of a pattern.
    pub per_file_ignores: Vec<PerFileIgnore>,
    /// Findings that are not reported.
    pub suppressions: Vec<Suppression>,
    /// Services that are no folder.
    pub services: Vec<ServiceEntry>,
    /// The least delay, in seconds, of a loop that calls a provider.
    pub min_poll_seconds: f64,
    /// The greatest size of a document, in bytes.
    pub max_file_bytes: u64,
    /// The deepest nesting of a document.
    pub max_depth: usize,
    /// Whether the scripts of Code activities are run, in the sandbox, while documents are linted.
    pub evaluate_scripts: bool,
    /// The most activities of a workflow; any number when `None`.
    pub max_activities: Option<usize>,
    /// The deepest nesting of activities; any when `None`.
    pub max_nesting: Option<usize>,
    /// The most branches of a workflow: Ifs, Whiles and Events; any number when `None`.
    pub max_branches: Option<usize>,
}

impl Default for Config {
    fn default() -> Self {
        Self::ready(ConfigFile::default(), None, Vec::new(), Catalog::built_in().clone())
    }
}

impl Config {
    /// Reads a configuration file and the catalogues it names.
    ///
    /// # Errors
    /// What is wrong with one of them, in one line that begins with its place.
    pub fn load(path: &Path) -> Result<Self, TomlError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| TomlError(format!("{name}: {error}")))?;
        let file: ConfigFile = toml_file::read(&name, &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        check(&file).map_err(|reason| TomlError(format!("{name}: {reason}")))?;
        let suppressions = file.suppress.iter().map(|entry| {
            suppression(entry).map_err(|(at, reason)| toml_file::error_at(&name, &text, at.start, reason))
        });
        let suppressions = suppressions.collect::<Result<_, _>>()?;
        let mut catalog = Catalog::built_in().clone();
        for pattern in &file.catalogs {
            add_catalogs(&mut catalog, folder, pattern)
                .map_err(|error| TomlError(format!("{name}: catalogs: {}", error.0)))?;
        }
        Ok(Self { text: text.into(), ..Self::ready(file, Some(path), suppressions, catalog) })
    }

    /// The nearest configuration file at or above a folder.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        folder.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file())
    }

    fn ready(file: ConfigFile, path: Option<&Path>, suppressions: Vec<Suppression>, catalog: Catalog) -> Self {
        let per_file_ignores = file.per_file_ignores.into_iter().map(|(pattern, rules)| {
            let rules = rules.into_iter().map(|rule| (rule.get_ref().clone(), span(&rule.span()))).collect();
            PerFileIgnore { pattern, rules }
        });
        Self {
            path: path.map(Path::to_path_buf),
            text: Arc::default(),
            folder: path.and_then(Path::parent).unwrap_or(Path::new("")).to_path_buf(),
            select: file.select,
            ignore: file.ignore,
            exclude: file.exclude,
            fail_on: file.fail_on,
            catalog,
            system_variables: file.system_variables,
            types: file.types,
            severity: file.severity.into_iter().map(|(rule, level)| (rule, level.into())).collect(),
            per_file_ignores: per_file_ignores.collect(),
            suppressions,
            services: file.service,
            min_poll_seconds: file.limits.min_poll_seconds,
            max_file_bytes: u64::from(file.limits.max_file_mib) << 20,
            max_depth: file.limits.max_depth,
            evaluate_scripts: file.scripts.evaluate,
            max_activities: file.limits.max_activities,
            max_nesting: file.limits.max_nesting,
            max_branches: file.limits.max_branches,
        }
    }
}

/// A pattern of the configuration: `*` stays within a folder, `**` crosses folders.
///
/// # Errors
/// Why it is no pattern.
pub fn glob(pattern: &str) -> Result<globset::GlobMatcher, String> {
    let glob = globset::GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| error.kind().to_string())
}

fn add_catalogs(catalog: &mut Catalog, folder: &Path, pattern: &str) -> Result<(), TomlError> {
    let paths = matching_files(folder, pattern).map_err(TomlError)?;
    if paths.is_empty() {
        return Err(TomlError(format!("no file matches `{pattern}`")));
    }
    for path in paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| TomlError(format!("{name}: {error}")))?;
        catalog.add(&name, &text)?;
    }
    Ok(())
}

/// The files below a folder that match a pattern, sorted.
fn matching_files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !pattern.contains(['*', '?', '[', '{']) {
        return Ok(vec![folder.join(pattern)]);
    }
    let matcher = glob(pattern).map_err(|error| format!("the pattern `{pattern}` is malformed: {error}"))?;
    let walk = ignore::WalkBuilder::new(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
        .standard_filters(false)
        .hidden(true)
        .build();
    let mut paths: Vec<PathBuf> = walk
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .filter(|path| {
            let inside = path.strip_prefix(folder).unwrap_or(path);
            matcher.is_match(inside.strip_prefix(".").unwrap_or(inside))
        })
        .collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Config, TomlError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        std::fs::write(&path, text).unwrap();
        Config::load(&path).map_err(|error| TomlError(error.0.replace(&path.display().to_string(), FILE_NAME)))
    }

    #[test]
    fn the_documented_keys_are_read() {
        let config = load(
            "select = ['ALL']\nignore = ['WF110']\nexclude = ['archive/**']\nfail-on = 'error'\n\
             system-variables = ['OrderId']\n[types]\nactivities = { SendEmail = 'leaf', Parallel = 'container' }\n\
             fields = ['TextArea']\n[severity]\nWF505 = 'warning'\n[per-file-ignores]\n'legacy/**' = ['WF2']\n\
             [[service]]\nname = 'signing'\nworkflow = 'workflows/sign.json'\nforms = ['forms/sign-*.json']\n\
             [limits]\nmin-poll-seconds = 60\nmax-file-mib = 1\nmax-depth = 256\n\
             max-activities = 100\nmax-nesting = 8\nmax-branches = 20\n[scripts]\nevaluate = false\n",
        )
        .unwrap();
        assert_eq!(config.ignore, ["WF110"]);
        assert_eq!(config.types.activities.get("Parallel"), Some(&ActivityShape::Container));
        assert_eq!(config.severity, [("WF505".to_owned(), Severity::Warning)]);
        assert_eq!((config.max_file_bytes, config.max_depth), (1 << 20, 256));
        assert!(!config.evaluate_scripts && Config::default().evaluate_scripts);
        let complexity = (config.max_activities, config.max_nesting, config.max_branches);
        assert_eq!(complexity, (Some(100), Some(8), Some(20)));
    }

    #[test]
    fn what_is_wrong_is_refused_with_its_place() {
        assert_eq!(load("[limit]\n").unwrap_err().0, "wflint.toml:1:2: unknown key `limit`; did you mean `limits`?");
        assert!(load("[limits]\nmax-depth = 1000").unwrap_err().0.contains("from 1 to 256"));
        assert!(load("exclude = ['a[']").unwrap_err().0.contains("malformed"));
        assert!(load("catalogs = ['none/*.toml']").unwrap_err().0.contains("no file matches"));
    }
}
