//! A root: a folder or document that is linted as a unit, and the state of its services.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::document_uri::DocumentUri;
use super::load::{LastValid, Loaded, Scope};
use crate::collections::HashMap;
use crate::config::{FILE_NAME, RootedPatterns};
use crate::diagnostic::FileId;
use crate::lint::{Checked, Options};
use crate::project::{File, Overrides, Project, Request, Service, ServiceFiles};
use crate::script::syntax::ParsedScripts;
use crate::simulate::is_scenario;

/// Without typing for so long, documents are linted.
pub const TYPING: Duration = Duration::from_millis(150);
/// Without typing for so long, scripts are run.
pub const TYPING_SCRIPTS: Duration = Duration::from_millis(300);
/// If scripts take longer, the other findings are shown first.
const SCRIPTS: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Root {
    pub id: u64,
    pub scope: Scope,
    /// When it is to be loaded; `None` if nothing has changed.
    pub due: Option<Instant>,
    pub is_loading: bool,
    /// The number of times that it was loaded.
    pub generation: u64,
    pub loaded: Option<LoadedRoot>,
    pub last_valid: LastValid,
}

#[derive(Debug)]
pub struct LoadedRoot {
    pub project: Arc<Project>,
    pub options: Arc<Options>,
    pub request: Request,
    /// In the order of the project.
    pub services: Vec<ServiceState>,
    /// The scenarios in its folder.
    pub scenarios: Vec<PathBuf>,
    /// Whether the problems of its configurations follow from the last results.
    pub has_problems: bool,
    ids: HashMap<PathBuf, FileId>,
    service_of: HashMap<FileId, usize>,
    /// The files that decide how documents are linted, and those that would if they existed.
    config_files: BTreeSet<PathBuf>,
    /// Their patterns.
    config_patterns: RootedPatterns<()>,
}

/// The state of a service.
#[derive(Debug)]
pub struct ServiceState {
    /// The number of its changes.
    pub revision: u64,
    /// The earliest time to lint it.
    pub lint_from: Instant,
    /// The earliest time to run its scripts.
    pub scripts_from: Instant,
    /// The last result.
    pub checked: Option<Arc<Checked>>,
    pub checked_revision: u64,
    /// Whether all scripts were run for it.
    pub is_complete: bool,
    /// Whether it is shown before that.
    pub is_early: bool,
    /// The contents on disk.
    pub disk: Option<Overrides>,
    /// The files as last read, sorted by id. Unchanged files are not read again.
    pub read: Arc<[File]>,
    /// The scripts that were parsed for its lints.
    pub scripts: Arc<ParsedScripts>,
}

impl Root {
    pub fn new(id: u64, scope: Scope, now: Instant) -> Self {
        Self {
            id,
            scope,
            due: Some(now),
            is_loading: false,
            generation: 0,
            loaded: None,
            last_valid: LastValid::default(),
        }
    }

    pub fn set_loaded(&mut self, loaded: Loaded, now: Instant) {
        self.is_loading = false;
        self.generation += 1;
        self.last_valid = loaded.last_valid.clone();
        self.loaded = Some(LoadedRoot::new(loaded, now));
    }

    /// Loads it again, after a delay.
    pub fn touch(&mut self, at: Instant) {
        self.due = Some(at);
    }

    pub const fn is_current(&self) -> bool {
        self.due.is_none() && !self.is_loading && self.loaded.is_some()
    }

    /// Whether all of it is shown, but slow scripts still run.
    pub fn is_early(&self) -> bool {
        self.loaded.as_ref().is_some_and(LoadedRoot::is_early)
    }

    /// Whether it is loaded again only when typing pauses, in a configuration.
    pub fn is_waiting(&self) -> bool {
        !self.is_loading && self.due.is_some_and(|due| due > Instant::now())
    }

    /// Whether its contents are known, or will be loaded again when typing pauses.
    pub fn is_placed(&self) -> bool {
        self.is_current() || self.is_waiting() && self.loaded.is_some()
    }

    /// Whether a file is part of a folder of the workspace, or of a loose one.
    pub fn has_inside(&self, path: &Path) -> bool {
        match &self.scope {
            Scope::Folder(folder) => path.starts_with(folder),
            Scope::Loose(folder) => path.parent() == Some(folder),
            Scope::Unnamed(_) => false,
        }
    }

    /// Whether a file decides how its documents are linted.
    pub fn is_configured_by(&self, path: &Path) -> bool {
        let is_named_so = path.file_name().is_some_and(|name| name == FILE_NAME);
        let folder = match &self.scope {
            Scope::Folder(folder) | Scope::Loose(folder) => Some(folder),
            Scope::Unnamed(_) => None,
        };
        let is_above = || folder.zip(path.parent()).is_some_and(|(folder, parent)| folder.starts_with(parent));
        let is_named = |loaded: &LoadedRoot| {
            loaded.config_files.contains(path) || loaded.config_patterns.matching_below(path).next().is_some()
        };
        self.loaded.as_ref().is_some_and(is_named)
            || is_named_so && (self.has_inside(path) || is_above())
            || self.last_valid.texts.contains_key(path)
    }

    /// The file of a document.
    pub fn file_of(&self, uri: &DocumentUri) -> Option<FileId> {
        let loaded = self.loaded.as_ref()?;
        match (&self.scope, uri) {
            (Scope::Unnamed(own), DocumentUri::Other(uri)) if own == uri => {
                loaded.project.files().next().map(|(_, id)| id)
            }
            (_, DocumentUri::File(path)) => loaded.ids.get(path).copied(),
            _ => None,
        }
    }

    /// Whether a file that is on the disk is not known as such: it was not there when the folder was loaded.
    pub fn is_new(&self, path: &Path) -> bool {
        let Some(loaded) = &self.loaded else { return false };
        if is_scenario(path) {
            return !loaded.scenarios.iter().any(|known| known == path);
        }
        loaded.ids.get(path).is_some_and(|&file| loaded.project.has_given_contents(file))
    }

    /// The service of a document.
    pub fn service_of(&self, uri: &DocumentUri) -> Option<usize> {
        self.loaded.as_ref()?.service_of.get(&self.file_of(uri)?).copied()
    }
}

impl LoadedRoot {
    fn new(loaded: Loaded, now: Instant) -> Self {
        let Loaded { project, options, request, scenarios, lookups, .. } = loaded;
        let services = project.services.iter().enumerate();
        let service_of = services.flat_map(|(index, service)| service.files.iter().map(move |&file| (file, index)));
        let configs = project.configs.iter().flat_map(|config| config.files.iter().chain(&config.baseline));
        let patterns = lookups.patterns();
        Self {
            ids: project.files().map(|(path, id)| (path.to_path_buf(), id)).collect(),
            service_of: service_of.collect(),
            config_files: configs.cloned().chain(lookups.files()).collect(),
            config_patterns: RootedPatterns::new(
                patterns.iter().map(|(folder, pattern)| (folder.as_path(), pattern.as_str(), ())),
            ),
            services: project.services.iter().map(|_| ServiceState::new(now)).collect(),
            scenarios,
            has_problems: false,
            project,
            options,
            request,
        }
    }

    /// Reads the files of a service with the texts of open documents; unchanged files are not read again.
    pub fn read(&self, service: &Service, open: &Overrides) -> ServiceFiles {
        let index = service.files.first().and_then(|file| self.service_of.get(file));
        let Some(state) = index.and_then(|&index| self.services.get(index)) else { return ServiceFiles::default() };
        let mut contents = state.disk.clone().unwrap_or_default();
        contents.extend(open.iter().map(|(file, contents)| (*file, contents.clone())));
        self.project.read_again(service, &contents, &state.read)
    }

    /// Whether all services are shown, but not all are complete.
    fn is_early(&self) -> bool {
        self.services.iter().any(|service| service.is_early) && self.services.iter().all(ServiceState::is_shown)
    }

    /// The results of all services, when all are there.
    pub fn parts(&self) -> Option<Vec<Arc<Checked>>> {
        self.services.iter().map(|service| service.checked.clone().filter(|_| service.is_current())).collect()
    }
}

impl ServiceState {
    fn new(now: Instant) -> Self {
        Self {
            revision: 1,
            lint_from: now,
            scripts_from: now,
            checked: None,
            checked_revision: 0,
            is_complete: false,
            is_early: false,
            disk: None,
            read: Arc::default(),
            scripts: Arc::default(),
        }
    }

    /// Its documents have changed.
    pub fn touch(&mut self, now: Instant, is_typing: bool) {
        self.revision += 1;
        self.is_early = false;
        let delay = |delay| if is_typing { now + delay } else { now };
        (self.lint_from, self.scripts_from) = (delay(TYPING), delay(TYPING_SCRIPTS));
    }

    /// Whether the last result is that of its documents.
    pub const fn is_current(&self) -> bool {
        self.checked_revision == self.revision && self.is_complete
    }

    /// Whether the last result is shown.
    pub const fn is_shown(&self) -> bool {
        self.is_current() || self.checked_revision == self.revision && self.is_early
    }

    /// When it is to be linted without running scripts; `None` if it was.
    pub fn next_lint(&self) -> Option<Instant> {
        (self.checked_revision != self.revision).then_some(self.lint_from)
    }

    /// When its scripts are to be run; `None` if it is not linted yet, or they were.
    pub fn next_scripts(&self) -> Option<Instant> {
        (self.checked_revision == self.revision && !self.is_complete).then_some(self.scripts_from)
    }

    /// When it is to be shown without the results of its scripts, if they do not end before.
    pub fn next_early(&self) -> Option<Instant> {
        self.next_scripts().filter(|_| !self.is_early).map(|from| from + SCRIPTS)
    }
}
