//! The entries of `tests/defects`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;

use super::change::Change;
use super::path::find_one;
use super::text;

/// A file of entries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DataFile {
    defect: Vec<Defect>,
}

/// An entry as written; `tests/defects/README.md` describes the keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    title: String,
    file: String,
    change: Vec<Change>,
    #[serde(default)]
    named: bool,
    code: String,
    severity: String,
    at: String,
    covers: Option<String>,
    place: Option<String>,
    #[serde(default)]
    also: Vec<Expected>,
}

/// A defect and its findings.
#[derive(Deserialize)]
#[serde(from = "Entry")]
pub struct Defect {
    /// The folder below `tests/corpus/ok`.
    pub service: String,
    /// The changed file of the service.
    pub file: String,
    /// The changes, in order.
    pub change: Vec<Change>,
    /// Whether only this file is named on the command line, instead of the folder.
    pub named: bool,
    /// Every expected finding.
    pub expected: Vec<Expected>,
    title: String,
    data_file: String,
}

/// An expected finding.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub code: String,
    pub severity: String,
    /// The file of the service, when it is not the changed one.
    pub file: Option<String>,
    /// The path of the reported value, after the change.
    at: String,
    /// The exact characters, when they differ from the usual ones of a finding at such a value.
    pub covers: Option<String>,
    /// Line and column of their start, when the characters occur more than once.
    pub place: Option<String>,
}

/// Reads all entries of a folder, sorted by file.
pub fn read_all(folder: &Path) -> Vec<Defect> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|it| it == "toml")).collect();
    paths.sort();
    let mut defects = Vec::new();
    for path in paths {
        let data_file = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let file: DataFile = toml::from_str(&text).unwrap_or_else(|error| panic!("{data_file}: {error}"));
        defects.extend(file.defect.into_iter().map(|defect| Defect { data_file: data_file.clone(), ..defect }));
    }
    defects
}

impl From<Entry> for Defect {
    fn from(entry: Entry) -> Self {
        let (service, file) = entry.file.split_once('/').unwrap();
        let Entry { code, severity, at, covers, place, also, .. } = entry;
        let finding = Expected { code, severity, file: None, at, covers, place };
        Self {
            service: service.to_owned(),
            file: file.to_owned(),
            change: entry.change,
            named: entry.named,
            expected: std::iter::once(finding).chain(also).collect(),
            title: entry.title,
            data_file: String::new(),
        }
    }
}

impl Defect {
    /// The entry's name in reports.
    pub fn heading(&self) -> String {
        format!("{}: {} ({}/{})", self.data_file, self.title, self.service, self.file)
    }

    /// Applies the changes.
    pub fn apply(&self, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
        for change in &self.change {
            if change.is_everywhere() {
                for bytes in files.values_mut().filter(|bytes| change.fits(bytes)) {
                    *bytes = change.apply(bytes)?;
                }
            } else {
                let name = change.file.as_ref().unwrap_or(&self.file);
                let bytes = files.entry(name.clone()).or_default();
                *bytes = change.apply(bytes)?;
            }
        }
        Ok(())
    }
}

impl Expected {
    /// The pointer, and the range that a finding there usually has; in a text that does not parse
    /// the pointer is as the entry has it, and no range is usual.
    pub fn place_in(&self, text: &str) -> Result<(String, Option<Range<usize>>), String> {
        let Ok(root) = text::parse(text) else { return Ok((self.at.clone(), None)) };
        let place = find_one(text, &root, &self.at)?;
        Ok((place.pointer, Some(place.value.usual_range(text))))
    }
}
