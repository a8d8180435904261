//! RFC 4512 §1.4 and §2.5: attribute descriptions, which are an attribute type and options.

/// The attribute types of RFC 4514 §3, by object identifier.
const OBJECT_IDENTIFIERS: [(&str, &str); 9] = [
    ("2.5.4.3", "cn"),
    ("2.5.4.7", "l"),
    ("2.5.4.8", "st"),
    ("2.5.4.10", "o"),
    ("2.5.4.11", "ou"),
    ("2.5.4.6", "c"),
    ("2.5.4.9", "street"),
    ("0.9.2342.19200300.100.1.25", "dc"),
    ("0.9.2342.19200300.100.1.1", "uid"),
];

/// An attribute type with options, such as `cn;lang-en`; normalized, so that equivalent descriptions are
/// equal. In the order of descriptions, one without options comes before those of the same type with some.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Description {
    /// The attribute type in lower case; a known object identifier is replaced by its name.
    pub attribute: String,
    /// In lower case, sorted, without duplicates.
    options: Vec<String>,
}

impl Description {
    /// Parses a description (§2.5). A range of values, with which Active Directory gives the many values of an
    /// attribute in parts (MS-ADTS §3.1.1.3.1.3.3), is left out: `member;range=0-1499` is `member`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';');
        let attribute = attribute_type(parts.next()?)?;
        let mut options = Vec::new();
        for option in parts.filter(|option| !is_range(option)) {
            let is_option = !option.is_empty() && option.bytes().all(is_key_character);
            options.push(is_option.then(|| option.to_ascii_lowercase())?);
        }
        options.sort();
        options.dedup();
        Some(Self { attribute, options })
    }

    /// Whether the other description is the same or a subtype, with all options of this one and perhaps more
    /// (§2.5.2), so that its values are values of this one too.
    pub fn covers(&self, other: &Self) -> bool {
        self.attribute == other.attribute
            && self.options.iter().all(|option| other.options.binary_search(option).is_ok())
    }

    /// As [`Self::parse`] takes it.
    pub fn name(&self) -> String {
        std::iter::once(&self.attribute).chain(&self.options).map(String::as_str).collect::<Vec<_>>().join(";")
    }

    /// Whether it is the distinguished name of the entry, which is not among its attributes.
    pub fn is_own_name(&self) -> bool {
        matches!(self.attribute.as_str(), "dn" | "distinguishedname" | "entrydn")
    }
}

/// An attribute type in lower case, with a known object identifier replaced by its name; `None` if it is
/// invalid.
pub fn attribute_type(text: &str) -> Option<String> {
    if !is_object_identifier(text) {
        return None;
    }
    let known = OBJECT_IDENTIFIERS.iter().find(|(number, _)| *number == text);
    Some(known.map_or_else(|| text.to_ascii_lowercase(), |(_, name)| (*name).to_owned()))
}

/// Whether a string is an `oid` (§1.4): a name, or numbers separated by dots.
pub fn is_object_identifier(text: &str) -> bool {
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return text.bytes().all(is_key_character);
    }
    let is_number = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) && (part == "0" || !part.starts_with('0'))
    };
    text.contains('.') && text.split('.').all(is_number)
}

/// `range=0-1499`, the last with `*`.
fn is_range(option: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (name, bounds) = option.split_once('=').unwrap_or((option, ""));
    let (low, high) = bounds.split_once('-').unwrap_or_default();
    name.eq_ignore_ascii_case("range") && is_number(low) && (high == "*" || is_number(high))
}

/// The number of the first value that a description gives: 1500 for `member;range=1500-*`, 0 without a range.
pub(super) fn first_value(description: &str) -> u64 {
    let range = description.split(';').find(|option| is_range(option));
    let low = range.and_then(|range| range.split(['=', '-']).nth(1));
    low.map_or(0, |low| low.parse().unwrap_or(u64::MAX))
}

const fn is_key_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_object_identifiers_are_attribute_types() {
        assert_eq!(attribute_type("sAMAccountName").as_deref(), Some("samaccountname"));
        assert_eq!(attribute_type("2.5.4.3").as_deref(), Some("cn"));
        assert_eq!(attribute_type("1.2.840.113556.1.4.221").as_deref(), Some("1.2.840.113556.1.4.221"));
        for wrong in ["", "1", "1.", ".1", "1.02", "1a", "a b", "a_b", "-a", "é", "cn;lang-en"] {
            assert_eq!(attribute_type(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn description_covers_those_with_more_options() {
        let description = |text| Description::parse(text).unwrap();
        assert_eq!(description("CN;lang-EN;x-a"), description("cn;x-a;lang-en"));
        assert!(description("cn").covers(&description("cn;lang-en")));
        assert!(description("cn;lang-en").covers(&description("cn;binary;lang-en")));
        assert!(!description("cn;lang-en").covers(&description("cn")));
        assert!(!description("cn").covers(&description("sn")));
        assert_eq!(description("member;Range=1500-*"), description("member"));
        for (text, first) in [("member;Range=1500-*", 1500), ("member", 0), ("member;x;range=7-9", 7)] {
            assert_eq!(first_value(text), first, "{text}");
        }
        for wrong in ["", ";", "cn;", "cn;;a", "cn;a b", "cn;range=0", "cn;range=a-9"] {
            assert_eq!(Description::parse(wrong), None, "{wrong}");
        }
    }
}
