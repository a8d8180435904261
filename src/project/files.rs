//! Files without their services: scenarios and the documents that they name, and what each file of a request is.

use std::path::{Path, PathBuf};

use super::configs::Configs;
use super::discover::{discover, is_json};
use super::expected::{self, NamedDocuments};
use super::file::{Candidate, Content, Contents, File};
use super::load::load;
use super::request::{ConfigSource, Request};
use super::services::service_name;
use crate::config::Config;
use crate::document::{SyntaxError, SyntaxErrorKind};
use crate::files::boundary::Boundary;
use crate::files::paths::{clean_path, relative_name};
use crate::files::read::{self, Unsaved};
use crate::files::toml_file::TomlError;
use crate::schema::DocumentKind;
use crate::text::diagnostic::FileId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    pub path: PathBuf,
    /// As reports show it.
    pub name: String,
    /// Whether it was named, and not found in a folder.
    pub is_named: bool,
}

/// Finds named files, and those of walked folders that `wanted` accepts, sorted by name; and what
/// could not be read, with the reason.
pub fn find_files(request: &Request, wanted: fn(&Path) -> bool) -> Result<(Vec<FoundFile>, Vec<String>), TomlError> {
    let mut configs = Configs::of(request);
    let found = discover(request, &mut configs, &wanted)?;
    let mut files: Vec<FoundFile> = found
        .candidates
        .into_values()
        .map(|file| FoundFile { path: file.path, name: file.name, is_named: file.named })
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((files, found.unreadable))
}

/// The configuration that applies to the path of a request, or to its standard input.
pub fn config_of(request: &Request) -> Result<Config, String> {
    let path = request.buffers.iter().filter_map(|buffer| buffer.path.as_ref()).chain(&request.paths).next();
    let absolute = path.map_or_else(|| request.current.clone(), |path| clean_path(path, &request.current).0);
    let is_folder = match std::fs::metadata(&absolute) {
        Ok(metadata) => metadata.is_dir(),
        Err(_) if !request.buffers.is_empty() => false,
        Err(error) => {
            return Err(format!("cannot read {}: {}", path.unwrap_or(&absolute).display(), read::reason(&error)));
        }
    };
    let folder = if is_folder { absolute.as_path() } else { absolute.parent().unwrap_or(&absolute) };
    let mut configs = Configs::of(request);
    let index = configs.of_folder(folder).map_err(|error| error.0)?;
    Ok(configs.into_all().into_iter().nth(index).unwrap_or_default())
}

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedFile {
    pub path: PathBuf,
    /// Whether it was found in a folder and not named, so that it may hold anything.
    pub is_found: bool,
}

/// Files that were read, with their configurations.
#[derive(Debug)]
pub struct OpenedFiles {
    /// In the order of the paths: a file, `None` if it is not a workflow, or why it cannot be read.
    pub files: Vec<Result<Option<File>, String>>,
    /// By file: the index of its configuration.
    pub config_of: Vec<usize>,
    pub configs: Vec<Config>,
}

/// Reads named files with any content, and workflows that were found; the first gets the id `first`.
pub fn open(
    wanted: &[WantedFile],
    current: &Path,
    source: &ConfigSource,
    boundary: &Boundary,
    unsaved: &Unsaved,
    first: u32,
) -> Result<OpenedFiles, TomlError> {
    let mut configs = Configs::new(source.clone(), boundary.clone(), unsaved.clone());
    let mut opened = OpenedFiles { files: Vec::new(), config_of: Vec::new(), configs: Vec::new() };
    for (id, WantedFile { path, is_found }) in (first..).map(FileId).zip(wanted) {
        // All invalid configurations are reported together.
        let Ok(config) = configs.of_folder(path.parent().unwrap_or(path)) else { continue };
        let name = relative_name(path, current);
        let contents = unsaved.text(path).cloned().map(Contents::Text);
        let meant = NamedDocuments::default().kind(path, config, &configs);
        let candidate = Candidate { named: !is_found, meant, ..Candidate::found(path.clone(), name, config, contents) };
        let Some(settings) = configs.get(config) else { continue };
        let file = load(id, &candidate, settings, false, None);
        opened.files.push(match file {
            Ok(None) if !is_found => {
                let name = &candidate.name;
                Err(format!("unknown document {name}, neither a workflow, a form nor a signing case"))
            }
            // A workflow that lost its content is one that cannot be used.
            Ok(Some(file)) if *is_found && is_other(&file.content) && meant != Some(DocumentKind::Workflow) => Ok(None),
            file => file,
        });
        opened.config_of.push(config);
    }
    configs.check()?;
    opened.configs = configs.into_all();
    Ok(opened)
}

/// Whether a file certainly holds no workflow.
const fn is_other(content: &Content) -> bool {
    match content {
        Content::Document(kind, _) => !matches!(kind, DocumentKind::Workflow),
        Content::Unrelated(_) | Content::Resembling(..) => true,
        Content::Invalid(_) | Content::OtherEncoding(_) | Content::NotUtf8(_) | Content::TooLarge(_) => false,
    }
}

/// The files of a request, sorted by name.
#[derive(Debug)]
pub struct Listing {
    pub files: Vec<ListedFile>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// The configurations that hold for the files.
    pub configs: Vec<Config>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// As reports show it.
    pub name: String,
    pub purpose: Purpose,
}

/// The kind of a file, or why it is skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    Document {
        kind: DocumentKind,
        /// Display name of its service.
        service: String,
    },
    Scenario,
    /// With the reason.
    Skipped(String),
}

/// Lists named files, and the JSON files and scenarios of walked folders, with excluded ones and links. The other
/// documents of a named file's service are not listed.
pub fn list(request: &Request, is_scenario: &(dyn Fn(&Path) -> bool + Sync)) -> Result<Listing, TomlError> {
    let mut configs = Configs::of(request);
    let mut found = discover(request, &mut configs, &|path| is_json(path) || is_scenario(path))?;
    found.excluded.retain(|path, _| !found.candidates.contains_key(path));
    expected::mark(&mut found, &configs);
    let mut listing = Listing { files: Vec::new(), unreadable: found.unreadable, configs: Vec::new() };
    for (path, pattern) in &found.excluded {
        let name = relative_name(path, &request.current);
        let purpose = Purpose::Skipped(format!("excluded by `{pattern}` in `exclude`"));
        listing.files.push(ListedFile { name, purpose });
    }
    for path in found.links.iter().filter(|path| !found.candidates.contains_key(*path)) {
        let name = relative_name(path, &request.current);
        listing.files.push(ListedFile { name, purpose: Purpose::Skipped("a link, which is not followed".to_owned()) });
    }
    for candidate in found.candidates.into_values() {
        let Some(config) = configs.get(candidate.config) else { continue };
        let purpose = if is_scenario(&candidate.path) && !is_json(&candidate.path) {
            Purpose::Scenario
        } else {
            match taken_for(&candidate, config, request.skip_unrelated) {
                Ok(Ok(kind)) => {
                    Purpose::Document { kind, service: service_name(&candidate, &request.current, &configs) }
                }
                Ok(Err(_)) if is_scenario(&candidate.path) => Purpose::Scenario,
                Ok(Err(reason)) => Purpose::Skipped(reason),
                Err(reason) => {
                    listing.unreadable.push(reason);
                    Purpose::Skipped("cannot be read".to_owned())
                }
            }
        };
        listing.files.push(ListedFile { name: candidate.name, purpose });
    }
    listing.files.sort_by(|a, b| a.name.cmp(&b.name));
    listing.configs = configs.into_all();
    Ok(listing)
}

/// The kind of document in a file, or why it is skipped.
fn taken_for(
    candidate: &Candidate,
    config: &Config,
    skip_unrelated: bool,
) -> Result<Result<DocumentKind, String>, String> {
    const UNRELATED: &str = "neither a workflow, a form nor a signing case";
    let Some(file) = load(FileId(0), candidate, config, skip_unrelated, None)? else {
        return Ok(Err(UNRELATED.to_owned()));
    };
    Ok(match file.content {
        Content::Document(kind, _) => Ok(kind),
        Content::Unrelated(_) if candidate.meant.is_some() => Err(format!("{UNRELATED} (WF003)")),
        Content::Unrelated(_) => Err(UNRELATED.to_owned()),
        Content::Resembling(..) => Err(format!("{UNRELATED}, but similar to one (WF003)")),
        Content::Invalid(error) if error.kind == SyntaxErrorKind::TooDeep => {
            Err(format!("nested deeper than {} levels (WF002)", config.max_depth))
        }
        Content::Invalid(SyntaxError { kind: SyntaxErrorKind::TooMany(what), .. }) => {
            Err(format!("too many {what} (WF002)"))
        }
        Content::Invalid(_) => Err("invalid JSON (WF001)".to_owned()),
        Content::OtherEncoding(encoding) => {
            Err(format!("invalid encoding: expected UTF-8, found {} (WF001)", encoding.name()))
        }
        Content::NotUtf8(_) => Err("invalid UTF-8 (WF001)".to_owned()),
        Content::TooLarge(limit) => Err(format!("larger than {} MiB (WF002)", limit >> 20)),
    })
}
