//! One side of a comparison: its services, and their documents, paired with those of the other side.

use std::path::{Path, PathBuf};

use super::result::Spot;
use crate::document::{Document, NodeId};
use crate::files::toml_file::TomlError;
use crate::project::{
    File, GivenFile, Overrides, Project, Request, Service, ServiceFiles, ServicePlace, of_files, relative_name,
};
use crate::schema::DocumentKind;

/// The documents of one side. Their paths are those that they have, or would have, on the new side, so that the same
/// configuration applies to both.
#[derive(Debug)]
pub struct Side {
    pub project: Project,
    /// The names of the services, by service.
    names: Vec<String>,
    /// The folder to which the names of documents are relative, by service.
    folders: Vec<PathBuf>,
}

impl Side {
    /// Reads the files of a side below a folder. `read` is that of [`of_files`].
    pub fn new(
        request: &Request,
        folder: &Path,
        files: Vec<GivenFile>,
        read: impl Fn(&GivenFile, u64) -> Result<Option<Vec<u8>>, String>,
    ) -> Result<Self, TomlError> {
        let (project, places) = of_files(request, folder, files, read)?;
        let (mut names, mut folders) = (Vec::new(), Vec::new());
        for place in places {
            let (name, own) = match place {
                ServicePlace::Folder(own) => (relative_name(&own, folder), own),
                ServicePlace::Entry(name) => (name, folder.to_path_buf()),
            };
            names.push(if name.is_empty() { ".".to_owned() } else { name });
            folders.push(own);
        }
        Ok(Self { project, names, folders })
    }

    /// The services with their names.
    pub(super) fn services(&self) -> impl Iterator<Item = (&str, SideService<'_>)> {
        let services = self.project.services.iter().zip(&self.names).zip(&self.folders);
        services
            .map(|((service, name), folder)| (name.as_str(), SideService { project: &self.project, service, folder }))
    }
}

/// A service of a side, before it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct SideService<'s> {
    pub project: &'s Project,
    pub service: &'s Service,
    folder: &'s Path,
}

impl SideService<'_> {
    pub fn read(&self) -> ServiceFiles {
        self.project.read(self.service, &Overrides::new())
    }

    /// The path of a file below the folder of the service.
    pub fn name_below(&self, path: &Path) -> String {
        relative_name(path, self.folder)
    }
}

/// A document of one side of a service.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServiceDocument<'s> {
    pub kind: DocumentKind,
    pub file: &'s File,
    pub document: &'s Document,
}

/// A document on both sides, or on one.
pub(super) type Pair<'s> = (Option<ServiceDocument<'s>>, Option<ServiceDocument<'s>>);

/// The pairs of both sides, whose documents have names below their services, in the order of the new side.
pub(super) fn pairs<'s>(
    old: Vec<(String, ServiceDocument<'s>)>,
    new: Vec<(String, ServiceDocument<'s>)>,
) -> Vec<Pair<'s>> {
    let (mut old, mut pairs): (Vec<_>, Vec<Pair<'s>>) = (old.into_iter().map(Some).collect(), Vec::new());
    for (name, document) in new {
        let is_same = |other: &&mut Option<(String, ServiceDocument<'s>)>| matches!(other, Some((own, other)) if *own == name && other.kind == document.kind);
        let same = old.iter_mut().find(is_same).and_then(Option::take);
        pairs.push((same.map(|(_, document)| document), Some(document)));
    }
    for kind in [DocumentKind::Workflow, DocumentKind::Form, DocumentKind::SigningCase] {
        let is_kind = |document: Option<ServiceDocument<'_>>| document.is_some_and(|document| document.kind == kind);
        let mut left = old.iter_mut().filter(|other| is_kind(other.as_ref().map(|(_, document)| *document)));
        let mut open = pairs.iter_mut().filter(|(old, new)| old.is_none() && is_kind(*new));
        if let (Some(one), None, Some(other), None) = (left.next(), left.next(), open.next(), open.next()) {
            other.0 = one.take().map(|(_, document)| document);
        }
    }
    pairs.extend(old.into_iter().flatten().map(|(_, document)| (Some(document), None)));
    pairs
}

/// The place of a value; for an object, that of its name.
pub(super) fn spot(file: &File, document: &Document, node: NodeId) -> Spot {
    let span = document.anchor(node);
    Spot {
        pointer: document.pointer(node).into_boxed_str(),
        start: file.source.position(span.start),
        end: file.source.position(span.end),
    }
}

/// The string of a key.
pub(super) fn text_member<'d>(document: &'d Document, object: NodeId, key: &str) -> Option<&'d str> {
    document.string(document.member(object, key)?)
}

/// The last part of a path.
pub(super) fn file_name(name: &str) -> &str {
    name.rsplit(['/', ':']).next().unwrap_or(name)
}
