//! What one run looks at: the files that were found, and the services they belong to.

mod discover;
mod load;
mod model;
mod named;
mod service;

use std::path::PathBuf;
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
pub use named::{FoundFile, Opened, clean_path, find_files, open};

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
    skip_unrelated: bool,
}

/// The files of a service, read.
#[derive(Debug, Default)]
pub struct ServiceFiles {
    /// Those that hold something of ours, sorted by name.
    pub files: Vec<File>,
    /// How many of those asked for hold nothing of ours.
    pub skipped: usize,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
}

impl Project {
    /// Whether findings in a file are reported.
    pub fn is_reported(&self, id: FileId) -> bool {
        self.candidates.get(id.0 as usize).is_some_and(|candidate| candidate.reported)
    }

    /// Reads the files of a service.
    pub fn read(&self, service: &Service) -> ServiceFiles {
        let mut read = ServiceFiles::default();
        let Some(config) = self.configs.get(service.config) else { return read };
        for &id in &service.files {
            let Some(candidate) = self.candidates.get(id.0 as usize) else { continue };
            match load::load(id, candidate, config, self.skip_unrelated) {
                Ok(Some(file)) => read.files.push(file),
                Ok(None) => read.skipped += usize::from(candidate.reported),
                Err(reason) => read.unreadable.push(reason),
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
        skip_unrelated: request.skip_unrelated,
    })
}
