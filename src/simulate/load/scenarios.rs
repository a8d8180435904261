//! The scenario files.

use std::path::{Path, PathBuf};

use super::find::is_scenario;
use super::loaded::{Loaded, LoadedScenario};
use super::loader::{Loader, ReadScenario};
use super::request::Request;
use crate::diagnostic::Location;
use crate::project;
use crate::schema::DocumentKind;
use crate::simulate::scenario::{self, ScenarioNameKind, ScenarioSyntax};
use crate::toml_file::TomlError;

/// Finds and reads scenarios, and the workflows in the same folders.
///
/// # Errors
/// A configuration that cannot be used.
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
///
/// # Errors
/// A configuration that cannot be used.
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
            let reason = format!("{name} is a {kind}, not a scenario; lint it without `--simulate`: `wflint {name}`");
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
