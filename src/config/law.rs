//! `[[law]]`: conditions that every order has to meet, which `wflint explore` checks; the format of the entries, and the
//! checks of their values.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use toml::Spanned;

use super::layers::{Invalid, Places};
use super::settings::Placed;
use crate::common::outcomes::{Decision, MailKind, OTHERS_BEFORE, OutcomeKind};

/// A law that is built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BuiltInLaw {
    /// An end can be reached from every state.
    Ends,
    /// A run meets no fault that lint reports, unless a call fails, or a lookup or field is empty by choice.
    NoFault,
    /// Some run takes each activity and branch.
    Reached,
}

impl BuiltInLaw {
    pub const ALL: [Self; 3] = [Self::Ends, Self::NoFault, Self::Reached];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Ends => "ends",
            Self::NoFault => "no-fault",
            Self::Reached => "reached",
        }
    }
}

/// A law of the configuration: runs that meet `when` also meet `expect`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Law {
    pub name: Placed,
    /// The folder of the file that has the law; the patterns are relative to it.
    pub folder: PathBuf,
    /// Patterns of the workflows to which it applies; `None` for all.
    pub services: Option<Vec<Placed>>,
    /// `None` for all runs.
    pub when: Option<LawCondition>,
    pub expect: Option<LawCondition>,
    /// Pairs of activities: the first never begins unless the second has ended.
    pub before: Vec<(Placed, Placed)>,
}

/// What must be true at the end of a run, all together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LawCondition {
    pub outcome: Option<OutcomeKind>,
    /// Final values.
    pub variables: Vec<(Placed, String)>,
    pub statuses: Option<StatusPatterns>,
    /// The last decision of an approval, by the activity's name.
    pub approvals: Vec<(Placed, Decision)>,
    /// Mails that must have been sent; others may be.
    pub mails: Vec<LawMail>,
    /// Part of the message of the failure.
    pub failure: Option<String>,
    /// How often methods are called.
    pub calls: Vec<(Placed, CallBounds)>,
    /// Whether everybody who is asked acts; only in `when`.
    pub people_act: bool,
    /// Whether the order ends; only in `expect`.
    pub ends: bool,
}

/// Published texts, in order. In each, `*` stands for any text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusPatterns {
    /// Others may come first.
    pub others_before: bool,
    pub texts: Vec<String>,
}

impl StatusPatterns {
    fn new(mut texts: Vec<String>) -> Self {
        let others_before = texts.first().is_some_and(|first| first == OTHERS_BEFORE);
        if others_before {
            texts.remove(0);
        }
        Self { others_before, texts }
    }
}

/// A mail; `None` matches anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawMail {
    pub to: Option<String>,
    pub kind: Option<MailKind>,
}

/// How often a method is called. Only "never", "once" and "more often" are distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CallBounds {
    pub at_least_once: bool,
    pub at_most: Option<AtMost>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AtMost {
    Never,
    Once,
}

impl CallBounds {
    /// Whether a number of calls is within the bounds; 2 stands for any larger number.
    pub const fn contain(self, calls: u8) -> bool {
        let is_enough = !self.at_least_once || calls > 0;
        let is_too_many = match self.at_most {
            None => false,
            Some(AtMost::Never) => calls > 0,
            Some(AtMost::Once) => calls > 1,
        };
        is_enough && !is_too_many
    }
}

/// An entry as it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct LawEntry {
    name: Spanned<String>,
    pub services: Option<Spanned<Vec<Spanned<String>>>>,
    when: Option<Spanned<ConditionEntry>>,
    expect: Option<Spanned<ConditionEntry>>,
    #[serde(default, deserialize_with = "not_empty_table")]
    before: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// `when` or `expect`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct ConditionEntry {
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
    calls: BTreeMap<Spanned<String>, CallBounds>,
    /// Only in `when`.
    people: Option<Spanned<People>>,
    /// Only in `expect`.
    ends: Option<Spanned<True>>,
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

/// The long form of a number of calls, `{ at-least = 1 }`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct CallsTable {
    #[serde(default, deserialize_with = "optional_bound")]
    at_least: Option<bool>,
    #[serde(default, deserialize_with = "optional_bound")]
    at_most: Option<bool>,
}

fn optional_bound<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    is_one(i64::deserialize(deserializer)?).map(Some)
}

/// Whether a number of calls is 1; 0 is the only other one.
fn is_one<E: Error>(number: i64) -> Result<bool, E> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(E::custom(format!("expected 0 or 1 calls, found {number}: a law does not count further"))),
    }
}

impl CallBounds {
    const fn new(at_least: bool, at_most: Option<bool>) -> Self {
        let at_most = match at_most {
            None => None,
            Some(true) => Some(AtMost::Once),
            Some(false) => Some(AtMost::Never),
        };
        Self { at_least_once: at_least, at_most }
    }
}

impl<'de> Deserialize<'de> for CallBounds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = CallBounds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("0, 1 or a table with `at-least` or `at-most`")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
                let is_one = is_one(number)?;
                Ok(CallBounds::new(is_one, Some(is_one)))
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
                let CallsTable { at_least, at_most } = CallsTable::deserialize(MapAccessDeserializer::new(table))?;
                if at_least.is_none() && at_most.is_none() {
                    return Err(A::Error::custom("missing key `at-least` or `at-most`"));
                }
                if at_least == Some(true) && at_most == Some(false) {
                    return Err(A::Error::custom("`at-most` is less than `at-least`"));
                }
                Ok(CallBounds::new(at_least == Some(true), at_most))
            }
        }
        deserializer.deserialize_any(Either)
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

/// Reads a law.
pub(super) fn law(entry: &Spanned<LawEntry>, places: Places<'_>) -> Result<Law, Invalid> {
    let LawEntry { name, services, when, expect, before } = entry.get_ref();
    let written = name.get_ref();
    if written.trim().is_empty() {
        return Err(Invalid::new(name, "empty `name` of a law"));
    }
    if BuiltInLaw::ALL.iter().any(|law| law.name() == written) {
        return Err(Invalid::new(name, format!("law `{written}` is built in; choose another name")));
    }
    if expect.is_none() && before.is_empty() {
        return Err(Invalid::new(entry, format!("missing key `expect` or `before` in law `{written}`")));
    }
    if let Some(services) = services.as_ref().filter(|services| services.get_ref().is_empty()) {
        return Err(Invalid::new(services, format!("empty `services` of law `{written}`")));
    }
    if let Some(ends) = when.as_ref().and_then(|when| when.get_ref().ends.as_ref()) {
        return Err(Invalid::new(ends, format!("`ends` in `when` of law `{written}`; it belongs in `expect`")));
    }
    if let Some(people) = expect.as_ref().and_then(|expect| expect.get_ref().people.as_ref()) {
        return Err(Invalid::new(people, format!("`people` in `expect` of law `{written}`; it belongs in `when`")));
    }
    let condition = |key: &str, entry: &Option<Spanned<ConditionEntry>>| {
        let Some(entry) = entry else { return Ok(None) };
        let condition = entry.get_ref().condition(places);
        if condition == LawCondition::default() {
            return Err(Invalid::new(entry, format!("empty `{key}` of law `{written}`")));
        }
        Ok(Some(condition))
    };
    Ok(Law {
        name: places.placed(name),
        folder: places.folder_of(entry).to_path_buf(),
        services: services.as_ref().map(|services| places.all_placed(services.get_ref())),
        when: condition("when", when)?,
        expect: condition("expect", expect)?,
        before: before.iter().map(|(first, second)| (places.placed(first), places.placed(second))).collect(),
    })
}

impl ConditionEntry {
    fn condition(&self, places: Places<'_>) -> LawCondition {
        LawCondition {
            outcome: self.outcome.map(OutcomeKind::from),
            variables: self.variables.iter().map(|(name, value)| (places.placed(name), value.0.clone())).collect(),
            statuses: self.statuses.clone().map(StatusPatterns::new),
            approvals: self.approvals.iter().map(|(name, decision)| (places.placed(name), *decision)).collect(),
            mails: self.mails.iter().map(|mail| LawMail { to: mail.to.clone(), kind: mail.kind }).collect(),
            failure: self.failure.clone(),
            calls: self.calls.iter().map(|(name, calls)| (places.placed(name), *calls)).collect(),
            people_act: self.people.is_some(),
            ends: self.ends.is_some(),
        }
    }
}
