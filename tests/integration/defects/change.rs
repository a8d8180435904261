//! Changes to the text of a document; all other bytes stay unchanged.

use std::ops::Range;

use serde::Deserialize;

use super::path::{Located, find, find_one};
use super::text::{self, Kind, Value};

/// One change of an entry.
#[derive(Deserialize)]
pub struct Change {
    /// The file, when it differs from the entry's; `*` is every document with variables.
    pub file: Option<String>,
    /// The path of the changed value.
    #[serde(default)]
    at: String,
    #[serde(flatten)]
    operation: Operation,
}

/// The kind of change. New values are JSON, or malformed JSON.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Operation {
    /// Another value; a missing key is added.
    Set(String),
    /// The keys of this object, at any depth, each set.
    Merge(String),
    /// A new element before the one that the path leads to; before the end for `-`.
    Insert(String),
    /// The same, with a copy of the element of this name in the same array.
    Copy(String),
    /// The key or element is removed.
    Remove(bool),
    /// Another name for the key.
    Rename(String),
    /// A text within the value, which occurs there once, and its replacement.
    Replace(String, String),
    /// Texts before and after the value, with a number of repetitions.
    Wrap(String, String, usize),
    /// The file ends with the value.
    Cut(bool),
    /// Another value, in Latin-1.
    #[serde(rename = "latin-1")]
    Latin1(String),
    /// The whole file.
    Write(String),
}

type Edit = (Range<usize>, String);

impl Change {
    /// The file after the change.
    pub fn apply(&self, before: &[u8]) -> Result<Vec<u8>, String> {
        if let Operation::Write(all) = &self.operation {
            return Ok(all.clone().into_bytes());
        }
        let text = std::str::from_utf8(before).map_err(|error| error.to_string())?;
        let root = text::parse(text)?;
        if let Operation::Latin1(value) = &self.operation {
            let span = find_one(text, &root, &self.at)?.value.span.clone();
            let value = value.chars().map(|char| u8::try_from(char).map_err(|_| "no Latin-1".to_owned()));
            let value = value.collect::<Result<Vec<u8>, String>>()?;
            return Ok([&before[..span.start], &value, &before[span.end..]].concat());
        }
        let mut edits = self.edits(text, &root)?;
        if edits.is_empty() {
            return Err(format!("`{}` leads nowhere", self.at));
        }
        edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut after = text.to_owned();
        for (span, new) in edits {
            after.replace_range(span, &new);
        }
        Ok(after.into_bytes())
    }

    /// Whether the change applies to every document in which its path exists.
    pub fn is_everywhere(&self) -> bool {
        self.file.as_deref() == Some("*")
    }

    /// Whether the path of the change exists in this file.
    pub fn fits(&self, text: &[u8]) -> bool {
        let text = std::str::from_utf8(text).unwrap();
        text::parse(text).and_then(|root| self.edits(text, &root)).is_ok_and(|edits| !edits.is_empty())
    }

    fn edits(&self, text: &str, root: &Value) -> Result<Vec<Edit>, String> {
        let places = find(text, root, &self.at)?;
        let each = |edit: &dyn Fn(&Located<'_>) -> Edit| places.iter().map(edit).collect();
        Ok(match &self.operation {
            Operation::Set(value) if places.is_empty() => self.add_member(text, root, value)?,
            Operation::Set(value) => each(&|place| (place.value.span.clone(), value.clone())),
            Operation::Merge(patch) => {
                let patched = text::parse(patch)?;
                places.iter().flat_map(|place| merge(place.value, patch, &patched)).collect()
            }
            Operation::Insert(value) => self.insert(text, root, value)?,
            Operation::Copy(name) => {
                let list = self.at.rsplit_once('/').map_or("", |(list, _)| list);
                let span = find_one(text, root, &format!("{list}/@{name}"))?.value.span.clone();
                self.insert(text, root, &text[span])?
            }
            Operation::Remove(true) => each(&|place| (removed(place), String::new())),
            Operation::Rename(name) => each(&|place| {
                let (holder, index) = place.holder.unwrap();
                (holder.children[index].name_span.clone(), json(name))
            }),
            Operation::Replace(old, new) => {
                let within = find_one(text, root, &self.at)?.value.span.clone();
                let mut found = text[within.clone()].match_indices(old.as_str());
                match (found.next(), found.next()) {
                    (Some((at, _)), None) => {
                        vec![(within.start + at..within.start + at + old.len(), new.clone())]
                    }
                    (first, _) => return Err(format!("`{old}` occurs {}", first.map_or("never", |_| "repeatedly"))),
                }
            }
            Operation::Wrap(open, close, times) => each(&|place| {
                let span = place.value.span.clone();
                let value = [&open.repeat(*times), &text[span.clone()], &close.repeat(*times)].concat();
                (span, value)
            }),
            Operation::Cut(true) => each(&|place| (place.value.span.end..text.len(), String::new())),
            Operation::Remove(false) | Operation::Cut(false) | Operation::Latin1(_) | Operation::Write(_) => Vec::new(),
        })
    }

    fn add_member(&self, text: &str, root: &Value, value: &str) -> Result<Vec<Edit>, String> {
        let (holder, name) = self.at.rsplit_once('/').ok_or("a member needs a name")?;
        let holders = find(text, root, holder)?;
        Ok(holders.iter().map(|holder| appended(holder.value, &format!("{}: {value}", json(name)))).collect())
    }

    fn insert(&self, text: &str, root: &Value, value: &str) -> Result<Vec<Edit>, String> {
        if let Some(list) = self.at.strip_suffix("/-") {
            return Ok(find(text, root, list)?.iter().map(|list| appended(list.value, value)).collect());
        }
        let before = find_one(text, root, &self.at)?.value.span.start;
        Ok(vec![(before..before, format!("{value}, "))])
    }
}

/// A new last key or element.
fn appended(holder: &Value, new: &str) -> Edit {
    match holder.children.last() {
        Some(last) => (last.value.span.end..last.value.span.end, format!(", {new}")),
        None => (holder.span.start + 1..holder.span.start + 1, new.to_owned()),
    }
}

/// The bytes that are removed with a key or element, one comma included.
fn removed(place: &Located<'_>) -> Range<usize> {
    let (holder, index) = place.holder.unwrap();
    let this = &holder.children[index];
    match (holder.children.get(index + 1), index.checked_sub(1).map(|before| &holder.children[before])) {
        (Some(next), _) => this.start()..next.start(),
        (None, Some(before)) => before.value.span.end..this.value.span.end,
        (None, None) => this.start()..this.value.span.end,
    }
}

fn merge(target: &Value, patch: &str, patched: &Value) -> Vec<Edit> {
    let edits = patched.children.iter().flat_map(|new| match target.member(&new.name) {
        None => vec![appended(target, &patch[new.start()..new.value.span.end])],
        Some(old) if old.kind == Kind::Object && new.value.kind == Kind::Object => merge(old, patch, &new.value),
        Some(old) => vec![(old.span.clone(), patch[new.value.span.clone()].to_owned())],
    });
    edits.collect()
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
