//! The directories of scenarios: LDIF files and inline entries.

use std::path::Path;

use super::loader::Loader;
use super::problem::at;
use super::request::Request;
use crate::diagnostic::{FileId, Location};
use crate::ldap::{Directory, Entry, ldif};
use crate::project;
use crate::read::ReadError;
use crate::simulate::scenario::{DirectorySource, FileLocation};
use crate::source::Span;

impl Loader {
    pub fn directory(
        &mut self,
        file: FileId,
        folder: &Path,
        source: &mut DirectorySource,
        request: &Request,
    ) -> Option<usize> {
        match source {
            DirectorySource::Empty => Some(0),
            // The scenario needs them no more.
            DirectorySource::Inline(entries, location) => match Directory::new(std::mem::take(entries)) {
                Ok(directory) => Some(self.add_directory(directory)),
                Err(duplicate) => {
                    self.problem(at(file, location), duplicate.to_string(), None);
                    None
                }
            },
            DirectorySource::File(named) => {
                let (path, name) = project::clean_path(&folder.join(&named.value), &request.current);
                let cannot_read = |error: &ReadError| format!("cannot read {name}: {error}");
                if let Err(error) = request.boundary.check(&path, folder) {
                    self.problem(at(file, &named.location), cannot_read(&error), None);
                    return None;
                }
                if let Some(known) = self.directories.get(&path) {
                    return *known;
                }
                self.loaded.files.push(path.clone());
                let index = match self.unsaved.read(&path) {
                    Ok(text) => self.read_ldif(&path, &name, &text),
                    Err(error) => {
                        let help = Some("give the path relative to the scenario's folder".to_owned());
                        self.problem(at(file, &named.location), cannot_read(&error), help);
                        return None;
                    }
                };
                self.directories.insert(path, index);
                index
            }
        }
    }

    fn read_ldif(&mut self, path: &Path, name: &str, text: &str) -> Option<usize> {
        let file = self.add_source(path, name, text);
        // A scenario may name any file: neither a message nor an excerpt shows its lines.
        if let Some(source) = self.loaded.sources.get_mut(&file) {
            source.is_quoted = false;
        }
        let read: Result<Vec<Entry>, _> = ldif::parse(text);
        match read {
            Ok(entries) => match Directory::new(entries) {
                Ok(directory) => Some(self.add_directory(directory)),
                Err(_) => {
                    self.problem(at(file, &FileLocation::default()), "duplicate entry", None);
                    None
                }
            },
            Err(error) => {
                let small = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
                let span = Span::new(small(error.span.start), small(error.span.end));
                self.problem(Location { file, pointer: String::new(), span }, error.message, None);
                None
            }
        }
    }

    fn add_directory(&mut self, directory: Directory) -> usize {
        self.loaded.directories.push(directory);
        self.loaded.directories.len() - 1
    }
}
