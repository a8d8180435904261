//! GUIDs of entries.

use std::fmt;

/// The value of `objectGUID` or `entryUUID`, displayed as `00112233-4455-6677-8899-aabbccddeeff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(u128);

impl Guid {
    /// Parses the text form of RFC 4122 §3, with or without braces, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
        let text = match text.strip_prefix('{') {
            Some(inner) => inner.strip_suffix('}')?,
            None => text,
        };
        let mut groups = text.split('-');
        let mut digits = String::new();
        for length in GROUPS {
            let group = groups.next()?;
            let is_group = group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit());
            digits.push_str(is_group.then_some(group)?);
        }
        let guid = u128::from_str_radix(&digits, 16).ok().map(Self)?;
        groups.next().is_none().then_some(guid)
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
