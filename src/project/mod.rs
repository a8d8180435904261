//! What one run looks at: the files that were found, and the services they belong to.

mod discover;
mod load;
mod model;
mod named;
mod service;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::Config;
use crate::diagnostic::FileId;
use crate::document::{Document, SyntaxError};
use crate::schema::DocumentKind;
use crate::source::{SourceFile, Span};
use crate::toml_file::TomlError;
use discover::Candidate;

pub use load::looks_like_ours;
pub use model::{Declarations, Declared, FormDocument, ServiceModel, WorkflowDocument};
pub use named::{FoundFile, Opened, clean_path, find_files, open, relative_name};

/// A file that was read.
#[derive(Debug)]
pub struct File {
    /// Its index in the project.
    pub id: FileId,
    /// Its text.
    pub source: SourceFile,
    /// What it holds.
    pub content: Content,
    /// Whether findings in it are reported; else it is here for what its service shares.
    pub reported: bool,
}

/// What a file holds.
#[derive(Debug)]
pub enum Content {
    /// A document.
    Document(DocumentKind, Document),
    /// JSON, but no document.
    Unrelated(Document),
    /// No JSON.
    Invalid(SyntaxError),
    /// No UTF-8; the bytes that are none.
    NotUtf8(Span),
    /// Over the size limit of so many bytes, at that offset.
    TooLarge(u64),
}

impl File {
    /// The document, if it is one.
    pub const fn document(&self) -> Option<(DocumentKind, &Document)> {
        match &self.content {
            Content::Document(kind, document) => Some((*kind, document)),
            _ => None,
        }
    }
}

/// Documents that share a variable list.
#[derive(Debug, Clone)]
pub struct Service {
    /// Its files, sorted by name.
    pub files: Vec<FileId>,
    /// Index of its configuration.
    pub config: usize,
}

/// Everything that a run looks at: which files, and how they belong together. Their texts are read
/// a service at a time, so that a run over many services needs the memory of a few.
#[derive(Debug)]
pub struct Project {
    /// The files that may hold documents, sorted by name; a file's index is its [`FileId`].
    candidates: Vec<Candidate>,
    /// The services, sorted by their first file.
    pub services: Vec<Service>,
    /// The configurations that services point to.
    pub configs: Vec<Config>,
    /// What could not be looked at, with the reason.
    pub unreadable: Vec<String>,
    /// The current folder; names in reports are relative to it.
    pub current: PathBuf,
    /// The folders that were walked.
    walked: Vec<PathBuf>,
    skip_unrelated: bool,
}

/// Bytes in place of those that files have.
pub type Texts = BTreeMap<FileId, Arc<[u8]>>;

/// The files of a service, read.
#[derive(Debug, Default)]
pub struct ServiceFiles {
    /// Those that hold something of ours, sorted by name.
    pub files: Vec<File>,
    /// How many of those asked for hold nothing of ours.
    pub skipped: usize,
    /// What could not be read, with the reason.
    pub unreadable: Vec<(FileId, String)>,
}

impl Project {
    /// Whether findings in a file are reported.
    pub fn is_reported(&self, id: FileId) -> bool {
        self.candidates.get(id.0 as usize).is_some_and(|candidate| candidate.reported)
    }

    /// How reports name a file, and where it lies.
    pub fn name_and_path(&self, id: FileId) -> Option<(&str, &Path)> {
        self.candidates.get(id.0 as usize).map(|candidate| (candidate.name.as_str(), candidate.path.as_path()))
    }

    /// The files that may hold documents, by where they lie.
    pub fn files(&self) -> impl Iterator<Item = (&Path, FileId)> {
        (0..).map(FileId).zip(&self.candidates).map(|(id, candidate)| (candidate.path.as_path(), id))
    }

    /// An id for a file that is no candidate: a configuration, by its number, or one after them.
    pub fn id_of_other(&self, number: usize) -> FileId {
        FileId(u32::try_from(self.candidates.len() + number).unwrap_or(u32::MAX))
    }

    /// Whether a file or folder lies in a folder that was walked, or is one.
    pub fn was_walked(&self, path: &Path) -> bool {
        self.walked.iter().any(|folder| path.starts_with(folder))
    }

    /// The bytes of a service's files, for reading it more than once; without those that cannot be
    /// read.
    pub fn texts(&self, service: &Service) -> Texts {
        let Some(config) = self.configs.get(service.config) else { return Texts::new() };
        let bytes = |&id: &FileId| Some((id, load::bytes(self.candidates.get(id.0 as usize)?, config).ok()?));
        service.files.iter().filter_map(bytes).collect()
    }

    /// Reads the files of a service; of those that have a text in `texts`, that one.
    pub fn read(&self, service: &Service, texts: &Texts) -> ServiceFiles {
        let mut read = ServiceFiles::default();
        let Some(config) = self.configs.get(service.config) else { return read };
        for &id in &service.files {
            let Some(candidate) = self.candidates.get(id.0 as usize) else { continue };
            let loaded = match texts.get(&id) {
                Some(text) => {
                    let bytes = Some(Arc::clone(text));
                    load::load(id, &Candidate { bytes, ..candidate.clone() }, config, self.skip_unrelated)
                }
                None => load::load(id, candidate, config, self.skip_unrelated),
            };
            match loaded {
                Ok(Some(file)) => read.files.push(file),
                Ok(None) => read.skipped += usize::from(candidate.reported),
                Err(reason) => read.unreadable.push((id, reason)),
            }
        }
        read
    }
}

/// Where the configuration comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ConfigSource {
    /// The nearest `wflint.toml` at or above each file's folder.
    #[default]
    Nearest,
    /// This file.
    File(PathBuf),
    /// None: the defaults.
    Isolated,
}

/// What to look at.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The current folder, absolute; names in reports are relative to it.
    pub current: PathBuf,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Documents whose text is given; when there are any, `paths` is not looked at.
    pub texts: Vec<Text>,
    /// Nothing is read from the disk: the texts are all there is.
    pub in_memory: bool,
    /// Named files that hold no document are skipped.
    pub skip_unrelated: bool,
    /// Where the configuration comes from.
    pub config: ConfigSource,
}

/// A document that is not read from a file, such as standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The file it stands for; without one it is a service of its own.
    pub path: Option<PathBuf>,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

/// Finds everything that a request asks for, with the other documents of each service.
///
/// # Errors
/// A configuration that cannot be used.
pub fn find(request: &Request) -> Result<Project, TomlError> {
    let mut configs = discover::Configs::new(request.config.clone());
    let mut found = discover::discover(request, &mut configs, discover::is_json)?;
    if !request.in_memory {
        service::add_companions(&mut found.candidates, &request.current, &mut configs)?;
    }
    let mut candidates: Vec<Candidate> = found.candidates.into_values().collect();
    candidates.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Project {
        services: service::group(&candidates, configs.all()),
        candidates,
        configs: configs.into_all(),
        unreadable: found.unreadable,
        current: request.current.clone(),
        walked: found.walked,
        skip_unrelated: request.skip_unrelated,
    })
}
