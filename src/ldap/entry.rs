//! One entry of a directory, and its GUID.

use std::fmt;
use std::sync::Arc;

use super::Dn;
use super::attribute::Description;
use super::preparation;
use crate::text::quote;

/// A description and one value. Descriptions are shared, because most entries of a file have the same ones.
pub(super) type Attribute = (Arc<Description>, Vec<u8>);

/// A distinguished name and its attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    dn: Dn,
    dn_text: String,
    /// Sorted by description; the values of an attribute in the order of the file.
    attributes: Vec<Attribute>,
}

impl Entry {
    /// An entry from its distinguished name (RFC 4514) and the values of its attributes (RFC 4512 §2.5).
    pub fn new(dn_text: &str, attributes: Vec<(String, Vec<String>)>) -> Result<Self, String> {
        let dn = Dn::parse(dn_text).ok_or_else(|| format!("invalid distinguished name {}", quote(dn_text)))?;
        let mut described = Vec::new();
        for (name, values) in attributes {
            let description = Description::parse(&name).ok_or_else(|| format!("invalid attribute {}", quote(&name)))?;
            let description = Arc::new(description);
            described.extend(values.into_iter().map(|value| (Arc::clone(&description), value.into_bytes())));
        }
        Ok(Self::from_parts(dn, dn_text.to_owned(), described))
    }

    pub(super) fn from_parts(dn: Dn, dn_text: String, mut attributes: Vec<Attribute>) -> Self {
        attributes.sort_by(|(one, _), (other, _)| one.cmp(other));
        attributes.shrink_to_fit();
        Self { dn, dn_text, attributes }
    }

    /// The distinguished name, for comparison.
    pub fn dn(&self) -> &Dn {
        &self.dn
    }

    /// The distinguished name as written.
    pub fn dn_text(&self) -> &str {
        &self.dn_text
    }

    /// The values of an attribute in the order of the file; case does not matter.
    ///
    /// `cn` includes the values of `cn;lang-en`, after its own (RFC 4512 §2.5.2). `distinguishedName`, `entryDN`
    /// and `dn` are the name of the entry.
    pub fn values<'e>(&'e self, name: &str) -> impl Iterator<Item = &'e [u8]> + use<'e> {
        let values = Description::parse(name).map(|description| self.described(&description).collect::<Vec<_>>());
        values.into_iter().flatten()
    }

    /// As [`Self::values`].
    pub(super) fn described<'e>(&'e self, description: &Description) -> impl Iterator<Item = &'e [u8]> {
        let own = description.is_own_name().then_some(self.dn_text.as_bytes());
        let wanted = &description.attribute;
        let start = self.attributes.partition_point(|(given, _)| given.attribute < *wanted);
        let from = self.attributes.iter().skip(start).filter(move |_| own.is_none());
        let values = from.take_while(|(given, _)| given.attribute == *wanted);
        own.into_iter().chain(values.filter(|(given, _)| description.covers(given)).map(|(_, value)| value.as_slice()))
    }

    /// All values, each with its attribute type in lower case.
    pub(super) fn all_values(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.attributes.iter().map(|(description, value)| (description.attribute.as_str(), value.as_slice()))
    }

    /// The first value of an attribute; `None` if there is none or it is not UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values(name).next().and_then(|value| std::str::from_utf8(value).ok())
    }

    /// The value of `objectGUID`, otherwise of `entryUUID` (RFC 4530).
    pub fn guid(&self) -> Option<Guid> {
        ["objectGUID", "entryUUID"].into_iter().find_map(|name| self.values(name).find_map(Guid::from_value))
    }

    /// The values of an attribute joined by `;`, as provider methods return them; `None` if the entry has none.
    /// Case does not matter: `DisplayName` is `displayName`.
    ///
    /// `objectGUID` is formatted as text; other binary values are in base64.
    pub fn joined(&self, property: &str) -> Option<String> {
        if property.eq_ignore_ascii_case("objectGUID")
            && let Some(guid) = self.guid()
        {
            return Some(guid.to_string());
        }
        let values: Vec<String> = self
            .values(property)
            .map(|value| match preparation::text(value) {
                Some(text) => text.to_owned(),
                None => data_encoding::BASE64.encode(value),
            })
            .collect();
        (!values.is_empty()).then(|| values.join(";"))
    }
}

/// The value of `objectGUID` or `entryUUID`, displayed as `00112233-4455-6677-8899-aabbccddeeff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(u128);

impl Guid {
    /// Parses the text form of RFC 4122 §3, with or without braces, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        let text = match text.strip_prefix('{') {
            Some(inner) => inner.strip_suffix('}')?,
            None => text,
        };
        let is_dash = |at: usize| matches!(at, 8 | 13 | 18 | 23);
        let is_right = |(at, byte): (usize, u8)| if is_dash(at) { byte == b'-' } else { byte.is_ascii_hexdigit() };
        let is_guid = text.len() == 36 && text.bytes().enumerate().all(is_right);
        u128::from_str_radix(&text.replace('-', ""), 16).ok().filter(|_| is_guid).map(Self)
    }

    /// Reads an attribute value: the text form, or 16 bytes as Active Directory stores them, with the first
    /// three groups in little-endian order (MS-DTYP §2.3.4.2).
    pub fn from_value(value: &[u8]) -> Option<Self> {
        let Ok(mut bytes) = <[u8; 16]>::try_from(value) else {
            return Self::parse(std::str::from_utf8(value).ok()?.trim());
        };
        let [first, second, third] = [0..4, 4..6, 6..8];
        for group in [first, second, third] {
            bytes.get_mut(group)?.reverse();
        }
        Some(Self(u128::from_be_bytes(bytes)))
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = |shift: u32, bits: u32| (self.0 >> shift) & ((1 << bits) - 1);
        let (low, middle, high) = (group(96, 32), group(80, 16), group(64, 16));
        write!(f, "{low:08x}-{middle:04x}-{high:04x}-{:04x}-{:012x}", group(48, 16), group(0, 48))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(attributes: &[(&str, &[&str])]) -> Entry {
        let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        let attributes = attributes.iter().map(|(name, values)| ((*name).to_owned(), owned(values))).collect();
        Entry::new("CN=Anna,DC=x", attributes).unwrap()
    }

    #[test]
    fn attributes_are_found_ignoring_case_and_with_options() {
        let anna = entry(&[("cn;lang-sv", &["C"]), ("CN", &["A", "B"]), ("cnx", &["no"]), ("mail", &[])]);
        let values: Vec<&[u8]> = anna.values("cN").collect();
        assert_eq!(values, [b"A", b"B", b"C"]);
        assert_eq!(anna.text("cn;lang-sv"), Some("C"));
        assert_eq!(anna.text("2.5.4.3"), Some("A"));
        assert_eq!(anna.text("c"), None);
        assert_eq!(anna.text("no name"), None);
    }

    #[test]
    fn properties_join_the_values_of_attributes() {
        let anna = entry(&[
            ("displayName", &["Anna"]),
            ("proxyAddresses", &["b", "a"]),
            ("objectGUID", &["{00112233-4455-6677-8899-AABBCCDDEEFF}"]),
        ]);
        assert_eq!(anna.joined("DisplayName").as_deref(), Some("Anna"));
        assert_eq!(anna.joined("ProxyAddresses").as_deref(), Some("b;a"));
        assert_eq!(anna.joined("DistinguishedName").as_deref(), Some("CN=Anna,DC=x"));
        assert_eq!(anna.joined("ObjectGuid").as_deref(), Some("00112233-4455-6677-8899-aabbccddeeff"));
        assert_eq!(anna.joined("Mail"), None);
        let photo = Description::parse("jpegPhoto").unwrap();
        let anna = Entry::from_parts(anna.dn, anna.dn_text, vec![(Arc::new(photo), vec![0xff, 0xd8])]);
        assert_eq!(anna.joined("jpegphoto").as_deref(), Some("/9g="));
    }

    #[test]
    fn invalid_names_are_errors() {
        assert_eq!(Entry::new("Anna", vec![]), Err("invalid distinguished name `Anna`".to_owned()));
        let attributes = vec![("e mail".to_owned(), vec![])];
        assert_eq!(Entry::new("CN=Anna", attributes), Err("invalid attribute `e mail`".to_owned()));
    }

    const TEXT: &str = "00112233-4455-6677-8899-aabbccddeeff";

    #[test]
    fn bytes_of_active_directory_have_the_first_groups_reversed() {
        let bytes = b"\x33\x22\x11\x00\x55\x44\x77\x66\x88\x99\xaa\xbb\xcc\xdd\xee\xff";
        assert_eq!(Guid::from_value(bytes).unwrap().to_string(), TEXT);
        assert_eq!(Guid::from_value(TEXT.as_bytes()), Guid::from_value(bytes));
    }

    #[test]
    fn braces_and_case_do_not_matter_in_the_text_form() {
        let braced = format!("{{{}}}", TEXT.to_uppercase());
        assert_eq!(Guid::parse(&braced), Guid::parse(TEXT));
        assert_eq!(Guid::parse(TEXT).unwrap().to_string(), TEXT);
        for wrong in
            ["", "{", &TEXT.replace('-', ""), TEXT.trim_start_matches("00"), &format!("{TEXT}-"), &format!("{{{TEXT}")]
        {
            assert_eq!(Guid::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Guid::parse(&TEXT.replacen('0', "+", 1)), None);
    }
}
