//! Reading scenarios and everything that they name: documents and directories.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::find::{is_scenario, read_text};
use super::scenario::{self, DirectorySource, Place, Scenario, Spanned, Syntax};
use crate::collections::HashMap;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, FileId, Location, Severity};
use crate::document::{Document, SyntaxErrorKind};
use crate::ldap::{Directory, Entry, ldif};
use crate::project::{self, ConfigSource, Content, File};
use crate::schema::DocumentKind;
use crate::source::{SourceFile, Span};
use crate::toml_file::TomlError;

/// Under which code and name problems of a scenario are shown; they belong to no rule.
const CODE: (&str, &str) = ("scenario", "invalid-scenario");

/// Which scenarios to run.
#[derive(Debug, Clone)]
pub struct Request {
    /// The current folder, absolute; names in reports are relative to it.
    pub current: PathBuf,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Where the configuration comes from.
    pub config: ConfigSource,
}

/// A scenario that can be run.
#[derive(Debug)]
pub struct LoadedScenario {
    /// Its file.
    pub file: FileId,
    /// What it says.
    pub scenario: Scenario,
    /// Index of its workflow among the documents.
    pub workflow: usize,
    /// Index of its form among the documents.
    pub form: Option<usize>,
    /// Index of its directory.
    pub directory: usize,
}

/// A document that a scenario names.
#[derive(Debug)]
pub struct LoadedDocument {
    /// Its file.
    pub file: FileId,
    /// What it is.
    pub kind: DocumentKind,
    /// Its JSON.
    pub document: Document,
    /// Index of its configuration.
    pub config: usize,
}

/// Scenarios, and everything that they name.
#[derive(Debug, Default)]
pub struct Loaded {
    /// All files.
    pub sources: BTreeMap<FileId, SourceFile>,
    /// The scenarios that can be run, sorted by the names of their files.
    pub scenarios: Vec<LoadedScenario>,
    /// The documents.
    pub documents: Vec<LoadedDocument>,
    /// The directories; the first is empty.
    pub directories: Vec<Directory>,
    /// The configurations.
    pub configs: Vec<Config>,
    /// What is wrong with the scenarios that cannot be run.
    pub problems: Vec<Diagnostic>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
}

/// Finds and reads scenarios.
///
/// # Errors
/// A configuration that cannot be used.
pub fn load(request: &Request) -> Result<Loaded, TomlError> {
    let wanted = project::Request {
        current: request.current.clone(),
        paths: request.paths.clone(),
        config: request.config.clone(),
        ..project::Request::default()
    };
    let (files, unreadable) = project::find_files(&wanted, is_scenario)?;
    let mut loader = Loader { loaded: Loaded { unreadable, ..Loaded::default() }, ..Loader::default() };
    loader.loaded.directories.push(Directory::default());
    let mut read = Vec::new();
    for file in files {
        read.extend(loader.read_scenario(&file));
    }
    loader.open_documents(&read, request)?;
    for (file, folder, scenario) in read {
        loader.add(file, &folder, scenario, &request.current);
    }
    let Loaded { problems, .. } = &mut loader.loaded;
    problems.sort_by_key(|problem| (problem.location.file, problem.location.span));
    Ok(loader.loaded)
}

/// A scenario that was read, and the folder to which its paths are relative.
type Read = (FileId, PathBuf, Scenario);

#[derive(Default)]
struct Loader {
    loaded: Loaded,
    /// By path: the index of a document, or why it cannot be used.
    documents: HashMap<PathBuf, Result<usize, String>>,
    /// By path: the index of a directory, or nothing when it has a problem that was told.
    directories: HashMap<PathBuf, Option<usize>>,
    files: u32,
}

impl Loader {
    fn next_file(&mut self) -> FileId {
        let id = FileId(self.files);
        self.files += 1;
        id
    }

    fn add_source(&mut self, path: &Path, name: &str, text: &str) -> FileId {
        let id = self.next_file();
        self.loaded.sources.insert(id, SourceFile::new(path.to_path_buf(), name.to_owned(), text.into()));
        id
    }

    fn problem(&mut self, location: Location, message: impl Into<String>, help: Option<String>) {
        self.loaded.problems.push(problem(location, message.into(), help));
    }

    fn read_scenario(&mut self, file: &project::FoundFile) -> Option<Read> {
        let Some(syntax) = Syntax::of(&file.path) else {
            let name = &file.name;
            self.loaded.unreadable.push(format!("{name}: a scenario's name ends in .yaml, .yml, .json or .toml"));
            return None;
        };
        let text = match read_text(&file.path) {
            Ok(text) => text,
            Err(reason) => {
                self.loaded.unreadable.push(format!("{}: {reason}", file.name));
                return None;
            }
        };
        let id = self.add_source(&file.path, &file.name, &text);
        match scenario::read(&text, syntax) {
            Ok(scenario) => Some((id, file.path.parent().unwrap_or(&file.path).to_path_buf(), scenario)),
            Err(problems) => {
                for problem in problems {
                    let location = Location { file: id, pointer: problem.place.pointer, span: problem.place.span };
                    self.problem(location, problem.message, problem.help);
                }
                None
            }
        }
    }

    /// Opens every document that some scenario names, each once.
    fn open_documents(&mut self, read: &[Read], request: &Request) -> Result<(), TomlError> {
        let mut paths: Vec<PathBuf> = Vec::new();
        for (_, folder, scenario) in read {
            for named in [Some(&scenario.workflow), scenario.form.as_ref()].into_iter().flatten() {
                let (path, _) = project::clean_path(&folder.join(&named.value), &request.current);
                paths.push(path);
            }
        }
        paths.sort();
        paths.dedup();
        let opened = project::open(&paths, &request.current, &request.config, self.files)?;
        self.loaded.configs = opened.configs;
        for ((path, file), config) in paths.into_iter().zip(opened.files).zip(opened.config_of) {
            self.files += 1;
            let index = match file {
                Err(reason) => Err(reason),
                Ok(file) => self.add_document(file, config),
            };
            self.documents.insert(path, index);
        }
        Ok(())
    }

    fn add_document(&mut self, file: File, config: usize) -> Result<usize, String> {
        let name = &file.source.name;
        let (kind, document) = match file.content {
            Content::Document(kind, document) => (kind, document),
            Content::Unrelated(_) => return Err(format!("{name} holds no workflow and no form")),
            Content::Invalid(error) if error.kind == SyntaxErrorKind::TooDeep => {
                return Err(format!("{name} is nested more deeply than the limit of `max-depth`"));
            }
            Content::Invalid(_) => return Err(format!("{name} is no JSON; lint it to see where")),
            Content::NotUtf8(_) => return Err(format!("{name} is no UTF-8 text")),
            Content::TooLarge(most) => return Err(format!("{name} is larger than {} MiB", most >> 20)),
        };
        self.loaded.sources.insert(file.id, file.source);
        self.loaded.documents.push(LoadedDocument { file: file.id, kind, document, config });
        Ok(self.loaded.documents.len() - 1)
    }

    /// Adds a scenario whose documents and directory can be used.
    fn add(&mut self, file: FileId, folder: &Path, scenario: Scenario, current: &Path) {
        let workflow = self.document(file, folder, &scenario.workflow, DocumentKind::Workflow, current);
        let form = match &scenario.form {
            Some(form) => self.document(file, folder, form, DocumentKind::Form, current).map(Some),
            None => Some(None),
        };
        let directory = self.directory(file, folder, &scenario.directory, current);
        if let (Some(workflow), Some(form), Some(directory)) = (workflow, form, directory) {
            self.loaded.scenarios.push(LoadedScenario { file, scenario, workflow, form, directory });
        }
    }

    fn document(
        &mut self,
        file: FileId,
        folder: &Path,
        named: &Spanned<String>,
        kind: DocumentKind,
        current: &Path,
    ) -> Option<usize> {
        let (path, name) = project::clean_path(&folder.join(&named.value), current);
        let reason = match self.documents.get(&path) {
            Some(Ok(index)) => match self.loaded.documents.get(*index) {
                Some(document) if document.kind == kind => return Some(*index),
                _ => match kind {
                    DocumentKind::Workflow => format!("{name} is no workflow"),
                    DocumentKind::Form | DocumentKind::SigningCase => format!("{name} is no form"),
                },
            },
            Some(Err(reason)) => reason.clone(),
            None => format!("{name} was not read"),
        };
        self.problem(at(file, &named.place), reason, Some("paths are relative to the scenario's folder".to_owned()));
        None
    }

    fn directory(&mut self, file: FileId, folder: &Path, source: &DirectorySource, current: &Path) -> Option<usize> {
        match source {
            DirectorySource::Empty => Some(0),
            DirectorySource::Inline(entries, place) => match Directory::new(entries.clone()) {
                Ok(directory) => Some(self.add_directory(directory)),
                Err(duplicate) => {
                    self.problem(at(file, place), duplicate.to_string(), None);
                    None
                }
            },
            DirectorySource::File(named) => {
                let (path, name) = project::clean_path(&folder.join(&named.value), current);
                if let Some(known) = self.directories.get(&path) {
                    return *known;
                }
                let index = match read_text(&path) {
                    Ok(text) => self.read_ldif(&path, &name, &text),
                    Err(reason) => {
                        let help = Some("paths are relative to the scenario's folder".to_owned());
                        self.problem(at(file, &named.place), format!("{name}: {reason}"), help);
                        return None;
                    }
                };
                self.directories.insert(path, index);
                index
            }
        }
    }

    fn read_ldif(&mut self, path: &Path, name: &str, text: &str) -> Option<usize> {
        let file = self.add_source(path, name, text);
        let read: Result<Vec<Entry>, _> = ldif::parse(text);
        match read {
            Ok(entries) => match Directory::new(entries) {
                Ok(directory) => Some(self.add_directory(directory)),
                Err(duplicate) => {
                    self.problem(at(file, &Place::default()), duplicate.to_string(), None);
                    None
                }
            },
            Err(error) => {
                let small = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
                let span = Span::new(small(error.span.start), small(error.span.end));
                self.problem(Location { file, pointer: String::new(), span }, error.message, None);
                None
            }
        }
    }

    fn add_directory(&mut self, directory: Directory) -> usize {
        self.loaded.directories.push(directory);
        self.loaded.directories.len() - 1
    }
}

fn problem(location: Location, message: String, help: Option<String>) -> Diagnostic {
    Diagnostic {
        code: CODE.0,
        name: CODE.1,
        severity: Severity::Error,
        message,
        location,
        activity: None,
        help,
        related: Vec::new(),
        fix: None,
    }
}

/// Something that is wrong with a scenario.
pub(super) fn scenario_problem(file: FileId, place: &Place, message: String, help: Option<String>) -> Diagnostic {
    problem(at(file, place), message, help)
}

fn at(file: FileId, place: &Place) -> Location {
    Location { file, pointer: place.pointer.clone(), span: place.span }
}
