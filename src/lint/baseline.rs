//! Baselines: files of known findings that teams keep with their documents. A run has one for all files, or those that
//! configurations name.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::config::Config;
use crate::document::{Document, Limits, NodeId};
use crate::files::read::ReadError;
use crate::lint::identity::{Counts, Identity, NamedPlace};
use crate::project::{Request, clean_path};
use crate::text::source::Span;
use crate::text::{is_unsafe, json_escape};

const VERSION: u32 = 1;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    pub path: PathBuf,
    pub text: Arc<str>,
    /// Whether the file does not exist yet.
    pub is_new: bool,
    entries: BTreeMap<Identity, BaselineEntry>,
}

/// The number of findings of an identity, and the place of the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BaselineEntry {
    pub count: usize,
    pub span: Span,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u32,
    findings: Vec<FindingEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingEntry {
    rule: String,
    file: String,
    around: Vec<String>,
    member: String,
    count: usize,
}

impl Baseline {
    /// A baseline whose file does not exist yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path, is_new: true, ..Self::default() }
    }

    /// Parses the content of a baseline file.
    ///
    /// # Errors
    /// When the JSON is invalid, not a baseline, or of another version.
    pub fn parse(path: PathBuf, text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file: BaselineFile = serde_json::from_str(text).map_err(|error| format!("invalid baseline: {error}"))?;
        if file.version != VERSION {
            return Err(format!("unsupported baseline version: expected {VERSION}, found {}", file.version));
        }
        let document = Document::parse(text, Limits::default()).ok();
        let places = document.as_ref().map(places).unwrap_or_default();
        let mut entries = BTreeMap::new();
        for (at, finding) in file.findings.into_iter().enumerate() {
            let FindingEntry { rule, file, around, member, count } = finding;
            let place = Arc::new(NamedPlace { file: file.into(), around: around.into() });
            let identity = Identity { place, member: member.into(), rule: rule.into() };
            let span = places.get(at).copied().unwrap_or_default();
            let entry = entries.entry(identity).or_insert(BaselineEntry { count: 0, span });
            entry.count = entry.count.saturating_add(count);
        }
        Ok(Self { path, text: text.into(), is_new: false, entries })
    }

    /// The folder that its files are relative to.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The number of listed findings of an identity.
    pub fn count(&self, identity: &Identity) -> usize {
        self.entries.get(identity).map_or(0, |entry| entry.count)
    }

    /// The number of listed findings.
    pub fn total(&self) -> usize {
        self.entries.values().map(|entry| entry.count).sum()
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (&Identity, &BaselineEntry)> {
        self.entries.iter()
    }

    /// Writes a baseline file with these entries, one per line, sorted.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(counts: &Counts, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\n  \"version\": {VERSION},\n  \"findings\": [")?;
        for (index, (Identity { place, member, rule }, count)) in counts.iter().enumerate() {
            let NamedPlace { file, around } = &**place;
            let [rule, file, member] = [rule, &**file, &**member].map(json_string);
            let around: Vec<String> = around.iter().map(|name| json_string(name)).collect();
            let (separator, around) = (if index == 0 { "" } else { "," }, around.join(", "));
            write!(
                out,
                "{separator}\n    {{ \"rule\": {rule}, \"file\": {file}, \"around\": [{around}], \"member\": {member}, \"count\": {count} }}"
            )?;
        }
        out.write_all(if counts.is_empty() { b"]\n}\n" } else { b"\n  ]\n}\n" })
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baselines {
    pub all: Vec<Baseline>,
    /// The index of its baseline, by configuration.
    pub of_config: Vec<Option<usize>>,
    /// Whether baselines are written: old ones with their entries that still occur, new ones with all findings.
    pub are_written: bool,
    /// Reports entries that no longer occur as errors.
    pub are_strict: bool,
}

impl Baselines {
    /// Reads one baseline for all files, otherwise those of the configurations.
    ///
    /// # Errors
    /// The first one that cannot be read. A file that is to be written may be missing, but one that exists must be a
    /// baseline: another file may have been named by mistake.
    pub fn load(mut self, for_all: Option<&Path>, configs: &[Config], request: &Request) -> Result<Self, String> {
        let Request { boundary, unsaved, .. } = request;
        for config in configs {
            let path = for_all.or(config.baseline.as_deref());
            let index = path.map(|path| -> Result<usize, String> {
                let (path, name) = clean_path(path, &request.current);
                if let Some(index) = self.all.iter().position(|known: &Baseline| known.path == path) {
                    return Ok(index);
                }
                let folder = config.folder_of(config.baseline_place);
                let allowed = match for_all {
                    Some(_) => Ok(()),
                    None if self.are_written => boundary.check_target(&path, folder),
                    None => boundary.check(&path, folder),
                };
                let baseline = match allowed.and_then(|()| unsaved.read(&path)) {
                    Ok(text) => Baseline::parse(path, &text).map_err(|reason| format!("{name}: {reason}")),
                    Err(ReadError::Missing) if self.are_written => Ok(Baseline::new(path)),
                    Err(error) if for_all.is_some() => Err(format!("cannot read {name}: {error}")),
                    Err(error) => {
                        let reason = format!("cannot read the baseline `{name}`: {error}");
                        Err(config.error_at(config.baseline_place, &reason).0)
                    }
                };
                self.all.push(baseline?);
                Ok(self.all.len() - 1)
            });
            self.of_config.push(index.transpose()?);
        }
        Ok(self)
    }

    /// The baseline of a configuration, with its index.
    pub(super) fn of(&self, config: usize) -> Option<(usize, &Baseline)> {
        let index = self.of_config.get(config).copied().flatten()?;
        Some((index, self.all.get(index)?))
    }

    /// The first configuration with a baseline.
    pub fn config_of(&self, baseline: usize) -> usize {
        self.of_config.iter().position(|&index| index == Some(baseline)).unwrap_or_default()
    }
}

/// A JSON string in which every character shows, as in reports.
fn json_string(text: &str) -> String {
    let json = Value::from(text).to_string();
    if !json.contains(is_unsafe) {
        return json;
    }
    let mut shown = String::new();
    for character in json.chars() {
        if is_unsafe(character) {
            shown.push_str(&json_escape(character));
        } else {
            shown.push(character);
        }
    }
    shown
}

/// The places of the entries, in their order.
fn places(document: &Document) -> Vec<Span> {
    let findings: Option<NodeId> = document.member(document.root(), "findings");
    findings.into_iter().flat_map(|array| document.elements(array)).map(|entry| document.span(entry)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(rule: &str, around: &[&str]) -> Identity {
        let around = around.iter().map(|&name| name.to_owned()).collect();
        let place = NamedPlace { file: "a \"b\".json".into(), around }.into();
        Identity { place, member: "value".into(), rule: rule.to_owned().into() }
    }

    fn text_of(counts: &Counts) -> String {
        let mut bytes = Vec::new();
        Baseline::write(counts, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn written_baseline_reads_back_unchanged() {
        let known =
            Counts::from([(identity("WF102", &["Ask", "ä\n\u{202e}\u{e0001}"]), 2), (identity("WF101", &[]), 1)]);
        let text = text_of(&known);
        assert!(text.contains(r#""ä\n\u202e\udb40\udc01""#), "{text}");
        let read = Baseline::parse("b.json".into(), &format!("\u{feff}{text}")).unwrap();
        let entries: Counts = read.entries().map(|(identity, entry)| (identity.clone(), entry.count)).collect();
        assert_eq!(entries, known);
        let (_, entry) = read.entries().next().unwrap();
        assert!(text.get(entry.span.range()).unwrap().starts_with("{ \"rule\": \"WF101\""));
        assert_eq!(text_of(&Counts::new()), "{\n  \"version\": 1,\n  \"findings\": []\n}\n");
    }

    #[test]
    fn invalid_baseline_is_rejected() {
        for text in ["", "[]", "{}", r#"{"version": 2, "findings": []}"#, r#"{"version": 1, "activities": []}"#] {
            assert!(Baseline::parse("b.json".into(), text).is_err(), "{text}");
        }
    }
}
