//! The files of a configuration, one and those that it extends, and what they hold together: lists are joined, tables are
//! merged by key, and any other value replaces the inherited one.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::settings::{ConfigPlace, Placed};
use crate::common::collections::HashSet;
use crate::files::boundary::Boundary;
use crate::files::paths::clean;
use crate::files::read::{FileKey, Unsaved};
use crate::files::toml_file::{self, Problem, TomlError, recovered};
use crate::text::source::Span;

/// How many files a configuration may extend, one after the other.
const MAX_EXTENDED: usize = 16;

/// Prefix of a list entry that removes an inherited entry.
pub(super) const REMOVAL: char = '!';

/// A configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    pub path: PathBuf,
    /// The folder that its paths and patterns are relative to.
    pub folder: PathBuf,
    pub text: Arc<str>,
    /// The offset of its text when the texts of all files follow each other: spans of merged values count from there.
    start: usize,
}

/// Why a setting is invalid, and where: in bytes of all files.
#[derive(Debug)]
pub(super) struct Invalid {
    pub at: Range<usize>,
    pub reason: String,
}

impl Invalid {
    pub fn new<T>(value: &Spanned<T>, reason: impl Into<String>) -> Self {
        Self { at: value.span(), reason: reason.into() }
    }
}

impl Layer {
    pub fn new(path: PathBuf, text: String, start: usize) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Self { path, folder, text: text.into(), start }
    }

    /// A problem at a byte of its text.
    pub(super) fn invalid(&self, Problem { offset, reason }: Problem) -> Invalid {
        Invalid { at: self.start + offset..self.start + offset, reason }
    }

    pub fn error_at(&self, offset: usize, reason: &str) -> TomlError {
        toml_file::error_at(&self.path.display().to_string(), &self.text, offset, reason)
    }

    /// The file that this one extends, which must not be one of those that are read already.
    fn extended(
        &self,
        extend: &Spanned<String>,
        known: &[FileKey],
        boundary: &Boundary,
        unsaved: &Unsaved,
    ) -> Result<Self, TomlError> {
        let error = |reason: &str| Err(self.error_at(extend.span().start, reason));
        let written = extend.get_ref();
        if written.contains("://") {
            return error("expected a path in `extend`, found an address");
        }
        let path = clean(&self.folder.join(written));
        if known.iter().any(|key| key.is_of(&path)) {
            return error(&format!("circular `extend`: `{written}` extends this file, or is this file"));
        }
        if known.len() > MAX_EXTENDED {
            return error(&format!("more than {MAX_EXTENDED} files are extended"));
        }
        unsaved.lookups().add_file(&path);
        match boundary.check(&path, &self.folder).and_then(|()| unsaved.read(&path)) {
            Ok(text) => Ok(Self::new(path, text, self.start + self.text.len() + 1)),
            Err(reason) => error(&format!("cannot read `{written}`: {reason}")),
        }
    }
}

/// Reads a configuration file and those that it extends; each comes after the one that it extends. `extend_of` checks a
/// file, and returns the value of its key `extend`.
pub(super) fn read(
    path: &Path,
    boundary: &Boundary,
    unsaved: &Unsaved,
    extend_of: impl Fn(&Layer) -> Result<Option<Spanned<String>>, TomlError>,
) -> Result<Vec<Layer>, TomlError> {
    let text = unsaved.read(path).map_err(|error| TomlError(format!("cannot read {}: {error}", path.display())))?;
    let mut last = Layer::new(path.to_path_buf(), text, 0);
    let mut layers = Vec::new();
    let mut keys = vec![FileKey::of(path)];
    while let Some(extend) = extend_of(&last)? {
        let next = last.extended(&extend, &keys, boundary, unsaved)?;
        keys.push(FileKey::of(&next.path));
        layers.push(std::mem::replace(&mut last, next));
    }
    layers.push(last);
    layers.reverse();
    Ok(layers)
}

/// Finds the places of merged values in their files.
#[derive(Clone, Copy)]
pub(super) struct Places<'l>(pub &'l [Layer]);

impl<'l> Places<'l> {
    pub fn of(self, range: &Range<usize>) -> ConfigPlace {
        let layers = self.0.iter().enumerate().filter(|(_, layer)| layer.start <= range.start);
        let (layer, start) =
            layers.map(|(index, layer)| (index, layer.start)).max_by_key(|(_, start)| *start).unwrap_or_default();
        let offset = |offset: usize| u32::try_from(offset.saturating_sub(start)).unwrap_or(u32::MAX);
        ConfigPlace { layer, span: Span::new(offset(range.start), offset(range.end)) }
    }

    pub fn placed(self, text: &Spanned<String>) -> Placed {
        Placed { value: text.get_ref().clone(), place: self.of(&text.span()) }
    }

    pub fn all_placed(self, texts: &[Spanned<String>]) -> Vec<Placed> {
        texts.iter().map(|text| self.placed(text)).collect()
    }

    /// The folder that paths and patterns of a value are relative to.
    pub fn folder_of<T>(self, value: &Spanned<T>) -> &'l Path {
        self.0.get(self.of(&value.span()).layer).map_or(Path::new(""), |layer| &layer.folder)
    }

    pub fn error(self, invalid: &Invalid) -> TomlError {
        let ConfigPlace { layer, span } = self.of(&invalid.at);
        match self.0.get(layer) {
            Some(layer) => layer.error_at(span.start as usize, &invalid.reason),
            None => TomlError(invalid.reason.clone()),
        }
    }
}

/// The values of all files, which were read without an error before.
pub(super) struct Merged<'l> {
    table: DeTable<'l>,
    /// Removals that match no inherited entry.
    pub unused: Vec<Spanned<String>>,
}

impl Merged<'_> {
    /// Without what the files have problems in.
    pub fn read<T: DeserializeOwned>(self) -> Option<T> {
        recovered(self.table).0
    }
}

pub(super) fn merged(layers: &[Layer]) -> Merged<'_> {
    let mut merged = Merged { table: DeTable::new(), unused: Vec::new() };
    for layer in layers {
        let own = DeTable::parse(&layer.text).map(Spanned::into_inner).unwrap_or_default();
        merge(&mut merged.table, moved_table(own, layer.start), &mut merged.unused);
    }
    merged
}

fn moved_table(table: DeTable<'_>, by: usize) -> DeTable<'_> {
    table
        .into_iter()
        .map(|(key, value)| (moved(key, by, |key| key), moved(value, by, |value| moved_value(value, by))))
        .collect()
}

fn moved_value(value: DeValue<'_>, by: usize) -> DeValue<'_> {
    match value {
        DeValue::Table(table) => DeValue::Table(moved_table(table, by)),
        DeValue::Array(array) => {
            DeValue::Array(array.into_iter().map(|entry| moved(entry, by, |entry| moved_value(entry, by))).collect())
        }
        other => other,
    }
}

fn moved<T>(value: Spanned<T>, by: usize, inside: impl Fn(T) -> T) -> Spanned<T> {
    let Range { start, end } = value.span();
    Spanned::new(start + by..end + by, inside(value.into_inner()))
}

fn merge<'l>(inherited: &mut DeTable<'l>, own: DeTable<'l>, unused: &mut Vec<Spanned<String>>) {
    for (key, value) in own {
        let (earlier_key, earlier) = inherited.remove_entry(key.get_ref().as_ref()).unzip();
        let span = value.span();
        let (key, value) = match (value.into_inner(), earlier.map(Spanned::into_inner)) {
            (DeValue::Table(own), earlier) => {
                let mut table = if let Some(DeValue::Table(table)) = earlier { table } else { DeTable::new() };
                merge(&mut table, own, unused);
                (key, DeValue::Table(table))
            }
            // The place of a list is that of the last one, and the place of its name that of the first one.
            (DeValue::Array(own), Some(DeValue::Array(earlier))) => {
                let joined = join(earlier.into_iter().collect(), own, unused);
                (earlier_key.unwrap_or(key), DeValue::Array(joined.into_iter().collect()))
            }
            (DeValue::Array(own), _) => (key, DeValue::Array(join(Vec::new(), own, unused).into_iter().collect())),
            (other, _) => (key, other),
        };
        inherited.insert(key, Spanned::new(span, value));
    }
}

/// Joins a list to the inherited entries.
fn join<'l>(
    inherited: Vec<Spanned<DeValue<'l>>>,
    own: impl IntoIterator<Item = Spanned<DeValue<'l>>>,
    unused: &mut Vec<Spanned<String>>,
) -> Vec<Spanned<DeValue<'l>>> {
    let removed = |entry: &Spanned<DeValue<'_>>| {
        let removed = entry.get_ref().as_str()?.strip_prefix(REMOVAL)?;
        Some(removed.to_owned())
    };
    let (removals, own): (Vec<_>, Vec<_>) = own.into_iter().partition(|entry| removed(entry).is_some());
    let names: HashSet<String> = removals.iter().filter_map(removed).collect();
    let is_removed = |entry: &Spanned<DeValue<'_>>| entry.get_ref().as_str().is_some_and(|text| names.contains(text));
    let (gone, mut joined): (Vec<_>, Vec<_>) = inherited.into_iter().partition(is_removed);
    let gone: HashSet<&str> = gone.iter().filter_map(|entry| entry.get_ref().as_str()).collect();
    for removal in removals {
        if removed(&removal).is_some_and(|name| !gone.contains(name.as_str())) {
            unused.push(Spanned::new(removal.span(), removal.get_ref().as_str().unwrap_or_default().to_owned()));
        }
    }
    joined.extend(own);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_joined_tables_merged_and_other_values_replaced() {
        let texts = [
            "a = ['x', 'y', 'x']\nb = 1\n[t]\nk = 1\nl = ['p']\n[t.u]\nv = 'leaf'",
            "a = ['!x', 'z', '!none']\nb = 2\n[t]\nm = 2\nl = ['q']\n[t.u]\nv = { kind = 'leaf' }",
            "a = []\nc = ['!b', 'c']\n[t]\nk = 3",
        ];
        let layers = texts.map(|text| Layer::new("wflint.toml".into(), text.to_owned(), 1000 * text.len()));
        let merged = merged(&layers);
        let unused: Vec<String> = merged.unused.iter().map(|removal| removal.get_ref().clone()).collect();
        assert_eq!(unused, ["!none", "!b"]);
        let wanted =
            "a = ['y', 'z']\nb = 2\nc = ['c']\n[t]\nk = 3\nl = ['p', 'q']\nm = 2\n[t.u]\nv = { kind = 'leaf' }";
        assert_eq!(merged.read::<toml::Table>().unwrap(), wanted.parse().unwrap());
    }
}
