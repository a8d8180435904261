//! Finds the documents of a folder, with its configurations. Invalid configurations are replaced by their last valid
//! versions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;

use super::config_error::ConfigError;
use crate::boundary::Boundary;
use crate::config::Config;
use crate::lint::{Baselines, Choice, Options, check_selection};
use crate::project::{self, Buffer, ConfigSource, Project, Request, clean_path};
use crate::read::Unsaved;
use crate::simulate::is_scenario;

/// Maximum number of invalid configuration files of a folder that are replaced by their last valid versions.
const MAX_REPLACED: usize = 64;

/// The scope of a root: what is linted together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// A folder of the workspace.
    Folder(PathBuf),
    /// Open files of a folder that is outside of all folders of the workspace.
    Loose(PathBuf),
    /// A document that is not a file, by its URI.
    Unnamed(String),
}

/// A request to load a folder or document.
#[derive(Debug, Clone)]
pub struct Load {
    pub scope: Scope,
    /// The folder that names are relative to.
    pub current: PathBuf,
    /// The open documents of a loose folder.
    pub paths: Vec<PathBuf>,
    /// The text of a document that is not a file.
    pub text: Option<Arc<str>>,
    pub unsaved: Unsaved,
    /// The `wflint.toml` for all files, from the settings.
    pub configuration: Option<PathBuf>,
    pub choices: Vec<Choice>,
    pub unsafe_fixes: bool,
    /// The texts of configuration files when they were valid.
    pub good: Arc<BTreeMap<PathBuf, Arc<str>>>,
}

/// A folder that was loaded.
#[derive(Debug)]
pub struct Loaded {
    pub project: Arc<Project>,
    pub options: Arc<Options>,
    pub request: Request,
    /// The scenarios in its folder.
    pub scenarios: Vec<PathBuf>,
    /// The errors of its configurations.
    pub errors: Vec<ConfigError>,
    /// As in [`Load`].
    pub good: Arc<BTreeMap<PathBuf, Arc<str>>>,
}

impl Loaded {
    /// A folder without any document.
    pub fn empty(current: PathBuf) -> Self {
        let request = Request { current, ..Request::default() };
        Self {
            project: Arc::new(empty(&request)),
            options: Arc::default(),
            request,
            scenarios: Vec::new(),
            errors: Vec::new(),
            good: Arc::default(),
        }
    }
}

impl Load {
    /// Loads; the last resort is to load without any configuration.
    pub fn run(self) -> Loaded {
        let mut errors: Vec<ConfigError> = Vec::new();
        let mut replaced: BTreeMap<PathBuf, Arc<str>> = BTreeMap::new();
        let mut config = self.config_source();
        let (project, mut options, request) = loop {
            let request = self.request(config.clone(), &replaced);
            let reason = match self.find(&request) {
                Ok((project, options)) => break (project, options, request),
                Err(_) if config == ConfigSource::Isolated => break (empty(&request), Options::default(), request),
                Err(reason) => reason,
            };
            let error = ConfigError::new(&reason);
            let known = error.path.as_ref().and_then(|path| replaced.get(path));
            let replacement = match (&error.path, known) {
                (Some(path), None) => Some((path.clone(), self.good.get(path).cloned().unwrap_or_default())),
                (Some(path), Some(text)) if !text.is_empty() => Some((path.clone(), Arc::default())),
                _ => None,
            };
            if known.is_none() {
                errors.push(error);
            }
            match replacement.filter(|_| errors.len() <= MAX_REPLACED) {
                Some((path, text)) => {
                    replaced.insert(path, text);
                }
                None => config = ConfigSource::Isolated,
            }
        };
        match Baselines::default().load(None, &project.configs, &request) {
            Ok(baselines) => options.baselines = baselines,
            Err(reason) => errors.push(ConfigError::new(&reason)),
        }
        let scenarios = match &self.scope {
            Scope::Folder(_) => {
                let found = project::find_files(&request, is_scenario).ok();
                found.into_iter().flat_map(|(files, _)| files).map(|file| file.path).collect()
            }
            Scope::Loose(folder) => scenarios_beside(folder),
            Scope::Unnamed(_) => Vec::new(),
        };
        let good = self.good_texts(&project.configs, &replaced);
        Loaded { project: Arc::new(project), options: Arc::new(options), request, scenarios, errors, good }
    }

    fn config_source(&self) -> ConfigSource {
        let path = self.configuration.as_ref().map(|path| clean_path(path, &self.current).0);
        path.map_or(ConfigSource::Nearest, ConfigSource::File)
    }

    fn request(&self, config: ConfigSource, replaced: &BTreeMap<PathBuf, Arc<str>>) -> Request {
        let texts =
            self.unsaved.paths().filter_map(|path| Some((path.to_path_buf(), Arc::clone(self.unsaved.text(path)?))));
        let replaced = replaced.iter().map(|(path, text)| (path.clone(), Arc::clone(text)));
        let folder = |path: &PathBuf| path.parent().map(Path::to_path_buf);
        let of_config = match &config {
            ConfigSource::File(path) => folder(path),
            _ => None,
        };
        Request {
            current: self.current.clone(),
            paths: match self.scope {
                Scope::Folder(_) => vec![PathBuf::from(".")],
                Scope::Loose(_) | Scope::Unnamed(_) => self.paths.clone(),
            },
            buffers: self.text.iter().map(|text| Buffer::new(None, text.as_bytes())).collect(),
            skip_unrelated: !matches!(self.scope, Scope::Folder(_)),
            config,
            boundary: Boundary::below(of_config.into_iter().chain([self.current.clone()]).collect()),
            unsaved: Unsaved::texts(texts.chain(replaced)),
            ..Request::default()
        }
    }

    fn find(&self, request: &Request) -> Result<(Project, Options), String> {
        let project = project::find(request).map_err(|error| error.0)?;
        let options = Options {
            choices: self.choices.clone(),
            today: Some(jiff::Timestamp::now().to_zoned(TimeZone::UTC).date()),
            unsafe_fixes: self.unsafe_fixes,
            ..Options::default()
        };
        project.configs.iter().try_for_each(|config| check_selection(config, &options.choices))?;
        Ok((project, options))
    }

    /// The texts of all files that the configurations were read from.
    fn good_texts(
        &self,
        configs: &[Config],
        replaced: &BTreeMap<PathBuf, Arc<str>>,
    ) -> Arc<BTreeMap<PathBuf, Arc<str>>> {
        let mut good = BTreeMap::clone(&self.good);
        for path in configs.iter().flat_map(|config| &config.files).filter(|path| !replaced.contains_key(*path)) {
            if let Ok(text) = self.unsaved.read(path) {
                good.insert(path.clone(), text.into());
            }
        }
        Arc::new(good)
    }
}

/// The scenarios in a folder, not those below it: it may be any folder of the user.
fn scenarios_beside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut scenarios: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_scenario(path)).collect();
    scenarios.sort_unstable();
    scenarios
}

/// A project without any file.
fn empty(request: &Request) -> Project {
    let nothing = Request { current: request.current.clone(), config: ConfigSource::Isolated, ..Request::default() };
    project::find(&nothing).unwrap_or_default()
}
