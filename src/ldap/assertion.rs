//! RFC 4517 §4: values as filters give them, and how they are compared.

use memchr::memmem;

use super::{Dn, Guid, dn, preparation};

/// The matching rules (RFC 4517 §4.2, MS-ADTS §3.1.1.3.4.4) that need no schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    IgnoreCase,
    ExactCase,
    Name,
    Integer,
    AllBits,
    AnyBit,
    /// Not known here, or in need of the whole directory, as 1.2.840.113556.1.4.1941 is.
    Unknown,
}

impl Rule {
    pub fn named(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "caseignorematch" | "2.5.13.2" | "caseignoreia5match" | "1.3.6.1.4.1.1466.109.114.2" => Self::IgnoreCase,
            "caseexactmatch" | "2.5.13.5" | "caseexactia5match" | "1.3.6.1.4.1.1466.109.114.1" => Self::ExactCase,
            "distinguishednamematch" | "2.5.13.1" => Self::Name,
            "integermatch" | "2.5.13.14" => Self::Integer,
            "1.2.840.113556.1.4.803" => Self::AllBits,
            "1.2.840.113556.1.4.804" => Self::AnyBit,
            _ => Self::Unknown,
        }
    }
}

/// The value of a filter, prepared once.
#[derive(Debug, Clone)]
pub struct Assertion {
    bytes: Vec<u8>,
    /// Without case; none for bytes that are no text.
    text: Option<String>,
    /// As a distinguished name, if it is one.
    name: Option<Dn>,
}

impl Assertion {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let text = preparation::text(&bytes);
        let name = text.and_then(name);
        Self { text: text.map(preparation::ignoring_case), name, bytes }
    }

    /// Whether a value is equal, by the attribute's own rule as far as that is known here.
    pub(super) fn equals(&self, attribute: &str, value: &[u8]) -> bool {
        match attribute {
            // These are bytes even where they happen to be letters.
            "objectguid" => self.bytes == value || same(Guid::from_value(&self.bytes), Guid::from_value(value)),
            "objectsid" => self.bytes == value,
            "objectcategory" => self.equals_text(value) || self.is_category(value),
            _ => self.equals_text(value),
        }
    }

    fn equals_text(&self, value: &[u8]) -> bool {
        let (Some(text), Some(given)) = (&self.text, preparation::text(value)) else { return self.bytes == value };
        *text == preparation::ignoring_case(given) || self.name.is_some() && self.name == name(given)
    }

    /// Active Directory allows for the name of a class in place of its category's distinguished
    /// name (MS-ADTS §3.1.1.3.1.3.5).
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

    /// By number where both are numbers, else by text without case, else by bytes.
    pub(super) fn compare(&self, value: &[u8]) -> std::cmp::Ordering {
        if let (Some(given), Some(asserted)) = (integer(value), integer(&self.bytes)) {
            return given.cmp(&asserted);
        }
        match (preparation::text(value), &self.text) {
            (Some(given), Some(asserted)) => preparation::ignoring_case(given).as_str().cmp(asserted),
            _ => value.cmp(&self.bytes),
        }
    }

    /// Whether a value matches by a rule; `None` where the rule does not suit the value.
    pub(super) fn matches_rule(&self, rule: Rule, value: &[u8]) -> Option<bool> {
        let bits = || integer(value).zip(integer(&self.bytes));
        match rule {
            Rule::IgnoreCase => {
                preparation::text(value).map(|given| self.text.as_deref() == Some(&preparation::ignoring_case(given)))
            }
            Rule::ExactCase => preparation::text(value)
                .zip(preparation::text(&self.bytes))
                .map(|(given, asserted)| preparation::exact_case(given) == preparation::exact_case(asserted)),
            Rule::Name => {
                preparation::text(value).and_then(name).zip(self.name.as_ref()).map(|(given, name)| given == *name)
            }
            Rule::Integer => bits().map(|(given, asserted)| given == asserted),
            Rule::AllBits => bits().map(|(given, mask)| given & mask == mask),
            Rule::AnyBit => bits().map(|(given, mask)| given & mask != 0),
            Rule::Unknown => None,
        }
    }

    /// Whether the rule has a meaning for this value, whatever it is compared with.
    pub(super) fn suits(&self, rule: Rule) -> bool {
        match rule {
            Rule::IgnoreCase | Rule::ExactCase => self.text.is_some(),
            Rule::Name => self.name.is_some(),
            Rule::Integer | Rule::AllBits | Rule::AnyBit => integer(&self.bytes).is_some(),
            Rule::Unknown => false,
        }
    }
}

/// The parts of a value between `*`.
#[derive(Debug, Clone)]
pub struct Substrings {
    bytes: Parts,
    /// Without case; none if a part is no text.
    text: Option<Parts>,
}

/// Empty parts at the ends match anything; there are none between.
#[derive(Debug, Clone)]
struct Parts {
    first: Vec<u8>,
    between: Vec<Vec<u8>>,
    last: Vec<u8>,
}

impl Substrings {
    /// From two parts or more.
    pub(super) fn new(parts: &[Vec<u8>]) -> Self {
        let last = parts.len().saturating_sub(1);
        let prepared = parts.iter().enumerate().map(|(at, part)| {
            let text = preparation::text(part)?;
            Some(preparation::substring(text, at == 0, at == last).into_bytes())
        });
        let text = prepared.collect::<Option<Vec<_>>>().map(Parts::new);
        Self { bytes: Parts::new(parts.to_vec()), text }
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

    /// Each part where it is found first: if any choice of places works, this one does.
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

/// A text as a distinguished name; the empty name is none here.
fn name(text: &str) -> Option<Dn> {
    Dn::parse(text).filter(|name| !name.key().is_empty())
}

fn same(one: Option<Guid>, other: Option<Guid>) -> bool {
    one.is_some() && one == other
}

fn integer(value: &[u8]) -> Option<i64> {
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}
