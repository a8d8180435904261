//! One side of a comparison: its services and their names.

use std::path::{Path, PathBuf};

use crate::collections::HashMap;
use crate::project::{
    GivenFile, Overrides, Project, Request, Service, ServiceFiles, ServicePlace, of_files, relative_name,
};
use crate::toml_file::TomlError;

/// The documents of one side. Their paths are those that they have, or would have, on the new side, so that the same
/// configuration applies to both.
#[derive(Debug)]
pub struct Side {
    pub project: Project,
    /// The names of the services, by service.
    names: Vec<String>,
    /// The folder to which the names of documents are relative, by service.
    folders: Vec<PathBuf>,
    /// By path, the names of files that do not look like documents.
    skipped: HashMap<PathBuf, String>,
}

impl Side {
    /// Reads the files of a side below a folder. `read` is that of [`of_files`].
    ///
    /// # Errors
    /// An invalid configuration.
    pub fn new(
        request: &Request,
        folder: &Path,
        files: Vec<GivenFile>,
        read: impl Fn(&GivenFile, u64) -> Result<Option<Vec<u8>>, String>,
    ) -> Result<Self, TomlError> {
        let (project, places, skipped) = of_files(request, files, read)?;
        let (mut names, mut folders) = (Vec::new(), Vec::new());
        for place in places {
            let (name, own) = match place {
                ServicePlace::Folder(own) => (relative_name(&own, folder), own),
                ServicePlace::Entry(name) => (name, folder.to_path_buf()),
            };
            names.push(if name.is_empty() { ".".to_owned() } else { name });
            folders.push(own);
        }
        let skipped = skipped.into_iter().map(|file| (file.path, file.name)).collect();
        Ok(Self { project, names, folders, skipped })
    }

    /// The name of a file that does not look like a document.
    pub(super) fn skipped(&self, path: &Path) -> Option<&str> {
        self.skipped.get(path).map(String::as_str)
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
