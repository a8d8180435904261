//! Encodings of JSON that RFC 8259 does not allow, and that tools write nevertheless: PowerShell's `>`
//! writes UTF-16.

/// An encoding of Unicode whose code units have more than one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
}

impl Encoding {
    pub const ALL: [Self; 4] = [Self::Utf16Le, Self::Utf16Be, Self::Utf32Le, Self::Utf32Be];

    /// By the byte-order mark; without one by the zero bytes of the first two characters, which are ASCII in
    /// every JSON text (RFC 4627, section 3).
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xfe, 0, 0, ..] => Some(Self::Utf32Le),
            [0, 0, 0xfe, 0xff, ..] => Some(Self::Utf32Be),
            [0xff, 0xfe, ..] => Some(Self::Utf16Le),
            [0xfe, 0xff, ..] => Some(Self::Utf16Be),
            [first, 0, 0, 0, ..] if *first != 0 => Some(Self::Utf32Le),
            [0, 0, 0, last, ..] if *last != 0 => Some(Self::Utf32Be),
            [first, 0] | [first, 0, _] if *first != 0 => Some(Self::Utf16Le),
            [0, first] | [0, first, _] if *first != 0 => Some(Self::Utf16Be),
            [first, 0, second, 0, ..] if *first != 0 && *second != 0 => Some(Self::Utf16Le),
            [0, first, 0, second, ..] if *first != 0 && *second != 0 => Some(Self::Utf16Be),
            _ => None,
        }
    }

    /// The name of the encoding, as `iconv` has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Utf32Le => "UTF-32LE",
            Self::Utf32Be => "UTF-32BE",
        }
    }

    /// The name of the encoding in PowerShell's `-Encoding`.
    pub const fn power_shell_name(self) -> &'static str {
        match self {
            Self::Utf16Le => "unicode",
            Self::Utf16Be => "bigendianunicode",
            Self::Utf32Le => "utf32",
            Self::Utf32Be => "bigendianutf32",
        }
    }

    /// An ASCII text in this encoding.
    pub fn encode(self, ascii: &str) -> Vec<u8> {
        let unit = |byte: u8| match self {
            Self::Utf16Le => u16::from(byte).to_le_bytes().to_vec(),
            Self::Utf16Be => u16::from(byte).to_be_bytes().to_vec(),
            Self::Utf32Le => u32::from(byte).to_le_bytes().to_vec(),
            Self::Utf32Be => u32::from(byte).to_be_bytes().to_vec(),
        };
        ascii.bytes().flat_map(unit).collect()
    }

    /// The text of a file, for excerpts: invalid characters are replaced, and the byte-order mark is
    /// left out.
    pub fn decode(self, bytes: &[u8]) -> String {
        let text: String = match self {
            Self::Utf16Le | Self::Utf16Be => {
                let units = bytes.as_chunks::<2>().0.iter().map(|&pair| match self {
                    Self::Utf16Le => u16::from_le_bytes(pair),
                    _ => u16::from_be_bytes(pair),
                });
                char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
            }
            Self::Utf32Le | Self::Utf32Be => {
                let units = bytes.as_chunks::<4>().0.iter().map(|&unit| match self {
                    Self::Utf32Le => u32::from_le_bytes(unit),
                    _ => u32::from_be_bytes(unit),
                });
                units.map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
            }
        };
        text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_is_found_with_and_without_byte_order_mark() {
        for encoding in Encoding::ALL {
            let plain = encoding.encode("{ }");
            let mark = match encoding {
                Encoding::Utf16Le => &[0xff, 0xfe][..],
                Encoding::Utf16Be => &[0xfe, 0xff],
                Encoding::Utf32Le => &[0xff, 0xfe, 0, 0],
                Encoding::Utf32Be => &[0, 0, 0xfe, 0xff],
            };
            for bytes in [plain.clone(), [mark, &plain].concat()] {
                assert_eq!(Encoding::of(&bytes), Some(encoding), "{bytes:?}");
                assert_eq!(encoding.decode(&bytes), "{ }");
            }
        }
    }

    #[test]
    fn utf8_is_none_of_them() {
        for bytes in [
            &b""[..],
            b"{",
            b"{}",
            b"\xef\xbb\xbf{}",
            b"\0",
            b"\0\0\0\0",
            b"{ \0",
            b"\xff",
            b"\xfe",
            b"\0{ }",
            b"{\0 }",
        ] {
            assert_eq!(Encoding::of(bytes), None, "{bytes:?}");
        }
    }
}
