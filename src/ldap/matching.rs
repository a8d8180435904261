//! RFC 4517 §4: assertion values of filters, and how they match attribute values.

use memchr::memmem;

use super::preparation;
use super::{Dn, Guid, dn};

/// The matching rules that need no schema (RFC 4517 §4.2, MS-ADTS §3.1.1.3.4.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchingRule {
    IgnoreCase,
    ExactCase,
    Name,
    Integer,
    AllBits,
    AnyBit,
    /// A name is reached by following an attribute of names from entry to entry.
    InChain,
    Unknown,
}

impl MatchingRule {
    pub fn named(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "caseignorematch" | "2.5.13.2" | "caseignoreia5match" | "1.3.6.1.4.1.1466.109.114.2" => Self::IgnoreCase,
            "caseexactmatch" | "2.5.13.5" | "caseexactia5match" | "1.3.6.1.4.1.1466.109.114.1" => Self::ExactCase,
            "distinguishednamematch" | "2.5.13.1" => Self::Name,
            "integermatch" | "2.5.13.14" => Self::Integer,
            "1.2.840.113556.1.4.803" => Self::AllBits,
            "1.2.840.113556.1.4.804" => Self::AnyBit,
            "1.2.840.113556.1.4.1941" => Self::InChain,
            _ => Self::Unknown,
        }
    }

    /// What a value must be; `None` for an unknown rule.
    pub(super) const fn expected(self) -> Option<&'static str> {
        match self {
            Self::IgnoreCase | Self::ExactCase => Some("text"),
            Self::Name | Self::InChain => Some("a distinguished name"),
            Self::Integer | Self::AllBits | Self::AnyBit => Some("a whole number"),
            Self::Unknown => None,
        }
    }
}

/// The value of a filter, prepared for comparison once.
#[derive(Debug, Clone)]
pub struct Assertion {
    bytes: Vec<u8>,
    /// Prepared ignoring case; `None` for binary values.
    text: Option<String>,
    /// The distinguished name, if the value is one.
    name: Option<Dn>,
}

impl Assertion {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let text = preparation::text(&bytes);
        let name = text.and_then(name);
        Self { text: text.map(preparation::ignoring_case), name, bytes }
    }

    /// The value as a distinguished name.
    pub(super) const fn name(&self) -> Option<&Dn> {
        self.name.as_ref()
    }

    /// The value as text.
    pub(super) fn example(&self) -> Option<String> {
        String::from_utf8(self.bytes.clone()).ok()
    }

    /// Whether a value is equal, by the equality rule of the attribute if it is a special one.
    pub(super) fn equals(&self, attribute: &str, value: &[u8]) -> bool {
        match attribute {
            // Binary, even if the bytes happen to be letters.
            "objectguid" => {
                let guid = Guid::from_value(&self.bytes);
                self.bytes == value || guid.is_some() && guid == Guid::from_value(value)
            }
            "objectsid" => self.bytes == value,
            "objectcategory" => self.equals_text(value) || self.is_category(value),
            _ => self.equals_text(value),
        }
    }

    fn equals_text(&self, value: &[u8]) -> bool {
        let (Some(text), Some(given)) = (&self.text, preparation::text(value)) else { return self.bytes == value };
        *text == preparation::ignoring_case(given) || self.name.is_some() && self.name == name(given)
    }

    /// Active Directory accepts the name of a class instead of the distinguished name of its category
    /// (MS-ADTS §3.1.1.3.1.3.5).
    fn is_category(&self, value: &[u8]) -> bool {
        let category = match self.text.as_deref() {
            Some("user" | "contact" | "inetorgperson") => "person",
            Some("organizationalunit") => "organizational-unit",
            Some(class) => class,
            None => return false,
        };
        let rdns = preparation::text(value).and_then(dn::components).unwrap_or_default();
        let common_name = rdns.first().and_then(|rdn| rdn.first());
        common_name.is_some_and(|part| part.value.eq_ignore_ascii_case(category.as_bytes()))
    }

    /// The order of `value` relative to the assertion: of numbers if both are, otherwise of strings ignoring
    /// case, otherwise of bytes.
    pub(super) fn compare(&self, value: &[u8]) -> std::cmp::Ordering {
        if let (Some(given), Some(asserted)) = (integer(value), integer(&self.bytes)) {
            return given.cmp(&asserted);
        }
        match (preparation::text(value), &self.text) {
            (Some(given), Some(asserted)) => preparation::ignoring_case(given).as_str().cmp(asserted),
            _ => value.cmp(&self.bytes),
        }
    }

    /// Whether a value matches by a rule; `None` if the rule does not apply to the value.
    pub(super) fn matches_rule(&self, rule: MatchingRule, value: &[u8]) -> Option<bool> {
        let bits = || integer(value).zip(integer(&self.bytes));
        match rule {
            MatchingRule::IgnoreCase => {
                preparation::text(value).map(|given| self.text.as_deref() == Some(&preparation::ignoring_case(given)))
            }
            MatchingRule::ExactCase => preparation::text(value)
                .zip(preparation::text(&self.bytes))
                .map(|(given, asserted)| preparation::exact_case(given) == preparation::exact_case(asserted)),
            MatchingRule::Name => {
                preparation::text(value).and_then(name).zip(self.name.as_ref()).map(|(given, name)| given == *name)
            }
            MatchingRule::Integer => bits().map(|(given, asserted)| given == asserted),
            MatchingRule::AllBits => bits().map(|(given, mask)| given & mask == mask),
            MatchingRule::AnyBit => bits().map(|(given, mask)| given & mask != 0),
            MatchingRule::InChain | MatchingRule::Unknown => None,
        }
    }

    /// Whether a rule applies to this assertion value.
    pub(super) fn is_valid_for(&self, rule: MatchingRule) -> bool {
        match rule {
            MatchingRule::IgnoreCase | MatchingRule::ExactCase => self.text.is_some(),
            MatchingRule::Name | MatchingRule::InChain => self.name.is_some(),
            MatchingRule::Integer | MatchingRule::AllBits | MatchingRule::AnyBit => integer(&self.bytes).is_some(),
            MatchingRule::Unknown => false,
        }
    }
}

/// The parts of an assertion value between `*`.
#[derive(Debug, Clone)]
pub struct Substrings {
    bytes: Parts,
    /// Prepared ignoring case; `None` if a part is binary.
    text: Option<Parts>,
}

/// An empty `first` or `last` matches anything; `between` has no empty parts.
#[derive(Debug, Clone)]
struct Parts {
    first: Vec<u8>,
    between: Vec<Vec<u8>>,
    last: Vec<u8>,
}

impl Substrings {
    /// `parts` has at least two parts.
    pub(super) fn new(parts: &[Vec<u8>]) -> Self {
        let last = parts.len().saturating_sub(1);
        let prepared = parts.iter().enumerate().map(|(at, part)| {
            let text = preparation::text(part)?;
            Some(preparation::substring(text, at == 0, at == last).into_bytes())
        });
        let text = prepared.collect::<Option<Vec<_>>>().map(Parts::new);
        Self { bytes: Parts::new(parts.to_vec()), text }
    }

    /// A text with all parts.
    pub(super) fn example(&self) -> Option<String> {
        let Parts { first, between, last } = &self.bytes;
        let parts = std::iter::once(first).chain(between).chain([last]);
        String::from_utf8(parts.flatten().copied().collect()).ok()
    }

    pub(super) fn matches(&self, value: &[u8]) -> bool {
        match (&self.text, preparation::text(value)) {
            (Some(parts), Some(text)) => parts.matches(preparation::ignoring_case(text).as_bytes()),
            _ => self.bytes.matches(value),
        }
    }
}

impl Parts {
    fn new(mut parts: Vec<Vec<u8>>) -> Self {
        let last = parts.pop().unwrap_or_default();
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        Self { first, between: parts.filter(|part| !part.is_empty()).collect(), last }
    }

    /// Greedy: each part is matched at its first occurrence. If any choice of occurrences matches, this one
    /// does, because it leaves the longest rest for the following parts.
    fn matches(&self, value: &[u8]) -> bool {
        let Some(mut rest) = value.strip_prefix(self.first.as_slice()) else { return false };
        for part in &self.between {
            let after = memmem::find(rest, part).and_then(|at| rest.get(at + part.len()..));
            let Some(after) = after else { return false };
            rest = after;
        }
        rest.ends_with(&self.last)
    }
}

/// The distinguished name that a string is; `None` also for the empty name.
pub(super) fn name(text: &str) -> Option<Dn> {
    Dn::parse(text).filter(|name| !name.key().is_empty())
}

fn integer(value: &[u8]) -> Option<i64> {
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}
