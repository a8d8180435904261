//! Reads scenarios and everything that they name: documents and directories (`documents`).

mod documents;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::scenario::{self, FileLocation, Scenario, ScenarioNameKind, ScenarioSyntax};
use crate::common::collections::HashMap;
use crate::config::Config;
use crate::document::Document;
use crate::files::boundary::Boundary;
use crate::files::paths::clean_path;
use crate::files::read::{FileKey, Unsaved, read_regular};
use crate::files::toml_file::TomlError;
use crate::ldap::Directory;
use crate::project::{self, ConfigSource, File, is_scenario};
use crate::schema::DocumentKind;
use crate::text::diagnostic::{Diagnostic, FileId, Location, Severity};
use crate::text::source::SourceFile;

#[derive(Debug, Clone)]
pub struct Request {
    /// The current folder, absolute; names in reports are relative to it.
    pub current: PathBuf,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    pub config: ConfigSource,
    /// Limits which files a scenario or a configuration may name.
    pub boundary: Boundary,
    /// Files that are not saved yet; their texts count in place of those on the disk.
    pub unsaved: Unsaved,
}

#[derive(Debug)]
pub struct LoadedScenario {
    pub file: FileId,
    pub scenario: Box<Scenario>,
    /// Index in [`Loaded::documents`].
    pub workflow: usize,
    /// Index in [`Loaded::documents`].
    pub form: Option<usize>,
    /// Index in [`Loaded::directories`].
    pub directory: usize,
}

/// A document that a scenario names, or a workflow that was found.
#[derive(Debug)]
pub struct LoadedDocument {
    pub file: FileId,
    /// As reports show it.
    pub name: String,
    pub kind: DocumentKind,
    pub document: Arc<Document>,
    /// What was read, for analyses of the service.
    pub read: File,
    /// Index in [`Loaded::configs`].
    pub config: usize,
}

/// Scenarios, and everything that they name.
#[derive(Debug, Default)]
pub struct Loaded {
    pub sources: BTreeMap<FileId, SourceFile>,
    /// The scenarios that can be run, sorted by the names of their files.
    pub scenarios: Vec<LoadedScenario>,
    pub documents: Vec<LoadedDocument>,
    /// Documents that scenarios with errors may be for.
    pub documents_of_broken: Vec<LoadedDocument>,
    /// The directories; the first is empty.
    pub directories: Vec<Directory>,
    pub configs: Vec<Config>,
    /// The problems of scenarios that cannot be run.
    pub problems: Vec<Diagnostic>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// Scenarios that could not be read, with the reason.
    pub unread: Vec<(PathBuf, String)>,
    /// Why files that may hold workflows count in no coverage.
    pub uncounted: Vec<String>,
    /// The files that were read, or could not be.
    pub files: Vec<PathBuf>,
}

impl Loaded {
    /// Whether a file is read for the run.
    pub fn reads(&self, file: &FileKey) -> bool {
        let configs = self.configs.iter().flat_map(|config| &config.files);
        self.files.iter().chain(configs).any(|path| file.is_of(path))
    }
}

impl Loaded {
    /// The workflow that a scenario names, also if the scenario cannot be run; `None` if it names none that was read.
    pub fn workflow_of(&self, scenario: &SourceFile) -> Option<&Path> {
        let folder = scenario.path.parent()?;
        let names = document_names(&scenario.text, ScenarioSyntax::of(&scenario.path)?);
        let named: Vec<PathBuf> = names.iter().map(|name| clean_path(Path::new(name), folder).0).collect();
        let documents = self.documents.iter().chain(&self.documents_of_broken);
        let workflows = documents.filter(|document| document.kind == DocumentKind::Workflow);
        workflows.map(|document| document.read.source.path.as_path()).find(|path| named.iter().any(|it| it == path))
    }
}

/// Finds and reads scenarios, and the workflows in the same folders.
pub fn load(request: &Request) -> Result<Loaded, TomlError> {
    let search = project::Request {
        current: request.current.clone(),
        paths: request.paths.clone(),
        config: request.config.clone(),
        boundary: request.boundary.clone(),
        unsaved: request.unsaved.clone(),
        ..project::Request::default()
    };
    let (files, unreadable) = project::find_files(&search, |path| is_scenario(path) || project::is_json(path))?;
    let (files, others): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.is_named || is_scenario(&file.path));
    let mut loader = Loader::new(unreadable);
    loader.unsaved = request.unsaved.clone();
    let mut scenarios = Vec::new();
    for file in files {
        scenarios.extend(loader.read_scenario(&file));
    }
    loader.load(scenarios, others.into_iter().map(|file| file.path).collect(), request)
}

/// Reads a scenario that is not saved yet, and everything that it names.
pub fn load_unsaved(path: &Path, text: &str, request: &Request) -> Result<Loaded, TomlError> {
    let name = project::relative_name(path, &request.current);
    let file = project::FoundFile { path: path.to_path_buf(), name, is_named: true };
    let mut loader = Loader::new(Vec::new());
    loader.unsaved = request.unsaved.clone();
    let scenario = loader.read_scenario_text(&file, text);
    loader.load(scenario.into_iter().collect(), Vec::new(), request)
}

/// Names of documents that a scenario with errors may have.
fn document_names(text: &str, syntax: ScenarioSyntax) -> Vec<String> {
    const MAX_NAMES: usize = 20;
    let parsed = scenario::names(text, syntax).into_iter();
    let parsed = parsed.filter(|name| name.kind == ScenarioNameKind::Document).map(|name| name.name);
    let is_json = |word: &&str| project::is_json(Path::new(word));
    // Without the structure, any text that ends like the name of a document.
    let in_quotes = text.split(['"', '\'', '\n']).filter(is_json);
    let words = text.split(|one: char| one.is_whitespace() || "\"',{}[]=".contains(one)).filter(is_json);
    let mut names: Vec<String> = parsed.chain(in_quotes.chain(words).map(str::to_owned)).take(MAX_NAMES).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names of the files beside a document that are scenarios with it.
fn scenarios_beside(document: &Path) -> Vec<OsString> {
    let folder = document.parent().unwrap_or(document);
    let paths = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let names_it = |path: &PathBuf| {
        let syntax = ScenarioSyntax::of(path).filter(|_| is_scenario(path));
        let text = syntax.and_then(|_| read_regular(path).ok());
        syntax.zip(text).is_some_and(|(syntax, text)| {
            document_names(&text, syntax).iter().any(|name| clean_path(Path::new(name), folder).0 == document)
        })
    };
    let mut names: Vec<OsString> =
        paths.filter(names_it).filter_map(|path| path.file_name().map(OsStr::to_os_string)).collect();
    names.sort_unstable();
    names
}

impl Loader {
    /// Adds the scenarios, with the documents that they name, and the workflows among the files that were found.
    fn load(
        mut self,
        scenarios: Vec<ReadScenario>,
        found: Vec<PathBuf>,
        request: &Request,
    ) -> Result<Loaded, TomlError> {
        // All documents at once, so that they are opened in parallel, and each only once.
        self.open_documents(&scenarios, found, request)?;
        for scenario in scenarios {
            self.add(scenario, request);
        }
        let problems = &mut self.loaded.problems;
        problems.sort_by_key(|problem| (problem.location.file, problem.location.span));
        Ok(self.loaded)
    }

    fn read_scenario(&mut self, file: &project::FoundFile) -> Option<ReadScenario> {
        let mut text = String::new();
        if ScenarioSyntax::of(&file.path).is_some() {
            self.loaded.files.push(file.path.clone());
            match self.unsaved.read(&file.path) {
                Ok(read) => text = read,
                Err(reason) => {
                    self.loaded.unreadable.push(format!("cannot read {}: {reason}", file.name));
                    self.loaded.unread.push((file.path.clone(), reason.to_string()));
                    return None;
                }
            }
        }
        self.read_scenario_text(file, &text)
    }

    fn read_scenario_text(&mut self, file: &project::FoundFile, text: &str) -> Option<ReadScenario> {
        let Some(syntax) = ScenarioSyntax::of(&file.path) else {
            let name = &file.name;
            self.loaded
                .unreadable
                .push(format!("unknown extension of {name}, expected `.yaml`, `.yml`, `.json` or `.toml`"));
            return None;
        };
        if let Some(kind) = project::document_kind(text).filter(|_| syntax == ScenarioSyntax::Json) {
            let name = &file.name;
            let kind = match kind {
                DocumentKind::Workflow => "workflow",
                DocumentKind::Form => "form",
                DocumentKind::SigningCase => "signing case",
            };
            let scenarios = scenarios_beside(&file.path);
            let scenarios = scenarios.iter().map(|path| Path::new(name).with_file_name(path).display().to_string());
            let scenarios: Vec<String> = scenarios.collect();
            let run = match scenarios.as_slice() {
                [] => String::new(),
                some => format!(", `wflint simulate {}` runs it", some.join(" ")),
            };
            let reason = format!("{name} is a {kind}, not a scenario: `wflint {name}` lints it{run}");
            self.loaded.unreadable.push(reason);
            return None;
        }
        self.read_text(file, text, syntax)
    }

    fn read_text(&mut self, file: &project::FoundFile, text: &str, syntax: ScenarioSyntax) -> Option<ReadScenario> {
        let id = self.add_source(&file.path, &file.name, text);
        match scenario::read(text, syntax) {
            Ok(scenario) => {
                let folder = file.path.parent().unwrap_or(&file.path).to_path_buf();
                Some(ReadScenario { file: id, folder, scenario: Box::new(scenario) })
            }
            Err(problems) => {
                let folder = file.path.parent().unwrap_or(&file.path);
                let named = document_names(text, syntax).into_iter().map(|name| folder.join(name));
                self.named_by_broken.extend(named);
                for problem in problems {
                    let location =
                        Location { file: id, pointer: problem.location.pointer, span: problem.location.span };
                    self.problem(location, problem.message, problem.help);
                }
                None
            }
        }
    }

    /// Adds a scenario if its documents and directory can be used.
    pub fn add(&mut self, read: ReadScenario, request: &Request) {
        let ReadScenario { file, folder, mut scenario } = read;
        let folder = folder.as_path();
        let workflow = self.document(file, folder, &scenario.workflow, DocumentKind::Workflow, request);
        let form = match &scenario.form {
            Some(form) => self.document(file, folder, form, DocumentKind::Form, request).map(Some),
            None => Some(None),
        };
        let directory = self.directory(file, folder, &mut scenario.directory, request);
        if let (Some(workflow), Some(form), Some(directory)) = (workflow, form, directory) {
            self.loaded.scenarios.push(LoadedScenario { file, scenario, workflow, form, directory });
        }
    }
}

/// A scenario that was read, with the folder to which its paths are relative.
struct ReadScenario {
    pub file: FileId,
    pub folder: PathBuf,
    /// On the heap, as all scenarios are listed before they are loaded.
    pub scenario: Box<Scenario>,
}

/// Why a document cannot be used.
struct Unusable {
    pub reason: String,
    /// What to do about it, unless the reason says it.
    pub help: Option<&'static str>,
}

#[derive(Default)]
struct Loader {
    pub loaded: Loaded,
    /// The index of each document, or why it cannot be used, by path.
    pub documents: HashMap<PathBuf, Result<usize, Unusable>>,
    /// Files that scenarios with errors may name as documents.
    pub named_by_broken: Vec<PathBuf>,
    /// The index of each directory, by path; `None` if it has a problem, which is reported once.
    pub directories: HashMap<PathBuf, Option<usize>>,
    /// The number of files so far, which is the id of the next.
    pub files: u32,
    pub unsaved: Unsaved,
}

impl Loader {
    pub fn new(unreadable: Vec<String>) -> Self {
        let loaded = Loaded { unreadable, directories: vec![Directory::default()], ..Loaded::default() };
        Self { loaded, ..Self::default() }
    }

    fn next_file(&mut self) -> FileId {
        let id = FileId(self.files);
        self.files += 1;
        id
    }

    pub fn add_source(&mut self, path: &Path, name: &str, text: &str) -> FileId {
        let id = self.next_file();
        self.loaded.sources.insert(id, SourceFile::new(path.to_path_buf(), name.to_owned(), text.into()));
        id
    }

    pub fn problem(&mut self, location: Location, message: impl Into<String>, help: Option<String>) {
        self.loaded.problems.push(problem(location, message.into(), help));
    }
}

/// The code of these problems, which belong to no rule.
const CODE: &str = "scenario";
const NAME: &str = "invalid-scenario";

fn problem(location: Location, message: String, help: Option<String>) -> Diagnostic {
    let found = Diagnostic::new(CODE, NAME, Severity::Error, message, location);
    Diagnostic { help: help.map(Cow::Owned), ..found }
}

pub(super) fn scenario_problem(
    file: FileId,
    location: &FileLocation,
    message: String,
    help: Option<String>,
) -> Diagnostic {
    problem(at(file, location), message, help)
}

fn at(file: FileId, location: &FileLocation) -> Location {
    Location { file, pointer: location.pointer.clone(), span: location.span }
}

#[cfg(test)]
mod tests {
    use crate::project::is_scenario;
    use std::path::Path;

    #[test]
    fn a_file_is_a_scenario_by_its_extensions() {
        for name in ["a/signed.scenario.yaml", "signed.scenario.yml", "x.Scenario.JSON", "x.SCENARIO.toml"] {
            assert!(is_scenario(Path::new(name)), "{name}");
        }
        for name in ["scenario.yaml", "signed.yaml", "signed.scenario.txt", "signed.scenario"] {
            assert!(!is_scenario(Path::new(name)), "{name}");
        }
    }
}
