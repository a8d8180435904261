//! `wflint.toml`: the configuration of a project.

mod accept_mutant;
mod append;
mod explore;
mod file;
mod law;
mod law_entry;
mod layers;
mod listed;
mod lists;
mod merge;
mod names;
mod pattern;
mod services;
mod settings;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::Table;

use crate::boundary::Boundary;
use crate::catalog::Catalog;
use crate::diagnostic::Severity;
use crate::read::{Unsaved, is_present};
use crate::suggest;
use crate::toml_file::{self, TomlError};
use explore::PlainExplore;
use file::{LimitsEntry, ScriptsEntry};
use layers::ReadLayer;
use lists::Lists;
use merge::merge;
use pattern::{matching_files, rooted};
use services::duplicate_workflow;

pub use accept_mutant::{AcceptedMutant, Mutation};
pub use append::{NewSuppression, SuppressionTarget, with_suppressions};
pub use explore::{Choices, ExploreSettings};
pub use law::{AtMost, BuiltInLaw, CallBounds, Law, LawCondition, LawMail, StatusPatterns};
pub use layers::Layer;
pub use listed::{Origin, Setting};
pub use names::{ConfigName, ConfigNameKind, names};
pub use pattern::{RootedPatterns, files_and_folders, matched_by_files};
pub use settings::{
    ActivityShape, ConfigPlace, DeclaredActivity, DeclaredWrites, EditorState, FailOn, FormatOptions, MemberOrder,
    PerFileIgnore, Placed, ServiceEntry, Suppression, SuppressionKind, Types,
};

pub const FILE_NAME: &str = "wflint.toml";

/// A configuration, ready for use.
#[derive(Debug, Clone)]
pub struct Config {
    /// `None` for the defaults.
    pub path: Option<PathBuf>,
    /// The files that it was read from: those that it extends and catalogs included.
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
    /// Paths and patterns of the catalogs.
    catalogs: Vec<Placed>,
    /// The texts of the catalogs, in the order of `files`.
    catalog_texts: Vec<String>,
    /// The file of known findings.
    pub baseline: Option<PathBuf>,
    pub baseline_place: ConfigPlace,
    /// Names of variables that the platform provides.
    pub system_variables: BTreeSet<String>,
    /// JSON Pointers to the document in a file, in the order in which they are tried.
    pub roots: Vec<String>,
    /// The last `roots`.
    roots_place: ConfigPlace,
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
        Self::assemble(Vec::new(), Plain::default())
    }
}

/// The settings that do not depend on the file that has them.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct Plain {
    fail_on: Option<FailOn>,
    types: PlainTypes,
    limits: LimitsEntry,
    scripts: ScriptsEntry,
    fmt: FormatOptions,
    explore: PlainExplore,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlainTypes {
    activities: BTreeMap<String, DeclaredActivity>,
}

impl Config {
    /// Reads a configuration file, those that it extends, and the catalogs that they name, which are within the
    /// boundary.
    ///
    /// # Errors
    /// The first problem, in one line that begins with its place.
    pub fn load(path: &Path, boundary: &Boundary) -> Result<Self, TomlError> {
        Self::load_with(path, boundary, &Unsaved::default())
    }

    /// As [`Self::load`], with files that are not saved yet.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_with(path: &Path, boundary: &Boundary, unsaved: &Unsaved) -> Result<Self, TomlError> {
        let mut layers = layers::read(path, boundary, unsaved)?;
        let mut merged = Table::new();
        let mut suppressions = Vec::new();
        let mut laws = Vec::new();
        let mut accepted_mutants = Vec::new();
        for (index, layer) in layers.iter_mut().enumerate() {
            layer.check_services(boundary, unsaved)?;
            suppressions.extend(layer.take_suppressions(index)?);
            laws.extend(layer.laws(index)?);
            accepted_mutants.extend(layer.accepted_mutants(index)?);
            merge(&mut merged, &std::mem::take(&mut layer.plain));
        }
        let plain: Result<Plain, _> = merged.try_into();
        let plain = plain.map_err(|error| TomlError(format!("{}: {}", path.display(), error.message())))?;
        let is_about_rule = |suppression: &Suppression| suppression.kind == SuppressionKind::Rule;
        let (suppressions, law_suppressions) = suppressions.into_iter().partition(is_about_rule);
        let assembled = Self::assemble(layers, plain);
        let mut config = Self { suppressions, law_suppressions, laws, accepted_mutants, ..assembled };
        config.check_names_of_laws()?;
        config.check_workflows_of_services()?;
        if config.roots.is_empty() {
            let reason =
                "`roots` has no pointer; remove it, or add some, such as `\"\"` for a document without a wrapper";
            return Err(config.error_at(config.roots_place, reason));
        }
        for pattern in std::mem::take(&mut config.catalogs) {
            let folder = config.folder_of(pattern.place).to_path_buf();
            let added = add_catalogs(Arc::make_mut(&mut config.catalog), &folder, &pattern.value, boundary, unsaved);
            let added = added.map_err(|error| config.error_at(pattern.place, &error.0))?;
            for (path, text) in added {
                config.files.push(path);
                config.catalog_texts.push(text);
            }
            config.catalogs.push(pattern);
        }
        Ok(config)
    }

    /// Whether another configuration was read from the same files with the same texts.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_same_text = self.layers == other.layers && self.catalog_texts == other.catalog_texts;
        is_same_text && self.files == other.files
    }

    /// Each name of a law is that of one law, and suppressions are about laws that exist.
    fn check_names_of_laws(&self) -> Result<(), TomlError> {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for Law { name, .. } in &self.laws {
            if !names.insert(&name.value) {
                return Err(self.error_at(name.place, &format!("duplicate law `{}`", name.value)));
            }
        }
        names.extend(BuiltInLaw::ALL.map(BuiltInLaw::name));
        match self.law_suppressions.iter().find(|suppression| !names.contains(suppression.name.as_str())) {
            None => Ok(()),
            Some(Suppression { name, name_place, .. }) => {
                let near = suggest::did_you_mean(name, names);
                Err(self.error_at(*name_place, &format!("unknown law `{name}` in a suppression{near}")))
            }
        }
    }

    /// Each workflow is that of one service.
    fn check_workflows_of_services(&self) -> Result<(), TomlError> {
        let duplicate = duplicate_workflow(&self.services);
        let duplicate = duplicate.and_then(|(service, first)| Some((service.workflow.as_ref()?, service, first)));
        let Some((workflow, service, first)) = duplicate else { return Ok(()) };
        let (path, name, first) = (&workflow.value, &service.name, &first.name);
        let reason = format!("duplicate workflow `{path}` of service `{name}`, already in service `{first}`");
        Err(self.error_at(workflow.place, &reason))
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
        toml_file::error_at(&layer.path.display().to_string(), &layer.text, place.span.start as usize, reason)
    }

    fn assemble(layers: Vec<ReadLayer>, plain: Plain) -> Self {
        let (layers, lists) = joined(layers);
        let (select, select_place) = lists.select.unzip();
        let (roots, roots_place) = match lists.roots {
            Some((roots, place)) => (roots.into_iter().map(|root| root.value).collect(), place),
            None => (vec![String::new()], ConfigPlace::default()),
        };
        let (baseline, baseline_place) = lists.baseline.unzip();
        let own = layers.last();
        Self {
            path: own.map(|layer| layer.path.clone()),
            files: layers.iter().map(|layer| layer.path.clone()).collect(),
            text: own.map(|layer| Arc::clone(&layer.text)).unwrap_or_default(),
            folder: own.map(|layer| layer.folder.clone()).unwrap_or_default(),
            select,
            select_place: select_place.unwrap_or_default(),
            ignore: lists.ignore,
            exclude: lists.exclude,
            fail_on: plain.fail_on,
            catalog: Arc::clone(Catalog::built_in()),
            catalogs: lists.catalogs,
            catalog_texts: Vec::new(),
            baseline,
            baseline_place: baseline_place.unwrap_or_default(),
            system_variables: lists.system_variables.into_iter().map(|name| name.value).collect(),
            roots,
            roots_place,
            types: Types {
                activities: plain.types.activities,
                fields: lists.fields.into_iter().map(|name| name.value).collect(),
            },
            severity: lists.severity.into_values().collect(),
            per_file_ignores: lists.per_file_ignores,
            unused_removals: lists.unused,
            suppressions: Vec::new(),
            law_suppressions: Vec::new(),
            explore: ExploreSettings::new(
                lists.explored_fields,
                lists.explored_directory,
                &lists.skipped_laws,
                &plain.explore,
            ),
            laws: Vec::new(),
            accepted_mutants: Vec::new(),
            services: lists.services,
            min_poll_seconds: plain.limits.min_poll_seconds,
            script_seconds: plain.limits.script_seconds,
            max_file_bytes: u64::from(plain.limits.max_file_mib) << 20,
            max_depth: plain.limits.max_depth,
            evaluate_scripts: plain.scripts.evaluate,
            fmt: plain.fmt,
            max_activities: plain.limits.max_activities,
            max_nesting: plain.limits.max_nesting,
            max_branches: plain.limits.max_branches,
            layers,
        }
    }
}

/// The layers, and their lists as one.
fn joined(layers: Vec<ReadLayer>) -> (Vec<Layer>, Lists) {
    let mut lists = Lists::default();
    let layers = layers.into_iter().enumerate().map(|(index, ReadLayer { layer, file, .. })| {
        lists.add(&file, index, &layer.folder);
        layer
    });
    let layers = layers.collect();
    (layers, lists)
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
