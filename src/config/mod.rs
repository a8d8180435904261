//! `wflint.toml`: the configuration of a project.
//!
//! `file` is its format, with the entries in a file each: `explore`, `law`, `service`, `suppress`, `accept_mutant`.
//! `layers` reads the file and those that it extends, and merges their values; this file makes settings of them.
//! `own_rules` finds the rules of the user, by the codes of `own_code`. `pattern` matches paths, `selector` is what selects
//! rules, `listed` and `names` tell other commands and editors what a configuration says, and `removal` takes entries out of
//! its text.

mod accept_mutant;
mod explore;
mod file;
mod json;
mod law;
mod layers;
mod listed;
mod names;
mod own_code;
mod own_rules;
mod pattern;
mod removal;
mod selector;
mod service;
mod settings;
mod suppress;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Spanned;

use crate::catalog::Catalog;
use crate::files::boundary::Boundary;
use crate::files::read::{Unsaved, is_present};
use crate::files::toml_file::{self, TomlError};
use crate::text::diagnostic::Severity;
use crate::text::suggest;
use accept_mutant::accepted_mutant;
use file::ConfigFile;
use law::law;
use layers::{Invalid, Places, merged};
use pattern::{matching_files, rooted};
use service::check_services;
use suppress::suppression;

pub use accept_mutant::{AcceptedMutant, Mutation};
pub use explore::{Choices, ExploreSettings};
pub use law::{AtMost, BuiltInLaw, CallBounds, Law, LawCondition, LawMail, StatusPatterns};
pub use layers::Layer;
pub use listed::{Origin, Setting};
pub use names::{ConfigName, ConfigNameKind, names};
pub use own_code::{code_and_name, is_selected_by_code, letters, may_be_own};
pub use own_rules::{OwnRule, OwnRules, RuleOption, selectors};
pub use pattern::{RootedPatterns, files_and_folders, matched_by_files};
pub use removal::Entries;
pub use selector::{SELECTORS, unknown_selector};
pub use service::ServiceEntry;
pub use settings::{
    ActivityShape, ConfigPlace, DeclaredActivity, DeclaredWrites, EditorState, FailOn, FormatOptions, LineEnding,
    MemberOrder, PerFileIgnore, Placed, SystemVariables, Types,
};
pub use suppress::{NewSuppression, Suppression, SuppressionKind, SuppressionTarget, with_suppressions};

pub const FILE_NAME: &str = "wflint.toml";

/// A configuration, ready for use.
#[derive(Debug, Clone)]
pub struct Config {
    /// `None` for the defaults.
    pub path: Option<PathBuf>,
    /// The files that it was read from: those that it extends, catalogs and rules included.
    pub files: Vec<PathBuf>,
    /// The text of the file; empty for the defaults.
    pub text: Arc<str>,
    /// The folder of the file.
    pub folder: PathBuf,
    /// The file, and before it those that it extends; none for the defaults.
    pub layers: Vec<Layer>,
    /// Rules that report, by code, prefix, name or group; all of them when `None`.
    pub select: Option<Vec<Placed>>,
    /// The last `select`.
    pub select_place: ConfigPlace,
    /// Rules that do not report; wins over `select`.
    pub ignore: Vec<Placed>,
    /// Patterns of files and folders that are not walked into.
    pub exclude: Vec<Placed>,
    pub fail_on: Option<FailOn>,
    /// The built-in provider methods with the user's additions and changes.
    pub catalog: Arc<Catalog>,
    /// The texts of the catalogs, in their order.
    catalog_texts: Vec<String>,
    /// The file of known findings.
    pub baseline: Option<PathBuf>,
    pub baseline_place: ConfigPlace,
    /// The rules of the user's own, by the file that names them.
    pub own_rules: Vec<Arc<OwnRules>>,
    /// Of these rules.
    pub rule_options: Vec<RuleOption>,
    /// `[settings]`, for these rules.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// Variables that the platform provides, beside those of the catalog.
    pub system_variables: SystemVariables,
    /// JSON Pointers to the document in a file, in the order in which they are tried.
    pub roots: Vec<String>,
    pub types: Types,
    /// Severities by code, prefix, name or group.
    pub severity: Vec<(Placed, Severity)>,
    pub per_file_ignores: Vec<PerFileIgnore>,
    /// Entries such as `!WF110` of which nothing is inherited.
    pub unused_removals: Vec<Placed>,
    /// Accepted findings.
    pub suppressions: Vec<Suppression>,
    /// Accepted breaks of laws.
    pub law_suppressions: Vec<Suppression>,
    pub explore: ExploreSettings,
    /// In the order of the files.
    pub laws: Vec<Law>,
    /// In the order of the files.
    pub accepted_mutants: Vec<AcceptedMutant>,
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
        Self::assemble(Vec::new(), &ConfigFile::default())
    }
}

impl Config {
    /// The texts of the catalogs that it names.
    pub fn catalog_texts(&self) -> &[String] {
        &self.catalog_texts
    }

    /// Whether the platform provides a variable of this name for every order.
    pub fn is_system_variable(&self, name: &str) -> bool {
        self.catalog.system_variables.iter().any(|known| known == name) || self.system_variables.contains(name)
    }

    /// The names of the variables that the platform provides, other than those of patterns.
    pub fn system_variables(&self) -> impl Iterator<Item = &String> {
        self.system_variables.names().chain(&self.catalog.system_variables)
    }

    /// Reads a configuration file, those that it extends, and the catalogs that they name, which are within the
    /// boundary.
    pub fn load(path: &Path, boundary: &Boundary) -> Result<Self, TomlError> {
        Self::load_with(path, boundary, &Unsaved::default())
    }

    /// As [`Self::load`], with files that are not saved yet.
    pub fn load_with(path: &Path, boundary: &Boundary, unsaved: &Unsaved) -> Result<Self, TomlError> {
        let (layers, mut problems) = Self::read_layers(path, boundary, unsaved)?;
        let places = Places(&layers);
        let config = Self::of_layers(&layers, places, boundary, unsaved, &mut problems);
        problems.sort_by_key(|problem| problem.at.start);
        let mut errors: Vec<TomlError> = problems.iter().map(|problem| places.error(problem)).collect();
        errors.extend(config.iter().flat_map(Self::problems_of_laws));
        match config.filter(|_| errors.is_empty()) {
            Some(config) => Ok(config),
            None => Err(TomlError::joined(errors)),
        }
    }

    /// The patterns of `exclude`, each with its folder.
    pub fn excluded(&self) -> Vec<(PathBuf, String)> {
        let pattern = |pattern: &Placed| (self.folder_of(pattern.place).to_path_buf(), pattern.value.clone());
        self.exclude.iter().map(pattern).collect()
    }

    /// As [`Self::excluded`], without the rest of the configuration: what it names is not read. Also whether no key is
    /// invalid; other patterns are returned nevertheless.
    pub fn read_excluded(
        path: &Path,
        boundary: &Boundary,
        unsaved: &Unsaved,
    ) -> Result<(Vec<(PathBuf, String)>, bool), TomlError> {
        let (layers, problems) = Self::read_layers(path, boundary, unsaved)?;
        let file = merged(&layers).read();
        let is_valid = problems.is_empty() && file.is_some();
        Ok((Self::assemble(layers, &file.unwrap_or_default()).excluded(), is_valid))
    }

    /// The folder of the first pattern in `rules`, of a configuration whose patterns may match nothing so far.
    pub fn rules_folder(path: &Path, boundary: &Boundary, unsaved: &Unsaved) -> Result<Option<PathBuf>, TomlError> {
        let (layers, _) = Self::read_layers(path, boundary, unsaved)?;
        let file: ConfigFile = merged(&layers).read().unwrap_or_default();
        let places = Places(&layers);
        Ok(file.rules.first().map(|pattern| rooted(places.folder_of(pattern), pattern.get_ref()).0))
    }

    /// The files, with their keys and entries that cannot be read.
    fn read_layers(
        path: &Path,
        boundary: &Boundary,
        unsaved: &Unsaved,
    ) -> Result<(Vec<Layer>, Vec<Invalid>), TomlError> {
        let problems = RefCell::new(Vec::new());
        let layers = layers::read(path, boundary, unsaved, |layer| {
            toml_file::check_size(&layer.path.display().to_string(), layer.text.len())?;
            let (file, found) = toml_file::read_recovering::<ConfigFile>(&layer.text);
            let Some(file) = file else {
                let errors = found.iter().map(|problem| layer.error_at(problem.offset, &problem.reason));
                return Err(TomlError::joined(errors.collect()));
            };
            problems.borrow_mut().extend(found.into_iter().map(|problem| layer.invalid(problem)));
            Ok(file.extend)
        })?;
        Ok((layers, problems.into_inner()))
    }

    /// The configuration of its files, each after the one that it extends. Adds the problems of its values; `None` if
    /// there are too many.
    fn of_layers(
        layers: &[Layer],
        places: Places<'_>,
        boundary: &Boundary,
        unsaved: &Unsaved,
        problems: &mut Vec<Invalid>,
    ) -> Option<Self> {
        let merged = merged(layers);
        let unused_removals = places.all_placed(&merged.unused);
        let file: ConfigFile = merged.read()?;
        problems.extend(file::check(&file));
        problems.extend(file.explore.check());
        problems.extend(check_services(&file.service, places, boundary, unsaved));
        let mut config = Self::assemble(layers.to_vec(), &file);
        config.unused_removals = unused_removals;
        config.own_rules = own_rules::find(&file, places, boundary, unsaved, problems);
        config.rule_options = own_rules::options(&file, places, &config.own_rules, problems);
        problems.extend(selector::check(&file, &selectors(&config.own_rules)));
        config.laws = all(&file.law, |entry| law(entry, places), problems);
        config.accepted_mutants = all(&file.accept_mutant, |entry| accepted_mutant(entry, places), problems);
        let suppressions = all(&file.suppress, |entry| suppression(entry, places), problems);
        (config.suppressions, config.law_suppressions) =
            suppressions.into_iter().partition(|suppression| suppression.kind == SuppressionKind::Rule);
        for pattern in &file.catalogs {
            let catalog = Arc::make_mut(&mut config.catalog);
            let added = add_catalogs(catalog, places.folder_of(pattern), pattern.get_ref(), boundary, unsaved);
            match added {
                Ok(added) => {
                    let (paths, texts): (Vec<_>, Vec<_>) = added.into_iter().unzip();
                    config.files.extend(paths);
                    config.catalog_texts.extend(texts);
                }
                Err(error) => {
                    problems.extend(toml_file::problems(&error.0).map(|reason| Invalid::new(pattern, reason)));
                }
            }
        }
        config.files.extend(config.own_rules.iter().flat_map(|rules| rules.paths()));
        Some(config)
    }

    /// Whether another configuration was read from the same files with the same texts.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_same_text = self.layers == other.layers && self.catalog_texts == other.catalog_texts;
        is_same_text && self.files == other.files && self.own_rules == other.own_rules
    }

    /// Laws whose name is that of another one, and suppressions of laws that do not exist.
    fn problems_of_laws(&self) -> Vec<TomlError> {
        let (mut names, mut problems) = (BTreeSet::new(), Vec::new());
        for Law { name, .. } in &self.laws {
            if !names.insert(name.value.as_str()) {
                problems.push(self.error_at(name.place, &format!("duplicate law `{}`", name.value)));
            }
        }
        names.extend(BuiltInLaw::ALL.map(BuiltInLaw::name));
        let unknown = self.law_suppressions.iter().filter(|suppression| !names.contains(suppression.name.as_str()));
        problems.extend(unknown.map(|Suppression { name, name_place, .. }| {
            let near = suggest::did_you_mean(name, names.iter().copied());
            self.error_at(*name_place, &format!("unknown law `{name}` in a suppression{near}"))
        }));
        problems
    }

    /// The nearest configuration file at or above a folder. One that cannot be read counts: without it
    /// the files would be linted with other settings than its author chose.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        folder.ancestors().find_map(|folder| Self::file_in(folder, &Unsaved::default()))
    }

    /// The configuration file in a folder itself, perhaps not saved yet.
    pub fn file_in(folder: &Path, unsaved: &Unsaved) -> Option<PathBuf> {
        Some(folder.join(FILE_NAME)).filter(|path| unsaved.contains(path) || is_present(path))
    }

    /// The folder that a path or pattern at this place is relative to.
    pub fn folder_of(&self, place: ConfigPlace) -> &Path {
        self.layers.get(place.layer).map_or(&self.folder, |layer| &layer.folder)
    }

    /// An error at a place of one of the files.
    pub fn error_at(&self, place: ConfigPlace, reason: &str) -> TomlError {
        let Some(layer) = self.layers.get(place.layer) else { return TomlError(reason.to_owned()) };
        layer.error_at(place.span.start as usize, reason)
    }

    fn assemble(layers: Vec<Layer>, file: &ConfigFile) -> Self {
        let places = Places(&layers);
        let folder_of = |text: &Spanned<String>| places.folder_of(text).join(text.get_ref());
        let severity = file.severity.iter();
        let roots = file.documents.roots.as_ref().map(|roots| roots.get_ref().iter());
        let own = layers.last();
        Self {
            path: own.map(|layer| layer.path.clone()),
            files: layers.iter().map(|layer| layer.path.clone()).collect(),
            text: own.map(|layer| Arc::clone(&layer.text)).unwrap_or_default(),
            folder: own.map(|layer| layer.folder.clone()).unwrap_or_default(),
            select: file.select.as_ref().map(|select| places.all_placed(select.get_ref())),
            select_place: file.select.as_ref().map(|select| places.of(&select.span())).unwrap_or_default(),
            ignore: places.all_placed(&file.ignore),
            exclude: places.all_placed(&file.exclude),
            fail_on: file.fail_on,
            catalog: Arc::clone(Catalog::built_in()),
            catalog_texts: Vec::new(),
            baseline: file.baseline.as_ref().map(folder_of),
            baseline_place: file.baseline.as_ref().map(|baseline| places.of(&baseline.span())).unwrap_or_default(),
            own_rules: Vec::new(),
            rule_options: Vec::new(),
            settings: own_rules::settings(file),
            system_variables: file.system_variables.iter().cloned().collect(),
            roots: roots.map_or_else(|| vec![String::new()], |roots| roots.map(|it| it.get_ref().clone()).collect()),
            types: Types {
                activities: file.types.activities.clone(),
                fields: file.types.fields.iter().cloned().collect(),
            },
            severity: severity.map(|(rule, level)| (places.placed(rule), Severity::from(*level))).collect(),
            per_file_ignores: per_file_ignores(file, places),
            unused_removals: Vec::new(),
            suppressions: Vec::new(),
            law_suppressions: Vec::new(),
            explore: file.explore.settings(places),
            laws: Vec::new(),
            accepted_mutants: Vec::new(),
            services: file.service.iter().map(|service| ServiceEntry::new(service, places)).collect(),
            min_poll_seconds: file.limits.min_poll_seconds,
            script_seconds: file.limits.script_seconds,
            max_file_bytes: u64::from(file.limits.max_file_mib) << 20,
            max_depth: file.limits.max_depth,
            evaluate_scripts: file.scripts.evaluate,
            fmt: file.fmt,
            max_activities: file.limits.max_activities,
            max_nesting: file.limits.max_nesting,
            max_branches: file.limits.max_branches,
            layers,
        }
    }
}

/// Reads all entries of a list, and adds the problems of the others.
fn all<E, T>(entries: &[E], read: impl Fn(&E) -> Result<T, Invalid>, problems: &mut Vec<Invalid>) -> Vec<T> {
    entries.iter().filter_map(|entry| read(entry).map_err(|problem| problems.push(problem)).ok()).collect()
}

/// An entry for each file that has a pattern, because its folder may be another one.
fn per_file_ignores(file: &ConfigFile, places: Places<'_>) -> Vec<PerFileIgnore> {
    let mut ignores: Vec<PerFileIgnore> = Vec::new();
    for (pattern, selectors) in &file.per_file_ignores {
        let pattern = places.placed(pattern);
        ignores.push(PerFileIgnore { pattern: pattern.clone(), selectors: Vec::new() });
        for selector in places.all_placed(selectors) {
            match ignores.last_mut().filter(|ignore| ignore.pattern.place.layer == selector.place.layer) {
                Some(ignore) => ignore.selectors.push(selector),
                None => {
                    let pattern = Placed { value: pattern.value.clone(), place: selector.place };
                    ignores.push(PerFileIgnore { pattern, selectors: vec![selector] });
                }
            }
        }
    }
    ignores
}

/// Adds the catalogs that a pattern matches, and returns their paths and texts.
fn add_catalogs(
    catalog: &mut Catalog,
    folder: &Path,
    pattern: &str,
    boundary: &Boundary,
    unsaved: &Unsaved,
) -> Result<Vec<(PathBuf, String)>, TomlError> {
    let (within, rest) = rooted(folder, pattern);
    unsaved.lookups().add_pattern(&within, rest);
    let paths = matching_files(folder, pattern).map_err(TomlError)?;
    if paths.is_empty() {
        return Err(TomlError(format!("no file matches `{pattern}`")));
    }
    let mut added = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        unsaved.lookups().add_file(&path);
        let text = boundary.check(&path, folder).and_then(|()| unsaved.read(&path));
        let text = text.map_err(|error| TomlError(format!("cannot read {name}: {error}")))?;
        catalog.add(&name, &text)?;
        added.push((path, text));
    }
    Ok(added)
}
