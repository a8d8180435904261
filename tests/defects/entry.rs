//! The entries of the data.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;

use super::change::Change;
use super::path::find_one;
use super::text;

/// A file of the data.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DataFile {
    defect: Vec<Defect>,
}

/// One defect and what it gives.
#[derive(Debug, Deserialize)]
pub struct Defect {
    /// What is wrong, in plain words.
    pub title: String,
    /// Service and file.
    file: String,
    /// What is changed, one after the other.
    pub change: Vec<Change>,
    /// Whether only this file is named on the command line, instead of the folder.
    #[serde(default)]
    pub named: bool,
    /// The finding.
    #[serde(flatten)]
    finding: Expected,
    /// Other errors and warnings that belong to it.
    #[serde(default)]
    also: Vec<Expected>,
    /// The file of the data that it comes from.
    #[serde(skip)]
    data_file: String,
}

/// An expected finding.
#[derive(Debug, Deserialize)]
pub struct Expected {
    pub code: String,
    pub severity: String,
    /// The path of the value that it is about, after the change.
    at: String,
    /// The exact characters, when they are not those that such a value usually has.
    pub covers: Option<String>,
    /// Line and column where they begin, when the characters do not tell.
    pub place: Option<String>,
    /// The file, when it is another of the service than the entry's.
    file: Option<String>,
}

/// Reads all entries of a folder, sorted by file.
pub fn read_all(folder: &Path) -> Vec<Defect> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|it| it == "toml")).collect();
    paths.sort();
    let mut defects = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let file: DataFile = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        defects.extend(file.defect.into_iter().map(|defect| Defect { data_file: name.clone(), ..defect }));
    }
    defects
}

impl Defect {
    /// The entry's name in reports.
    pub fn heading(&self) -> String {
        format!("{}: {} ({})", self.data_file, self.title, self.file)
    }

    /// The folder below `tests/corpus/ok`.
    pub fn service(&self) -> &str {
        self.file.split_once('/').unwrap().0
    }

    /// The changed file of the service.
    pub fn file_name(&self) -> &str {
        self.file.split_once('/').unwrap().1
    }

    /// Every finding that the defect gives.
    pub fn expected(&self) -> impl Iterator<Item = &Expected> {
        std::iter::once(&self.finding).chain(&self.also)
    }

    /// The file of the service that a finding is in.
    pub fn file_of<'d>(&'d self, expected: &'d Expected) -> &'d str {
        expected.file.as_deref().unwrap_or(self.file_name())
    }

    /// Makes one of the changes.
    pub fn apply(&self, change: &Change, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
        match change.file.as_deref() {
            Some("*") => {
                for bytes in files.values_mut().filter(|bytes| change.fits(bytes)) {
                    *bytes = change.apply(bytes)?;
                }
            }
            name => {
                let bytes = files.entry(name.unwrap_or(self.file_name()).to_owned()).or_default();
                *bytes = change.apply(bytes)?;
            }
        }
        Ok(())
    }
}

impl Expected {
    /// The pointer, and the range that a finding there usually has; a document that does not parse
    /// has the empty pointer and no usual range.
    pub fn place_in(&self, text: &str) -> Result<(String, Option<Range<usize>>), String> {
        match text::parse(text) {
            Ok(root) => {
                let place = find_one(text, &root, &self.at)?;
                Ok((place.pointer, Some(place.value.usual_range())))
            }
            Err(_) => Ok((self.at.clone(), None)),
        }
    }
}
