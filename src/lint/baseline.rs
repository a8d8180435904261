//! A baseline: a file of known findings that a team keeps with its documents.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::document::{Document, Limits, NodeId};
use crate::identity::{Counts, Identity, LastNamedPlace, NamedPlace};
use crate::read::MAX_BYTES;
use crate::source::Span;
use crate::text::{is_unsafe, json_escape};

const VERSION: u32 = 1;
/// More than what surrounds the entries.
const OTHER_BYTES: u64 = 64;

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
        let (mut entries, mut shared) = (BTreeMap::new(), Shared::default());
        for (at, finding) in file.findings.into_iter().enumerate() {
            let count = finding.count;
            let identity = shared.identity(finding);
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
    /// When it cannot be written, or would be too large to be read.
    pub fn write(counts: &Counts, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\n  \"version\": {VERSION},\n  \"findings\": [")?;
        let mut bytes = 0;
        for (index, (Identity { place, member, rule }, count)) in counts.iter().enumerate() {
            let NamedPlace { file, around } = &**place;
            let [rule, file, member] = [rule, &**file, &**member].map(json_string);
            let around: Vec<String> = around.iter().map(|name| json_string(name)).collect();
            let (separator, around) = (if index == 0 { "" } else { "," }, around.join(", "));
            let entry = format!(
                "{separator}\n    {{ \"rule\": {rule}, \"file\": {file}, \"around\": [{around}], \"member\": {member}, \"count\": {count} }}"
            );
            bytes += entry.len() as u64;
            if bytes + OTHER_BYTES > MAX_BYTES {
                return Err(io::Error::other(format!(
                    "a baseline may have {} MiB, too few for these findings",
                    MAX_BYTES >> 20
                )));
            }
            out.write_all(entry.as_bytes())?;
        }
        out.write_all(if counts.is_empty() { b"]\n}\n" } else { b"\n  ]\n}\n" })
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

/// What entries share with the one before, which is often of the same file and place.
#[derive(Default)]
struct Shared {
    file: Arc<str>,
    around: Arc<[String]>,
    place: LastNamedPlace,
}

impl Shared {
    fn identity(&mut self, entry: FindingEntry) -> Identity {
        if *self.file != *entry.file {
            self.file = entry.file.into();
        }
        if *self.around != *entry.around {
            self.around = entry.around.into();
        }
        let (file, around) = (Arc::clone(&self.file), Arc::clone(&self.around));
        let place = self.place.share(NamedPlace { file, around });
        Identity { place, member: entry.member.into(), rule: entry.rule.into() }
    }
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
    fn baseline_that_could_not_be_read_is_not_written() {
        let member = "x".repeat(usize::try_from(MAX_BYTES).unwrap() - 200);
        let entry = |rule: &str| (Identity { member: member.as_str().into(), ..identity(rule, &[]) }, 1);
        assert!(Baseline::write(&Counts::from([entry("WF102")]), &mut io::sink()).is_ok());
        let error = Baseline::write(&Counts::from([entry("WF102"), (identity("WF103", &[]), 1)]), &mut io::sink());
        assert!(error.unwrap_err().to_string().starts_with("a baseline may have 64 MiB"));
    }

    #[test]
    fn invalid_baseline_is_rejected() {
        for text in ["", "[]", "{}", r#"{"version": 2, "findings": []}"#, r#"{"version": 1, "activities": []}"#] {
            assert!(Baseline::parse("b.json".into(), text).is_err(), "{text}");
        }
    }
}
