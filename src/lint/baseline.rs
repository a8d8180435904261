//! Baselines: files of known findings that teams keep with their documents. A run has one for all files, or those that
//! configurations name.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::config::Config;
use crate::document::{Document, Limits, NodeId, NodeKind};
use crate::files::paths::canonicalize;
use crate::files::read::ReadError;
use crate::git::Repository;
use crate::lint::identity::{Counts, Identity, NamedPlace};
use crate::project::{Request, clean_path, is_json, relative_name};
use crate::text::source::{SourceFile, Span};
use crate::text::suggest::did_you_mean;
use crate::text::{is_unsafe, json_escape, quote};

const VERSION: usize = 1;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    pub path: PathBuf,
    pub text: Arc<str>,
    /// Whether the file does not exist yet.
    pub is_new: bool,
    entries: BTreeMap<Identity, BaselineEntry>,
}

/// The number of findings of an identity, and the place of the first entry for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BaselineEntry {
    pub count: usize,
    pub span: Span,
    /// Whether the file has several entries for it.
    pub is_repeated: bool,
}

impl Baseline {
    /// A baseline whose file does not exist yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path, is_new: true, ..Self::default() }
    }

    /// Parses the content of a baseline file.
    ///
    /// # Errors
    /// When the JSON is invalid, not a baseline, or of another version; with its place, `line:column: `.
    pub fn parse(path: PathBuf, text: &str) -> Result<Self, String> {
        let entries = read_entries(text).map_err(|(offset, reason)| {
            let place = SourceFile::new(PathBuf::new(), String::new(), text.into()).position(offset);
            format!("{}:{}: invalid baseline: {reason}", place.line, place.column)
        })?;
        Ok(Self { path, text: text.into(), is_new: false, entries })
    }

    /// The new names of files that are gone, by their old ones, relative to the folder: those that git knows as renamed
    /// since the commit that last changed the baseline.
    fn renamed_files(&self) -> Result<BTreeMap<String, String>, String> {
        let is_gone = |file: &str| !self.folder().join(file).exists();
        if !self.entries.keys().any(|identity| is_gone(&identity.place.file)) {
            return Ok(BTreeMap::new());
        }
        let folder = canonicalize(self.folder()).map_err(|error| error.to_string())?;
        let repository = Repository::of(&folder)?;
        let commit = repository.last_change(&folder.join(self.path.file_name().unwrap_or_default()))?;
        let name = |path: &Path| relative_name(&repository.root().join(path), &folder);
        let renamed = repository.renamed(&commit, is_json)?;
        Ok(renamed.iter().map(|(old, new)| (name(old), name(new))).filter(|(old, _)| is_gone(old)).collect())
    }

    /// Gives the entries of files that were renamed the new names.
    fn follow(&mut self, renamed: &BTreeMap<String, String>) {
        for (mut identity, entry) in std::mem::take(&mut self.entries) {
            if let Some(new) = renamed.get(&*identity.place.file) {
                let around = Arc::clone(&identity.place.around);
                identity.place = Arc::new(NamedPlace { file: new.as_str().into(), around });
            }
            let join = |known: &mut BaselineEntry| (known.count, known.is_repeated) = (known.count + entry.count, true);
            self.entries.entry(identity).and_modify(join).or_insert(entry);
        }
    }

    /// Whether these are the bytes of its file; `None` for a missing one.
    pub fn is_text(&self, bytes: Option<&[u8]>) -> bool {
        match bytes {
            None => self.is_new,
            Some(bytes) => !self.is_new && bytes == self.text.as_bytes(),
        }
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
                    Ok(text) => {
                        let baseline = Baseline::parse(path, &text).map_err(|reason| format!("{name}:{reason}"));
                        baseline.map(|mut baseline| {
                            baseline.follow(&baseline.renamed_files().unwrap_or_default());
                            baseline
                        })
                    }
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

/// Why a text is not a baseline, and at which byte.
type Invalid = (u32, String);

/// The entries of a text.
fn read_entries(text: &str) -> Result<BTreeMap<Identity, BaselineEntry>, Invalid> {
    let document = Document::parse(text, Limits::default());
    let document = document.map_err(|error| (error.offset, "invalid JSON".to_owned()))?;
    let reader = Reader { document: &document };
    let root = document.root();
    reader.check_keys(root, "an object with `version` and `findings`", &["$schema", "version", "findings"])?;
    let version = reader.count(root, "version")?;
    if version != VERSION {
        let at = reader.member(root, "version")?;
        return Err((document.span(at).start, format!("expected version {VERSION}, found {version}")));
    }
    let mut entries: BTreeMap<Identity, BaselineEntry> = BTreeMap::new();
    for finding in reader.elements(root, "findings")? {
        reader.check_keys(finding, "an object", &["rule", "file", "around", "member", "count"])?;
        let around = reader.elements(finding, "around")?;
        let around = around.into_iter().map(|name| reader.string(name).map(str::to_owned)).collect::<Result<_, _>>()?;
        let [rule, file, member] = ["rule", "file", "member"].map(|key| reader.string(reader.member(finding, key)?));
        let place = Arc::new(NamedPlace { file: file?.into(), around });
        let identity = Identity { place, member: member?.into(), rule: rule?.to_owned().into() };
        let count = reader.count(finding, "count")?;
        let new = BaselineEntry { count, span: document.span(finding), is_repeated: false };
        let join = |known: &mut BaselineEntry| {
            (known.count, known.is_repeated) = (known.count.saturating_add(count), true);
        };
        entries.entry(identity).and_modify(join).or_insert(new);
    }
    Ok(entries)
}

/// Reads values, and says what is expected where another is found.
struct Reader<'d> {
    document: &'d Document,
}

impl<'d> Reader<'d> {
    fn mismatch(&self, node: NodeId, expected: &str) -> Invalid {
        let found = match self.document.kind(node) {
            NodeKind::Object => "an object",
            NodeKind::Array => "an array",
            NodeKind::String => "a string",
            NodeKind::Number => "a number",
            NodeKind::True | NodeKind::False => "a boolean",
            NodeKind::Null => "null",
        };
        (self.document.span(node).start, format!("expected {expected}, found {found}"))
    }

    fn check_keys(&self, object: NodeId, expected: &str, known: &[&str]) -> Result<(), Invalid> {
        if self.document.kind(object) != NodeKind::Object {
            return Err(self.mismatch(object, expected));
        }
        let key = |member: NodeId| self.document.key(member).unwrap_or_default();
        match self.document.children(object).find(|&member| !known.contains(&key(member))) {
            None => Ok(()),
            Some(unknown) => {
                let at = self.document.key_span(unknown).unwrap_or_default().start;
                let near = did_you_mean(key(unknown), known.iter().copied());
                Err((at, format!("unknown key {}{near}", quote(key(unknown)))))
            }
        }
    }

    fn member(&self, object: NodeId, key: &str) -> Result<NodeId, Invalid> {
        let missing = || (self.document.span(object).start, format!("missing key `{key}`"));
        self.document.member(object, key).ok_or_else(missing)
    }

    fn string(&self, node: NodeId) -> Result<&'d str, Invalid> {
        self.document.string(node).ok_or_else(|| self.mismatch(node, "a string"))
    }

    fn elements(&self, object: NodeId, key: &str) -> Result<Vec<NodeId>, Invalid> {
        let array = self.member(object, key)?;
        if self.document.kind(array) == NodeKind::Array {
            Ok(self.document.elements(array).collect())
        } else {
            Err(self.mismatch(array, "an array"))
        }
    }

    fn count(&self, object: NodeId, key: &str) -> Result<usize, Invalid> {
        let number = self.member(object, key)?;
        let count = self.document.integer(number).and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| match self.document.kind(number) {
            NodeKind::Number => {
                let found = self.document.slice(self.document.span(number));
                (self.document.span(number).start, format!("expected an integer of 0 or more, found {found}"))
            }
            _ => self.mismatch(number, "an integer"),
        })
    }
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
        assert!(read.text.get(entry.span.range()).unwrap().starts_with("{ \"rule\": \"WF101\""));
        assert_eq!(text_of(&Counts::new()), "{\n  \"version\": 1,\n  \"findings\": []\n}\n");
    }

    #[test]
    fn invalid_baseline_is_rejected() {
        for (text, reason) in [
            ("", "1:1: invalid baseline: invalid JSON"),
            ("[]", "1:1: invalid baseline: expected an object with `version` and `findings`, found an array"),
            ("{}", "1:1: invalid baseline: missing key `version`"),
            (r#"{"version": 2, "findings": []}"#, "1:13: invalid baseline: expected version 1, found 2"),
            (r#"{"version": -1}"#, "1:13: invalid baseline: expected an integer of 0 or more, found -1"),
            (r#"{"version": 1, "activities": []}"#, "1:16: invalid baseline: unknown key `activities`"),
            (r#"{"version": 1, "findings": {}}"#, "1:28: invalid baseline: expected an array, found an object"),
            ("{\"version\": 1, \"findings\": [\n5]}", "2:1: invalid baseline: expected an object, found a number"),
        ] {
            assert_eq!(Baseline::parse("b.json".into(), text).unwrap_err(), reason, "{text}");
        }
        let text = r#"{"$schema": "x", "version": 1, "findings": []}"#;
        assert_eq!(Baseline::parse("b.json".into(), text).unwrap().total(), 0);
    }
}
