//! Finds the documents of a folder, with its configurations. Invalid configurations are replaced by their last valid
//! versions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{Diagnostic, DiagnosticSeverity, Range};
use jiff::tz::TimeZone;

use super::position::Encoding;
use crate::config::{Config, may_be_own, selectors, unknown_selector};
use crate::files::boundary::Boundary;
use crate::files::lookups::Lookups;
use crate::files::read::Unsaved;
use crate::files::toml_file::problems;
use crate::lint::{Baselines, Choice, Options, check_selection};
use crate::project::{self, Buffer, ConfigSource, Project, Request, clean_path};
use crate::simulate::is_scenario;
use crate::text::character_length;
use crate::text::source::SourceFile;

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
    pub last_valid: LastValid,
}

/// Configurations when they were valid.
#[derive(Debug, Clone, Default)]
pub struct LastValid {
    /// The texts of their files.
    pub texts: Arc<BTreeMap<PathBuf, Arc<str>>>,
    /// By their paths.
    configs: Arc<BTreeMap<PathBuf, Arc<Config>>>,
}

/// A folder that was loaded.
#[derive(Debug, Default)]
pub struct Loaded {
    pub project: Arc<Project>,
    pub options: Arc<Options>,
    pub request: Request,
    /// The scenarios in its folder.
    pub scenarios: Vec<PathBuf>,
    /// The errors of its configurations.
    pub errors: Vec<ConfigError>,
    /// The files that its configurations name.
    pub lookups: Lookups,
    pub last_valid: LastValid,
}

impl Loaded {
    /// A folder without any document.
    pub fn empty(current: PathBuf) -> Self {
        let request = Request { current, ..Request::default() };
        Self { project: Arc::new(empty(&request)), request, ..Self::default() }
    }
}

impl Load {
    /// Loads. Configurations that cannot be loaded are replaced by their last valid versions, or only the files with errors,
    /// where there is no such version or the error is found later; the last resort is to load without any configuration.
    pub fn run(self) -> Loaded {
        let mut errors: Vec<ConfigError> = Vec::new();
        let mut replaced: BTreeMap<PathBuf, Arc<str>> = BTreeMap::new();
        let mut config = self.config_source();
        let lookups = Lookups::remembered();
        let (project, mut options, request) = loop {
            let request = self.request(config.clone(), &replaced, &lookups);
            let reason = match self.find(&request) {
                Ok((project, options)) => break (project, options, request),
                Err(_) if config == ConfigSource::Isolated => break (empty(&request), Options::default(), request),
                Err(reason) => reason,
            };
            let mut found: Vec<ConfigError> = problems(&reason).map(ConfigError::new).collect();
            let further = found.split_off(1.min(found.len()));
            let Some(error) = found.pop() else { break (empty(&request), Options::default(), request) };
            let known = error.path.as_ref().and_then(|path| replaced.get(path));
            let replacement = match (&error.path, known) {
                (Some(path), None) => {
                    Some((path.clone(), self.last_valid.texts.get(path).cloned().unwrap_or_default()))
                }
                (Some(path), Some(text)) if !text.is_empty() => Some((path.clone(), Arc::default())),
                _ => None,
            };
            if known.is_none() {
                errors.extend(std::iter::once(error).chain(further));
            }
            match replacement.filter(|_| errors.len() <= MAX_REPLACED) {
                Some((path, text)) => {
                    replaced.insert(path, text);
                }
                None => config = ConfigSource::Isolated,
            }
        };
        for error in project.replaced_configs.values().flat_map(|error| problems(&error.0)).map(ConfigError::new) {
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
        match Baselines::default().load(None, &project.configs, &request) {
            Ok(baselines) => options.baselines = baselines,
            Err(reason) => errors.push(ConfigError::new(&reason)),
        }
        let scenarios = self.scenarios(&request);
        let last_valid = self.last_valid.with(&project, &replaced, &self.unsaved);
        Loaded {
            project: Arc::new(project),
            options: Arc::new(options),
            request,
            scenarios,
            errors,
            lookups,
            last_valid,
        }
    }

    fn scenarios(&self, request: &Request) -> Vec<PathBuf> {
        match &self.scope {
            Scope::Folder(_) => {
                let found = project::find_files(request, is_scenario).ok();
                found.into_iter().flat_map(|(files, _)| files).map(|file| file.path).collect()
            }
            Scope::Loose(folder) => scenarios_beside(folder),
            Scope::Unnamed(_) => Vec::new(),
        }
    }

    fn config_source(&self) -> ConfigSource {
        let path = self.configuration.as_ref().map(|path| clean_path(path, &self.current).0);
        path.map_or(ConfigSource::Nearest, ConfigSource::File)
    }

    fn request(&self, config: ConfigSource, replaced: &BTreeMap<PathBuf, Arc<str>>, lookups: &Lookups) -> Request {
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
            unsaved: Unsaved::texts(texts.chain(replaced)).remembering(lookups),
            good_configs: Arc::clone(&self.last_valid.configs),
            ..Request::default()
        }
    }

    fn find(&self, request: &Request) -> Result<(Project, Options), String> {
        let project = project::find(request).map_err(|error| error.0)?;
        let own: Vec<&str> = project.configs.iter().flat_map(|config| selectors(&config.own_rules)).collect();
        // A rule of the user's own may be one of another folder.
        let is_known = |choice: &&Choice| match choice {
            Choice::Select(selector) | Choice::Ignore(selector) => {
                !may_be_own(selector) || unknown_selector(selector, &own).is_none()
            }
        };
        let options = Options {
            choices: self.choices.iter().filter(is_known).cloned().collect(),
            today: Some(jiff::Timestamp::now().to_zoned(TimeZone::UTC).date()),
            unsafe_fixes: self.unsafe_fixes,
            ..Options::default()
        };
        project.configs.iter().try_for_each(|config| check_selection(config, &options.choices, &own))?;
        Ok((project, options))
    }
}

impl LastValid {
    /// With the configurations of a project that are valid, and not replaced. `replaced` are texts in place of files.
    fn with(&self, project: &Project, replaced: &BTreeMap<PathBuf, Arc<str>>, unsaved: &Unsaved) -> Self {
        let (mut texts, mut configs) = (BTreeMap::clone(&self.texts), BTreeMap::clone(&self.configs));
        for config in &project.configs {
            let Some(path) = config.path.as_ref().filter(|path| !project.replaced_configs.contains_key(*path)) else {
                continue;
            };
            for file in config.files.iter().filter(|file| !replaced.contains_key(*file)) {
                if let Ok(text) = unsaved.read(file) {
                    texts.insert(file.clone(), text.into());
                }
            }
            let is_known = configs.get(path).is_some_and(|known| known.is_same(config));
            if !is_known && !config.files.iter().any(|file| replaced.contains_key(file)) {
                configs.insert(path.clone(), Arc::new(config.clone()));
            }
        }
        Self { texts: Arc::new(texts), configs: Arc::new(configs) }
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

/// An error that makes a configuration unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file that has it, if it is known.
    pub path: Option<PathBuf>,
    /// From 1.
    place: Option<(u32, u32)>,
    message: String,
    /// With its place.
    pub reason: String,
}

impl ConfigError {
    /// Reads an error that may begin with its place.
    pub fn new(reason: &str) -> Self {
        for (end, _) in reason.match_indices(": ") {
            let (head, message) = (reason.get(..end).unwrap_or(""), reason.get(end + 2..).unwrap_or(""));
            let mut parts = head.rsplitn(3, ':');
            let (column, line, path) = (parts.next(), parts.next(), parts.next());
            let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
            if let (Some(column), Some(line), Some(path)) = (number(column), number(line), path) {
                let (path, place) = (Some(path.into()), Some((line, column)));
                return Self { path, place, message: message.to_owned(), reason: reason.to_owned() };
            }
        }
        let (head, message) = reason.split_once(": ").unwrap_or(("", reason));
        let path = Path::new(head.strip_prefix("cannot read ").unwrap_or(head));
        let message = if head.starts_with("cannot read ") { reason } else { message };
        let is_known = path.is_absolute();
        Self {
            path: is_known.then(|| path.to_path_buf()),
            place: None,
            message: if is_known { message } else { reason }.to_owned(),
            reason: reason.to_owned(),
        }
    }

    /// At its place in the text of the file: the character there.
    pub fn diagnostic(&self, text: &str, encoding: Encoding) -> Diagnostic {
        let source = SourceFile::new(PathBuf::new(), String::new(), text.into());
        let range = self.place.map(|(line, column)| {
            let start = source.line_start(line) as usize;
            let line = text.get(start..).unwrap_or_default();
            let skipped = column.saturating_sub(1) as usize;
            let skipped = if start == 0 && line.starts_with('\u{feff}') { skipped + 1 } else { skipped };
            let at = start + line.char_indices().nth(skipped).map_or(line.len(), |(at, _)| at);
            let position = |offset: usize| encoding.position(&source, u32::try_from(offset).unwrap_or(u32::MAX));
            Range { start: position(at), end: position(at + character_length(text, at)) }
        });
        Diagnostic {
            range: range.unwrap_or_default(),
            severity: Some(DiagnosticSeverity::Error),
            source: Some("wflint".to_owned()),
            message: self.message.clone().into(),
            ..Diagnostic::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn place_is_read_from_an_error() {
        let error = ConfigError::new("/a: b/wflint.toml:2:3: unknown key `a`: b");
        assert_eq!((error.path, error.place), (Some("/a: b/wflint.toml".into()), Some((2, 3))));
        assert_eq!(error.message, "unknown key `a`: b");
        let error = ConfigError::new("/a/wflint.toml: no pointer");
        assert_eq!(
            (error.path, error.place, error.message.as_str()),
            (Some("/a/wflint.toml".into()), None, "no pointer")
        );
        let error = ConfigError::new("cannot read /a/b.toml: no such file");
        assert_eq!(
            (error.path, error.message.as_str()),
            (Some("/a/b.toml".into()), "cannot read /a/b.toml: no such file")
        );
        assert_eq!(ConfigError::new("unknown rule selector `X`: y").path, None);
    }
}
