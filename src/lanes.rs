//! Looks at sixteen bytes at once.

use wide::u8x16;

const LANES: usize = 16;

/// The offset of the first byte from `at` on that is not white space (RFC 8259, section 2), or the length of the text.
#[inline]
pub fn skip_white_space(bytes: &[u8], at: usize) -> usize {
    let others = |lanes| !(is(lanes, b' ') | is(lanes, b'\n') | is(lanes, b'\r') | is(lanes, b'\t'));
    find(bytes, at, others, |byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'))
}

/// The offset of the first quote, backslash or control character from `at` on, or the length of the text.
#[inline]
pub fn find_stop(bytes: &[u8], at: usize) -> usize {
    let is_control = |lanes: u8x16| lanes.min(u8x16::splat(0x1f)).simd_eq(lanes);
    let stops = |lanes| is(lanes, b'"') | is(lanes, b'\\') | is_control(lanes);
    find(bytes, at, stops, |byte| byte == b'"' || byte == b'\\' || byte < b' ')
}

/// Calls a function with the offset of each line feed and carriage return.
pub fn each_line_end(bytes: &[u8], mut each: impl FnMut(usize)) {
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    for (number, block) in blocks.iter().enumerate() {
        let lanes = u8x16::new(*block);
        let mut found = (is(lanes, b'\n') | is(lanes, b'\r')).to_bitmask();
        while found != 0 {
            each(number * LANES + found.trailing_zeros() as usize);
            // Without its lowest bit.
            found &= found - 1;
        }
    }
    let start = bytes.len() - rest.len();
    (start..).zip(rest).filter(|(_, byte)| matches!(byte, b'\n' | b'\r')).for_each(|(at, _)| each(at));
}

#[inline]
fn is(lanes: u8x16, byte: u8) -> u8x16 {
    lanes.simd_eq(u8x16::splat(byte))
}

/// The offset of the first byte from `at` on that is wanted, by the same test of sixteen bytes and of one.
#[inline]
fn find(bytes: &[u8], mut at: usize, wanted: impl Fn(u8x16) -> u8x16, is_wanted: impl Fn(u8) -> bool) -> usize {
    while let Some(lanes) = bytes.get(at..).and_then(<[u8]>::first_chunk::<LANES>) {
        let found = wanted(u8x16::new(*lanes)).to_bitmask();
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += LANES;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| is_wanted(*byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stop_is_found() {
        let text = "äöü ~ \u{7f} \u{80}[]{}";
        for length in 0..40 {
            let before = text.chars().cycle().take(length).collect::<String>();
            for stop in ["\"", "\\", "\n", "\0", "\u{1f}"] {
                let whole = format!("{before}{stop}\"{text}");
                assert_eq!(find_stop(whole.as_bytes(), 0), before.len(), "{whole:?}");
            }
            assert_eq!(find_stop(before.as_bytes(), 0), before.len());
        }
    }

    #[test]
    fn every_line_end_is_found() {
        for length in 0..40 {
            let text = "ä\n.\r\n".chars().cycle().take(length).collect::<String>();
            let mut found = Vec::new();
            each_line_end(text.as_bytes(), |at| found.push(at));
            let expected: Vec<usize> = text.match_indices(['\n', '\r']).map(|(at, _)| at).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn white_space_is_skipped() {
        for length in 0..40 {
            let spaces = "\n\r\t  ".chars().cycle().take(length).collect::<String>();
            assert_eq!(skip_white_space(spaces.as_bytes(), 0), length);
            for stop in ["\u{b}", "\u{c}", "\0", "\u{85}", "a"] {
                assert_eq!(skip_white_space(format!("{spaces}{stop}{spaces}").as_bytes(), 0), length, "{stop:?}");
            }
        }
    }
}
