//! The types of the settings of a configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::ops::RangeBounds;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::common::collections::HashSet;
use crate::text::diagnostic::Severity;
use crate::text::is_match;
use crate::text::source::Span;

/// The minimum severity that makes the exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    Error,
    #[default]
    Warning,
    /// Any finding.
    Info,
    Never,
}

impl FailOn {
    /// Whether a finding of this severity fails the run.
    pub const fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => matches!(severity, Severity::Error),
            Self::Warning => matches!(severity, Severity::Error | Severity::Warning),
            Self::Info => true,
            Self::Never => false,
        }
    }
}

/// A place in one of the files of a configuration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConfigPlace {
    /// The number of the file: each comes after the one that it extends.
    pub layer: usize,
    pub span: Span,
}

/// A string of a configuration, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub value: String,
    pub place: ConfigPlace,
}

/// Names of variables that the platform provides, as the user lists them; in one with a `*`, it stands for any characters.
#[derive(Debug, Clone, Default)]
pub struct SystemVariables {
    names: BTreeSet<String>,
    patterns: Vec<String>,
}

impl SystemVariables {
    pub fn contains(&self, name: &str) -> bool {
        // No pattern makes JSON in the body of an Assign a placeholder.
        let may_match =
            !self.patterns.is_empty() && !name.contains(|letter: char| letter == '"' || letter.is_control());
        self.names.contains(name) || may_match && self.patterns.iter().any(|pattern| is_match(pattern, name))
    }

    /// Those without a `*`.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }
}

impl FromIterator<String> for SystemVariables {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let (patterns, names): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| name.contains('*'));
        Self { names: names.into_iter().collect(), patterns }
    }
}

/// Types of the platform that wflint does not know, as the user declares them.
#[derive(Debug, Clone, Default)]
pub struct Types {
    pub activities: BTreeMap<String, DeclaredActivity>,
    pub fields: FieldTypes,
}

/// The names of field types that the user declares, in this order.
#[derive(Debug, Clone, Default)]
pub struct FieldTypes {
    listed: Vec<String>,
    known: HashSet<String>,
}

impl FieldTypes {
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.listed.iter().map(String::as_str)
    }

    pub fn contains(&self, name: &str) -> bool {
        self.known.contains(name)
    }
}

impl FromIterator<String> for FieldTypes {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let listed: Vec<String> = names.into_iter().collect();
        Self { known: listed.iter().cloned().collect(), listed }
    }
}

/// An activity type that the user declares: its shape, or a table of shape and writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeclaredActivity {
    pub shape: ActivityShape,
    pub writes: DeclaredWrites,
    /// The key that holds the seconds which it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<String>,
}

/// The variables that an activity of a declared type may write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum DeclaredWrites {
    Variables(Vec<String>),
    Any,
}

/// The long form, `{ kind = "leaf", writes = ["Price"], delay = "seconds" }`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct DeclaredActivityTable {
    kind: ActivityShape,
    #[serde(default = "no_writes")]
    writes: DeclaredWrites,
    #[serde(default, deserialize_with = "key_of_seconds")]
    delay: Option<String>,
}

/// The name of a key. A number would be the seconds themselves, and the activity would take no time at all.
fn key_of_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let key = String::deserialize(deserializer)?;
    if key.trim().is_empty() || key.trim().parse::<f64>().is_ok() {
        return Err(Error::custom(format!("expected the key that holds the seconds in `delay`, found {key:?}")));
    }
    Ok(Some(key))
}

const fn no_writes() -> DeclaredWrites {
    DeclaredWrites::Variables(Vec::new())
}

impl<'de> Deserialize<'de> for DeclaredActivity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = DeclaredActivity;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`leaf`, `container` or a table with `kind`")
            }

            fn visit_str<E: Error>(self, shape: &str) -> Result<Self::Value, E> {
                let shape = ActivityShape::deserialize(StrDeserializer::new(shape))?;
                Ok(DeclaredActivity { shape, writes: no_writes(), delay: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
                let table = DeclaredActivityTable::deserialize(MapAccessDeserializer::new(table))?;
                Ok(DeclaredActivity { shape: table.kind, writes: table.writes, delay: table.delay })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for DeclaredWrites {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = DeclaredWrites;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of names of variables, or `true` for any")
            }

            fn visit_bool<E>(self, any: bool) -> Result<Self::Value, E> {
                Ok(if any { DeclaredWrites::Any } else { no_writes() })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, names: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(names)).map(DeclaredWrites::Variables)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Whether a declared activity type runs its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActivityShape {
    Leaf,
    Container,
}

/// `[fmt]`: the stable form of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct FormatOptions {
    /// Spaces per level; 0 writes one line.
    #[serde(deserialize_with = "indent")]
    pub indent: usize,
    pub editor_state: EditorState,
    pub order: MemberOrder,
    pub line_ending: LineEnding,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self { indent: 2, editor_state: EditorState::Keep, order: MemberOrder::Keep, line_ending: LineEnding::Auto }
    }
}

fn indent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    // The maximum of `JSON.stringify`.
    within(deserializer, 0..=10, "`fmt.indent` from 0 to 10")
}

/// A number in a range.
pub(super) fn within<'de, D: Deserializer<'de>, T: Deserialize<'de> + PartialOrd + Display>(
    deserializer: D,
    range: impl RangeBounds<T>,
    expected: &str,
) -> Result<T, D::Error> {
    let number = T::deserialize(deserializer)?;
    if range.contains(&number) {
        Ok(number)
    } else {
        Err(Error::custom(format!("expected {expected}, found {number}")))
    }
}

/// What happens to the keys that only the editor of the platform reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditorState {
    Keep,
    Drop,
}

/// The order of the members of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemberOrder {
    Keep,
    /// That of the schema; unknown keys last, by name.
    Schema,
}

/// The line ends of documents. Where git converts them, those that are committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineEnding {
    /// Those of most lines of the file; LF if it has none.
    Auto,
    Lf,
    Crlf,
}

/// `[per-file-ignores]`: rules that do not report for the files of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerFileIgnore {
    /// Relative to the folder of the file that has the entry.
    pub pattern: Placed,
    /// Codes, prefixes, names or groups of rules.
    pub selectors: Vec<Placed>,
}
