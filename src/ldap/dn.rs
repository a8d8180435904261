//! RFC 4514: distinguished names.

use std::sync::Arc;

use super::attribute;
use super::preparation;

/// A distinguished name, normalized for comparison.
///
/// Case, the order within a multi-valued RDN, the kind of escapes, and spaces around `,`, `=` and `+` do not
/// matter (RFC 2253 §4 allows the spaces), nor do object identifiers instead of the names of RFC 4514 §3.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dn {
    key: Arc<str>,
}

impl Dn {
    /// Parses a name. The empty string is the name of the root.
    ///
    /// `;` as a separator, quoted values and unescaped `"`, `<`, `>` are invalid (RFC 4514 §2.4).
    pub fn parse(text: &str) -> Option<Self> {
        let key_of = |rdn: Vec<Component>| {
            let mut parts: Vec<String> = rdn.iter().map(Component::key).collect();
            parts.sort();
            parts.join("+")
        };
        let key = components(text)?.into_iter().map(key_of).collect::<Vec<String>>().join(",");
        Some(Self { key: key.into() })
    }

    /// A string that is equal exactly for equal names; not for display.
    pub fn key(&self) -> &str {
        &self.key
    }

    pub(super) fn shared_key(&self) -> Arc<str> {
        Arc::clone(&self.key)
    }
}

/// An attribute type and value in a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Component {
    /// The attribute type, as [`attribute::attribute_type`] gives it.
    pub attribute: String,
    /// The value without escapes.
    pub value: Vec<u8>,
}

impl Component {
    fn key(&self) -> String {
        let mut key = format!("{}=", self.attribute);
        match preparation::text(&self.value) {
            Some(text) => add_escaped(&preparation::ignoring_case(text), &mut key),
            None => {
                key.push('#');
                key.push_str(&data_encoding::HEXLOWER.encode(&self.value));
            }
        }
        key
    }
}

/// Appends a value with escapes for what would make the keys of different names equal.
fn add_escaped(value: &str, key: &mut String) {
    for (at, character) in value.char_indices() {
        if matches!(character, ',' | '+' | '\\') || at == 0 && character == '#' {
            key.push('\\');
        }
        key.push(character);
    }
}

/// The RDNs of a name, each with its attributes; `None` for an invalid name.
pub(super) fn components(text: &str) -> Option<Vec<Vec<Component>>> {
    let mut rdns = Vec::new();
    let mut rdn = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    if rest.is_empty() {
        return Some(rdns);
    }
    loop {
        let (name, after) = rest.split_once('=')?;
        let ParsedValue { bytes: value, separator, rest: after } = value(after)?;
        rdn.push(Component { attribute: attribute_type(name)?, value });
        rest = after;
        if separator != Some('+') {
            rdns.push(std::mem::take(&mut rdn));
        }
        if separator.is_none() {
            return Some(rdns);
        }
    }
}

/// The attribute type before `=`; `OID.` may stand before a number (RFC 2253 §4).
fn attribute_type(name: &str) -> Option<String> {
    let name = name.trim_matches(is_space);
    let number = name.get(..4).filter(|prefix| prefix.eq_ignore_ascii_case("oid.")).and_then(|_| name.get(4..));
    attribute::attribute_type(number.unwrap_or(name))
}

/// A value, and what comes after it.
struct ParsedValue<'t> {
    bytes: Vec<u8>,
    /// `,` or `+`; `None` at the end of the name.
    separator: Option<char>,
    /// The text after the separator.
    rest: &'t str,
}

/// Reads the value at the beginning of a string.
fn value(text: &str) -> Option<ParsedValue<'_>> {
    let text = text.trim_start_matches(is_space);
    if let Some(digits) = text.strip_prefix('#') {
        return hexadecimal(digits);
    }
    let mut value = Vec::new();
    // The length without trailing spaces; escaped spaces are part of the value.
    let mut length = 0;
    let mut characters = text.chars();
    let separator = loop {
        let Some(character) = characters.next() else { break None };
        match character {
            ',' | '+' => break Some(character),
            '"' | ';' | '<' | '>' | '\0' => return None,
            '\\' => value.push(unescape(&mut characters)?),
            _ => value.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        if !is_space(character) {
            length = value.len();
        }
    };
    value.truncate(length);
    Some(ParsedValue { bytes: value, separator, rest: characters.as_str() })
}

/// The byte that an escape stands for, after its `\` (§3, `pair`).
fn unescape(characters: &mut std::str::Chars<'_>) -> Option<u8> {
    let first = characters.next()?;
    if matches!(first, '"' | '+' | ',' | ';' | '<' | '>' | '\\' | ' ' | '#' | '=') {
        return u8::try_from(first).ok();
    }
    let byte = first.to_digit(16)? * 16 + characters.next()?.to_digit(16)?;
    u8::try_from(byte).ok()
}

/// A value that is given as `#` and the hexadecimal digits of its BER encoding (§2.4).
fn hexadecimal(text: &str) -> Option<ParsedValue<'_>> {
    let (digits, rest) = text.split_at_checked(text.find([',', '+']).unwrap_or(text.len()))?;
    let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(digits.trim_end_matches(is_space).as_bytes()).ok()?;
    let mut rest = rest.chars();
    let separator = rest.next();
    (!bytes.is_empty()).then_some(ParsedValue { bytes, separator, rest: rest.as_str() })
}

/// The characters that are allowed around separators.
const fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\r' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(text: &str) -> String {
        Dn::parse(text).unwrap_or_else(|| panic!("{text} is a name")).key().to_owned()
    }

    fn same(one: &str, other: &str) {
        assert_eq!(key(one), key(other));
    }

    #[test]
    fn equivalent_names_are_equal() {
        same("CN=Anna Berg,DC=example", "cn = anna  BERG , dc=Example");
        same("CN=Berg\\, Anna,DC=x", "CN=Berg\\2C Anna,DC=x");
        same("CN=B+OU=A,DC=x", "OU=a + CN=b,DC=x");
        same("2.5.4.3=Anna,0.9.2342.19200300.100.1.25=x", "cn=Anna,OID.0.9.2342.19200300.100.1.25=x");
        same("CN=Lu\\C4\\8Di\\C4\\87", "cn=LUČIĆ");
        same("CN=#0C0141", "cn=#0c0141");
        same("CN=\\ a\\ ", "CN=a");
        same("CN=a=b", "CN=a\\=b");
        same("", " ");
    }

    #[test]
    fn different_names_have_different_keys() {
        for (one, other) in [
            ("CN=a,CN=b", "CN=b,CN=a"),
            ("CN=a,CN=b", "CN=a\\,CN\\=b"),
            ("CN=a+CN=b", "CN=a\\+CN\\=b"),
            ("CN=\\#ff", "CN=#ff"),
            ("CN=a\\\\", "CN=a"),
            ("CN=a b", "CN=ab"),
            ("CN=a", "OU=a"),
        ] {
            assert_ne!(key(one), key(other), "{one} {other}");
        }
    }

    #[test]
    fn invalid_names_are_refused() {
        for wrong in
            ["CN", "anna", "=a", "CN=a,", "CN=a,,DC=b", "CN=a;DC=b", "CN=\"a\"", "CN=a\\", "CN=\\x", "CN=\\C", "CN=#"]
        {
            assert_eq!(Dn::parse(wrong), None, "{wrong}");
        }
        for wrong in ["CN=#C", "CN=#0g", "C N=a", "CN=<a>", "oid.=x", "CN=a\0"] {
            assert_eq!(Dn::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC*", near in "(CN|ou|[0-9.]|[=,+ #\\\\;]|[0-9a-f]{2}|é){0,20}") {
            let _ = Dn::parse(&text);
            let _ = Dn::parse(&near);
        }

        #[test]
        fn any_value_can_be_escaped(value in "[^\\x00-\\x1f]{1,12}") {
            let escaped: String = value.bytes().map(|byte| format!("\\{byte:02x}")).collect();
            let parsed = components(&format!("cn={escaped},dc=x")).unwrap();
            prop_assert_eq!(&parsed[0][0].value, value.as_bytes());
        }
    }
}
