//! A root: a folder or document that is linted as a unit, and the state of its services.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::document_uri::DocumentUri;
use super::load::{LastValid, Loaded, Scope};
use crate::common::collections::HashMap;
use crate::config::{FILE_NAME, RootedPatterns};
use crate::lint::{Checked, Options};
use crate::project::{File, Overrides, Project, Request, Service, ServiceFiles};
use crate::script::syntax::ParsedScripts;
use crate::simulate::is_scenario;
use crate::text::diagnostic::FileId;

/// Without typing for so long, documents are linted.
pub const TYPING: Duration = Duration::from_millis(150);
/// Without typing for so long, scripts are run.
pub const TYPING_SCRIPTS: Duration = Duration::from_millis(300);
/// If scripts take longer, the other findings are shown first.
const SCRIPTS: Duration = Duration::from_secs(1);

/// The revision of a text, and that of the last result.
#[derive(Debug, Clone, Copy)]
pub struct Revision {
    /// The number of changes.
    pub text: u64,
    /// The change whose result is known.
    pub checked: u64,
    /// When the last change is to be checked.
    pub due: Instant,
}

impl Revision {
    pub const fn new(due: Instant) -> Self {
        Self { text: 1, checked: 0, due }
    }

    pub const fn touch(&mut self, due: Instant) {
        self.text += 1;
        self.due = due;
    }

    /// Whether the last result is that of the last change.
    pub const fn is_current(&self) -> bool {
        self.text == self.checked
    }

    /// When it is to be checked; `None` if it was.
    pub fn next(&self) -> Option<Instant> {
        (!self.is_current()).then_some(self.due)
    }

    pub fn is_due(&self, now: Instant) -> bool {
        self.next().is_some_and(|due| due <= now)
    }

    /// Takes over the result of a change, if it is the last one. Whether it is.
    pub const fn finish(&mut self, text: u64) -> bool {
        if self.text == text {
            self.checked = text;
        }
        self.is_current()
    }
}

#[derive(Debug)]
pub struct Root {
    pub id: u64,
    pub scope: Scope,
    pub revision: Revision,
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
    /// That of the problems of its configurations, which follow from the results of all services.
    pub problems: Revision,
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
    /// That of the lint without scripts.
    pub lint: Revision,
    /// That of the lint with its scripts.
    pub scripts: Revision,
    /// Whether it is shown before that, and when.
    pub early: Revision,
    /// The last result.
    pub checked: Option<Arc<Checked>>,
    /// The contents on disk.
    pub disk: Option<Overrides>,
    /// The files as last read, sorted by id. Unchanged files are not read again.
    pub read: Arc<[File]>,
    /// The scripts that were parsed for its lints.
    pub parsed: Arc<ParsedScripts>,
}

impl Root {
    pub fn new(id: u64, scope: Scope, now: Instant) -> Self {
        Self { id, scope, revision: Revision::new(now), loaded: None, last_valid: LastValid::default() }
    }

    /// Takes over what was loaded at a revision, which may not be the last one.
    pub fn set_loaded(&mut self, text: u64, loaded: Loaded, now: Instant) {
        self.revision.checked = text;
        self.last_valid = loaded.last_valid.clone();
        self.loaded = Some(LoadedRoot::new(loaded, now));
    }

    pub const fn is_current(&self) -> bool {
        self.revision.is_current() && self.loaded.is_some()
    }

    /// Whether all of it is shown, but slow scripts still run.
    pub fn is_early(&self) -> bool {
        self.loaded.as_ref().is_some_and(LoadedRoot::is_early)
    }

    /// Whether it is loaded again only when typing pauses, in a configuration.
    pub fn is_waiting(&self) -> bool {
        self.revision.next().is_some_and(|due| due > Instant::now())
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

    /// The document of a file.
    pub fn uri_of(&self, path: &Path) -> DocumentUri {
        match &self.scope {
            Scope::Unnamed(uri) if !path.is_absolute() => DocumentUri::Other(uri.clone()),
            _ => DocumentUri::File(path.to_path_buf()),
        }
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
            problems: Revision::new(now),
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
        self.services.iter().any(|service| service.early.is_current())
            && self.services.iter().all(ServiceState::is_shown)
    }

    /// The results of all services, when all are there.
    pub fn parts(&self) -> Option<Vec<Arc<Checked>>> {
        self.services.iter().map(|service| service.checked.clone().filter(|_| service.is_current())).collect()
    }
}

impl ServiceState {
    fn new(now: Instant) -> Self {
        Self {
            lint: Revision::new(now),
            scripts: Revision::new(now),
            early: Revision::new(now),
            checked: None,
            disk: None,
            read: Arc::default(),
            parsed: Arc::default(),
        }
    }

    /// Its documents have changed.
    pub fn touch(&mut self, now: Instant, is_typing: bool) {
        let delay = |delay| if is_typing { now + delay } else { now };
        self.lint.touch(delay(TYPING));
        self.scripts.touch(delay(TYPING_SCRIPTS));
        self.early.touch(now);
    }

    /// It was linted at a revision. Whether that is the last one.
    pub fn set_linted(&mut self, text: u64, is_complete: bool, now: Instant) -> bool {
        if !self.lint.finish(text) {
            return false;
        }
        if is_complete {
            self.scripts.finish(text);
        }
        // The time for the scripts begins now if the lint took longer than the pause.
        self.scripts.due = self.scripts.due.max(now);
        self.early.touch(self.scripts.due + SCRIPTS);
        true
    }

    /// Whether the last result is that of its documents.
    pub const fn is_current(&self) -> bool {
        self.scripts.is_current()
    }

    /// Whether the last result is shown.
    pub const fn is_shown(&self) -> bool {
        self.is_current() || self.early.is_current()
    }

    /// When it is to be linted without running scripts; `None` if it was.
    pub fn next_lint(&self) -> Option<Instant> {
        self.lint.next()
    }

    /// When its scripts are to be run; `None` if it is not linted yet, or they were.
    pub fn next_scripts(&self) -> Option<Instant> {
        self.scripts.next().filter(|_| self.lint.is_current())
    }

    /// When it is to be shown without the results of its scripts, if they do not end before.
    pub fn next_early(&self) -> Option<Instant> {
        self.next_scripts().and(self.early.next())
    }
}
