//! The encodings of modules (`about_Character_Encoding`).

use crate::project::Encoding;

/// The characters of Windows-1252 from 0x80 to 0x9F; the others are those of Latin-1.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}',
    '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}',
    '\u{17e}', '\u{178}',
];

/// The text of a file without the byte-order mark, and a note if it is neither UTF-8 nor UTF-16: Windows PowerShell
/// then reads it in the code page of the system, usually Windows-1252.
pub fn decode(bytes: &[u8]) -> Result<(String, Option<String>), String> {
    match Encoding::of(bytes) {
        Some(encoding @ (Encoding::Utf16Le | Encoding::Utf16Be)) => return Ok((encoding.decode(bytes), None)),
        Some(other) => return Err(format!("encoded in {}; save the file as UTF-8", other.name())),
        None => {}
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok((text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(), None)),
        Err(_) if bytes.contains(&0) => Err("expected text, found binary data".to_owned()),
        Err(error) => {
            let character = |byte: &u8| {
                let of_page = byte.checked_sub(0x80).and_then(|number| WINDOWS_1252.get(usize::from(number)));
                of_page.copied().unwrap_or(char::from(*byte))
            };
            let note = format!("invalid UTF-8 at byte {}, read as Windows-1252", error.valid_up_to());
            Ok((bytes.iter().map(character).collect(), Some(note)))
        }
    }
}
