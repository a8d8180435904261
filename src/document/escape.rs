//! Escapes in JSON strings (RFC 8259, section 7).

/// The escape that a raw string begins with: its length in bytes, and the character that it stands for.
/// `None` if the string begins with no valid escape.
pub(super) fn next(raw: &str) -> Option<(usize, char)> {
    let [b'\\', kind, ..] = *raw.as_bytes() else { return None };
    let plain = match char::from(kind) {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'b' => '\u{8}',
        'f' => '\u{c}',
        same @ ('"' | '\\' | '/') => same,
        'u' => return unicode_escape(raw),
        _ => return None,
    };
    Some((2, plain))
}

/// `\uXXXX`, or both halves of a surrogate pair. RFC 8259 (section 8.2) leaves the meaning of a lone
/// surrogate open; it is refused here.
fn unicode_escape(raw: &str) -> Option<(usize, char)> {
    let first = hex_escape(raw)?;
    if let Some(character) = char::from_u32(first) {
        return Some((6, character));
    }
    let second = raw.get(6..).and_then(hex_escape);
    if let (0xD800..0xDC00, Some(second @ 0xDC00..0xE000)) = (first, second) {
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return char::from_u32(code).map(|character| (12, character));
    }
    None
}

/// Whether a raw string begins with half of a surrogate pair.
pub(super) fn is_half(raw: &str) -> bool {
    hex_escape(raw).is_some_and(|code| (0xD800..0xE000).contains(&code))
}

fn hex_escape(raw: &str) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = raw.as_bytes() else { return None };
    digits.first_chunk::<4>()?.iter().try_fold(0, |code, &digit| Some((code << 4) | char::from(digit).to_digit(16)?))
}
