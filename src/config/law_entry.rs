//! The format of `[[law]]` entries, and the checks of their values.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::law::{AtMost, BuiltInLaw, CallBounds, Law, LawCondition, LawMail, StatusPatterns};
use super::merge::placed_one;
use super::pattern::compile;
use super::settings::Placed;
use crate::outcomes::{Decision, MailKind, OutcomeKind};

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct LawEntry {
    pub name: Spanned<String>,
    pub services: Option<Spanned<Vec<Spanned<String>>>>,
    pub when: Option<Spanned<WhenEntry>>,
    pub expect: Option<Spanned<ExpectEntry>>,
    #[serde(default, deserialize_with = "not_empty_table")]
    pub before: BTreeMap<Spanned<String>, Spanned<String>>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct WhenEntry {
    outcome: Option<LawOutcome>,
    #[serde(deserialize_with = "not_empty_table")]
    variables: BTreeMap<Spanned<String>, ValueEntry>,
    statuses: Option<Vec<String>>,
    #[serde(deserialize_with = "not_empty_table")]
    approvals: BTreeMap<Spanned<String>, Decision>,
    #[serde(deserialize_with = "not_empty")]
    mails: Vec<MailEntry>,
    failure: Option<String>,
    #[serde(deserialize_with = "not_empty_table")]
    calls: BTreeMap<Spanned<String>, CallsEntry>,
    people: Option<People>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct ExpectEntry {
    outcome: Option<LawOutcome>,
    #[serde(deserialize_with = "not_empty_table")]
    variables: BTreeMap<Spanned<String>, ValueEntry>,
    statuses: Option<Vec<String>>,
    #[serde(deserialize_with = "not_empty_table")]
    approvals: BTreeMap<Spanned<String>, Decision>,
    #[serde(deserialize_with = "not_empty")]
    mails: Vec<MailEntry>,
    failure: Option<String>,
    #[serde(deserialize_with = "not_empty_table")]
    calls: BTreeMap<Spanned<String>, CallsEntry>,
    ends: Option<True>,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum LawOutcome {
    Completed,
    Terminated,
    Failed,
    Stuck,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum People {
    Act,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct MailEntry {
    to: Option<String>,
    kind: Option<MailKind>,
}

/// A non-empty table: an empty one would demand nothing.
fn not_empty_table<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<BTreeMap<Spanned<String>, T>, D::Error> {
    let table = BTreeMap::deserialize(deserializer)?;
    if table.is_empty() { Err(Error::custom("empty table in a law")) } else { Ok(table) }
}

fn not_empty<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let array = Vec::deserialize(deserializer)?;
    if array.is_empty() { Err(Error::custom("empty array in a law")) } else { Ok(array) }
}

/// The value `true`; anything else is an error.
#[derive(Debug, Clone, Copy, Serialize)]
struct True;

impl<'de> Deserialize<'de> for True {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let is_true = bool::deserialize(deserializer)?;
        is_true.then_some(Self).ok_or_else(|| Error::custom("expected `true`, found `false`"))
    }
}

/// The value of a variable, which is text.
#[derive(Debug, Clone, Serialize)]
struct ValueEntry(String);

impl<'de> Deserialize<'de> for ValueEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl Visitor<'_> for Scalar {
            type Value = ValueEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, an integer or a boolean")
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(ValueEntry(text.to_owned()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(ValueEntry(number.to_string()))
            }

            fn visit_bool<E>(self, is_true: bool) -> Result<Self::Value, E> {
                Ok(ValueEntry(is_true.to_string()))
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}

/// A number of calls, exact or with bounds.
#[derive(Debug, Clone, Copy, Serialize)]
struct CallsEntry {
    at_least: Option<Binary>,
    at_most: Option<Binary>,
}

/// The long form, `{ at-least = 1 }`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct CallsTable {
    at_least: Option<Binary>,
    at_most: Option<Binary>,
}

/// 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Binary(bool);

impl Binary {
    fn new<E: Error>(number: i64) -> Result<Self, E> {
        match number {
            0 => Ok(Self(false)),
            1 => Ok(Self(true)),
            _ => Err(E::custom(format!("expected 0 or 1 calls, found {number}: a law does not count further"))),
        }
    }
}

impl<'de> Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(i64::deserialize(deserializer)?)
    }
}

impl<'de> Deserialize<'de> for CallsEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = CallsEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("0, 1 or a table with `at-least` or `at-most`")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
                let exact = Some(Binary::new(number)?);
                Ok(CallsEntry { at_least: exact, at_most: exact })
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
                let CallsTable { at_least, at_most } = CallsTable::deserialize(MapAccessDeserializer::new(table))?;
                if at_least.is_none() && at_most.is_none() {
                    return Err(A::Error::custom("missing key `at-least` or `at-most`"));
                }
                if at_least.zip(at_most).is_some_and(|(least, most)| least > most) {
                    return Err(A::Error::custom("`at-most` is less than `at-least`"));
                }
                Ok(CallsEntry { at_least, at_most })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl From<CallsEntry> for CallBounds {
    fn from(entry: CallsEntry) -> Self {
        let at_most = entry.at_most.map(|most| if most.0 { AtMost::Once } else { AtMost::Never });
        Self { at_least_once: entry.at_least == Some(Binary(true)), at_most }
    }
}

impl From<LawOutcome> for OutcomeKind {
    fn from(outcome: LawOutcome) -> Self {
        match outcome {
            LawOutcome::Completed => Self::Completed,
            LawOutcome::Terminated => Self::Terminated,
            LawOutcome::Failed => Self::Failed,
            LawOutcome::Stuck => Self::Stuck,
        }
    }
}

/// Why a law is invalid, and where.
pub(super) struct LawError {
    pub at: Range<usize>,
    pub reason: String,
}

/// Reads a law. `layer` is the number of its file among those of the configuration, and `folder` the folder of the
/// file.
pub(super) fn law(entry: &Spanned<LawEntry>, layer: usize, folder: &Path) -> Result<Law, LawError> {
    let (at, entry) = (entry.span(), entry.get_ref());
    let error = |at: &Range<usize>, reason: String| Err(LawError { at: at.clone(), reason });
    let placed = |text: &Spanned<String>| placed_one(text, layer);
    let name = entry.name.get_ref();
    if name.trim().is_empty() {
        return error(&entry.name.span(), "empty `name` of a law".to_owned());
    }
    if BuiltInLaw::ALL.iter().any(|law| law.name() == name) {
        return error(&entry.name.span(), format!("law `{name}` is built in; choose another name"));
    }
    if entry.expect.is_none() && entry.before.is_empty() {
        return error(&at, format!("missing key `expect` or `before` in law `{name}`"));
    }
    if let Some(services) = &entry.services {
        if services.get_ref().is_empty() {
            return error(&services.span(), format!("empty `services` of law `{name}`"));
        }
        for pattern in services.get_ref() {
            compile(pattern.get_ref()).map_err(|reason| LawError { at: pattern.span(), reason })?;
        }
    }
    let when = entry.when.as_ref().map(|when| (when.span(), "when", when.get_ref().condition(placed)));
    let expect = entry.expect.as_ref().map(|expect| (expect.span(), "expect", expect.get_ref().condition(placed)));
    for (at, key, condition) in when.iter().chain(&expect) {
        if condition == &LawCondition::default() {
            return error(at, format!("empty `{key}` of law `{name}`"));
        }
    }
    Ok(Law {
        name: placed(&entry.name),
        folder: folder.to_path_buf(),
        services: entry.services.as_ref().map(|services| services.get_ref().iter().map(placed).collect()),
        when: when.map(|(.., condition)| condition),
        expect: expect.map(|(.., condition)| condition),
        before: entry.before.iter().map(|(first, second)| (placed(first), placed(second))).collect(),
    })
}

macro_rules! condition {
    ($entry:expr, $placed:expr) => {{
        let (entry, placed) = ($entry, $placed);
        LawCondition {
            outcome: entry.outcome.map(OutcomeKind::from),
            variables: entry.variables.iter().map(|(name, value)| (placed(name), value.0.clone())).collect(),
            statuses: entry.statuses.clone().map(StatusPatterns::new),
            approvals: entry.approvals.iter().map(|(name, decision)| (placed(name), *decision)).collect(),
            mails: entry.mails.iter().map(|mail| LawMail { to: mail.to.clone(), kind: mail.kind }).collect(),
            failure: entry.failure.clone(),
            calls: entry.calls.iter().map(|(name, calls)| (placed(name), CallBounds::from(*calls))).collect(),
            people_act: false,
            ends: false,
        }
    }};
}

impl WhenEntry {
    fn condition(&self, placed: impl Fn(&Spanned<String>) -> Placed) -> LawCondition {
        LawCondition { people_act: self.people.is_some(), ..condition!(self, placed) }
    }
}

impl ExpectEntry {
    fn condition(&self, placed: impl Fn(&Spanned<String>) -> Placed) -> LawCondition {
        LawCondition { ends: self.ends.is_some(), ..condition!(self, placed) }
    }
}

/// The offset of `elapsed` in a `when` or `expect`, which laws do not support.
pub(super) fn elapsed(text: &str) -> Option<usize> {
    // Most files do not contain the word, and are not parsed again.
    let table = text.contains("elapsed").then(|| DeTable::parse(text).ok())??;
    let DeValue::Array(laws) = value_of(table.get_ref(), "law")? else { return None };
    let conditions = laws.iter().filter_map(|law| law.get_ref().as_table()).flat_map(|law| {
        ["when", "expect"]
            .into_iter()
            .filter_map(|key| if let DeValue::Table(table) = value_of(law, key)? { Some(table) } else { None })
    });
    let mut keys = conditions.flat_map(|condition| condition.iter().map(|(key, _)| key));
    keys.find(|key| key.get_ref().as_ref() == "elapsed").map(|key| key.span().start)
}

fn value_of<'t, 'i>(table: &'t DeTable<'i>, wanted: &str) -> Option<&'t DeValue<'i>> {
    table.iter().find(|(key, _)| key.get_ref().as_ref() == wanted).map(|(_, value)| value.get_ref())
}
