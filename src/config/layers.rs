//! The files of a configuration: one, and those that it extends.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Table;

use super::accept_mutant::{AcceptedMutant, accepted_mutant};
use super::explore;
use super::file::{ConfigFile, ValuePlace, check, suppression};
use super::law::Law;
use super::law_entry::{elapsed, law};
use super::services::check_services;
use super::settings::Suppression;
use super::tables::{Parts, offset_of, plain_keys, read_by_tables};
use crate::boundary::Boundary;
use crate::paths::clean;
use crate::read::{FileKey, Unsaved};
use crate::toml_file::{self, TomlError};

/// How many files a configuration may extend, one after the other.
const MAX_EXTENDED: usize = 16;

/// A configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    pub path: PathBuf,
    /// The folder that its paths and patterns are relative to.
    pub folder: PathBuf,
    pub text: Arc<str>,
}

/// A configuration file that was read.
pub(super) struct ReadLayer {
    pub layer: Layer,
    pub file: ConfigFile,
    /// Its settings that are merged by key.
    pub plain: Table,
}

/// Reads a configuration file and those that it extends; each comes after the one that it extends.
///
/// # Errors
/// The first problem, in one line that begins with its place.
pub(super) fn read(path: &Path, boundary: &Boundary, unsaved: &Unsaved) -> Result<Vec<ReadLayer>, TomlError> {
    let text = unsaved.read(path).map_err(|error| TomlError(format!("cannot read {}: {error}", path.display())))?;
    let mut layers = vec![ReadLayer::parse(path.to_path_buf(), text)?];
    let mut keys = vec![FileKey::of(path)];
    while let Some(next) = layers.last().map(|layer| layer.extended(&keys, boundary, unsaved)).transpose()?.flatten() {
        keys.push(FileKey::of(&next.layer.path));
        layers.push(next);
    }
    layers.reverse();
    Ok(layers)
}

impl ReadLayer {
    fn parse(path: PathBuf, text: String) -> Result<Self, TomlError> {
        let name = path.display().to_string();
        let parts = Parts::of(&name, &text)?;
        if let Some(at) = elapsed(&parts.rest) {
            return Err(toml_file::error_at(&name, &text, at, "`elapsed` in a law: time is not explored"));
        }
        let file = read_by_tables(&name, &text, &parts)?;
        let plain = plain_keys(&parts.rest);
        check(&file).map_err(|error| {
            let at = match error.at {
                ValuePlace::Key(table, key) => offset_of(&parts.rest, table, key).unwrap_or_default(),
                ValuePlace::At(at) => at.start,
            };
            toml_file::error_at(&name, &text, at, &error.reason)
        })?;
        drop(parts);
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let read = Self { layer: Layer { path, folder, text: text.into() }, file, plain };
        explore::check(&read.file.explore).map_err(|error| read.error_at(error.at.start, &error.reason))?;
        Ok(read)
    }

    /// The file that this one extends, which must not be one of those that are read already.
    fn extended(&self, known: &[FileKey], boundary: &Boundary, unsaved: &Unsaved) -> Result<Option<Self>, TomlError> {
        let Some(extend) = &self.file.extend else { return Ok(None) };
        let error = |reason: &str| Err(self.error_at(extend.span().start, reason));
        let written = extend.get_ref();
        if written.contains("://") {
            return error("expected a path in `extend`, found an address");
        }
        let path = clean(&self.layer.folder.join(written));
        if known.iter().any(|key| key.is_of(&path)) {
            return error(&format!("circular `extend`: `{written}` extends this file, or is this file"));
        }
        if known.len() > MAX_EXTENDED {
            return error(&format!("more than {MAX_EXTENDED} files are extended"));
        }
        unsaved.lookups().add_file(&path);
        let read = boundary.check(&path, &self.layer.folder).and_then(|()| unsaved.read(&path));
        match read {
            Ok(text) => Self::parse(path, text).map(Some),
            Err(reason) => error(&format!("cannot read `{written}`: {reason}")),
        }
    }

    /// Takes the suppressions out of the file. `layer` is its number among the files of the configuration.
    pub fn take_suppressions(&mut self, layer: usize) -> Result<Vec<Suppression>, TomlError> {
        let entries = std::mem::take(&mut self.file.suppress).into_iter();
        let read =
            entries.map(|entry| suppression(entry, layer).map_err(|error| self.error_at(error.at.start, error.reason)));
        read.collect()
    }

    /// The laws of the file. `layer` is its number among the files of the configuration.
    pub fn laws(&self, layer: usize) -> Result<Vec<Law>, TomlError> {
        let read =
            |entry| law(entry, layer, &self.layer.folder).map_err(|error| self.error_at(error.at.start, &error.reason));
        self.file.law.iter().map(read).collect()
    }

    /// The accepted mutants of the file. `layer` is its number among the files of the configuration.
    pub fn accepted_mutants(&self, layer: usize) -> Result<Vec<AcceptedMutant>, TomlError> {
        let read = |entry| {
            accepted_mutant(entry, layer, &self.layer.folder).map_err(|error| self.error_at(error.at, &error.reason))
        };
        self.file.accept_mutant.iter().map(read).collect()
    }

    /// Checks that the files of its services exist.
    pub fn check_services(&self, boundary: &Boundary, unsaved: &Unsaved) -> Result<(), TomlError> {
        let checked = check_services(&self.file.service, &self.layer.folder, boundary, unsaved);
        checked.map_err(|error| self.error_at(error.at.start, &error.reason))
    }

    fn error_at(&self, offset: usize, reason: &str) -> TomlError {
        toml_file::error_at(&self.layer.path.display().to_string(), &self.layer.text, offset, reason)
    }
}
