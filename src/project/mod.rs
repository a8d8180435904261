//! What one run looks at: the files that were found, and the services they belong to.

mod discover;
mod load;
mod model;
mod service;

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::Config;
use crate::diagnostic::FileId;
use crate::document::{Document, SyntaxError};
use crate::schema::DocumentKind;
use crate::source::{SourceFile, Span};
use crate::toml_file::TomlError;

pub use load::looks_like_ours;
pub use model::{Declarations, Declared, FormDocument, ServiceModel, WorkflowDocument};

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
#[derive(Debug)]
pub struct Service {
    /// Its files, sorted by name.
    pub files: Vec<FileId>,
    /// Index of its configuration.
    pub config: usize,
}

/// Everything that a run looks at, frozen once it is loaded.
#[derive(Debug)]
pub struct Project {
    /// The files, sorted by name; a file's index is its [`FileId`].
    pub files: Vec<File>,
    /// The services, sorted by their first file.
    pub services: Vec<Service>,
    /// The configurations that services point to.
    pub configs: Vec<Config>,
    /// Files that were looked at but hold no document.
    pub skipped: usize,
    /// What could not be read, with the reason; the rest was loaded nevertheless.
    pub unreadable: Vec<String>,
}

impl Project {
    /// A file by its id.
    pub fn file(&self, id: FileId) -> Option<&File> {
        self.files.get(id.0 as usize)
    }

    /// How many documents are reported on, broken ones included.
    pub fn reported_count(&self) -> usize {
        self.files.iter().filter(|file| file.reported).count()
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

/// Finds and reads everything that a request asks for, with the other documents of each service.
///
/// # Errors
/// A configuration that cannot be used.
pub fn load(request: &Request) -> Result<Project, TomlError> {
    let mut configs = discover::Configs::new(request.config.clone());
    let mut found = discover::discover(request, &mut configs)?;
    let mut candidates = std::mem::take(&mut found.candidates);
    if !request.in_memory {
        service::add_companions(&mut candidates, &request.current, &mut configs)?;
    }
    let (mut files, unreadable) = load::read_all(request, &candidates, &configs);
    found.unreadable.extend(unreadable);
    files.sort_by(|a, b| a.file.source.name.cmp(&b.file.source.name));
    let skipped = files.iter().filter(|file| file.skipped && file.file.reported).count();
    files.retain(|file| !file.skipped);
    for (index, file) in (0..).zip(&mut files) {
        file.file.id = FileId(index);
    }
    let services = service::group(&files, configs.all());
    Ok(Project {
        files: files.into_iter().map(|file| file.file).collect(),
        services,
        configs: configs.into_all(),
        skipped,
        unreadable: found.unreadable,
    })
}
