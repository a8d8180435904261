//! RFC 4518: what is left of a text when it is prepared for comparison.
//!
//! Left out: the normalization to NFKC (§2.3), for which tables would be needed.

/// What a blank between words becomes (§2.6.1). It is two, so that one can match at the end of one
/// part of a substring filter and one at the beginning of the next: `(cn=a * b)` finds `a b`.
const BETWEEN_WORDS: &str = "  ";

/// A value as text; `None` for bytes that are no UTF-8, or that hold control characters, as a
/// number or a key in bytes does. Such values are compared byte for byte.
pub fn text(value: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(value).ok()?;
    let is_text = !text.chars().any(|c| c.is_control() && !c.is_whitespace());
    is_text.then_some(text)
}

/// A text for `caseIgnoreMatch`: without case, and without blanks that mean nothing.
pub fn ignoring_case(text: &str) -> String {
    prepare(text, true)
}

/// A text for `caseExactMatch`: without blanks that mean nothing.
pub fn exact_case(text: &str) -> String {
    prepare(text, false)
}

/// A part of a substring filter, without case. Blanks at its ends count as one, but not those at
/// the ends of the whole value.
pub fn substring(text: &str, is_first: bool, is_last: bool) -> String {
    let words = ignoring_case(text);
    let leading = text.starts_with(char::is_whitespace) && !is_first;
    if words.is_empty() {
        return if leading && !is_last { " ".to_owned() } else { String::new() };
    }
    let trailing = text.ends_with(char::is_whitespace) && !is_last;
    format!("{}{words}{}", if leading { " " } else { "" }, if trailing { " " } else { "" })
}

fn prepare(text: &str, without_case: bool) -> String {
    let mut prepared = String::with_capacity(text.len());
    let mut blank = false;
    for character in text.chars() {
        if character.is_whitespace() {
            blank = true;
        } else if !is_invisible(character) {
            if blank && !prepared.is_empty() {
                prepared.push_str(BETWEEN_WORDS);
            }
            blank = false;
            if without_case { fold(character, &mut prepared) } else { prepared.push(character) }
        }
    }
    prepared
}

/// Lower case, a character at a time, so that its place in the word changes nothing.
fn fold(character: char, folded: &mut String) {
    match character {
        'ς' => folded.push('σ'),
        'ß' | 'ẞ' => folded.push_str("ss"),
        _ if character.is_ascii() => folded.push(character.to_ascii_lowercase()),
        _ => folded.extend(character.to_lowercase()),
    }
}

/// Characters that are mapped to nothing (§2.2), other than controls.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{6dd}' | '\u{70f}' | '\u{1806}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2063}' | '\u{206a}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffc}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_blanks_that_mean_nothing_are_lost() {
        assert_eq!(ignoring_case("  Anna   von\tBerg "), ignoring_case("anna von berg"));
        assert_ne!(ignoring_case("annavon berg"), ignoring_case("anna von berg"));
        assert_eq!(ignoring_case("STRASSE ΟΔΟΣ"), ignoring_case("Straße οδος"));
        assert_eq!(ignoring_case("\u{200e}Anna"), "anna");
        assert_eq!(exact_case(" A  b"), "A  b");
        assert_eq!(ignoring_case(" \t "), "");
    }

    #[test]
    fn blanks_within_a_part_of_a_substring_filter_count() {
        assert_eq!(substring(" a ", true, false), "a ");
        assert_eq!(substring("  a  ", false, false), " a ");
        assert_eq!(substring(" a ", false, true), " a");
        assert_eq!(substring("   ", false, false), " ");
        assert_eq!(substring("   ", true, false), "");
    }

    #[test]
    fn bytes_and_controls_are_no_text() {
        assert_eq!(text("é\n".as_bytes()), Some("é\n"));
        assert_eq!(text(b"\x01abc"), None);
        assert_eq!(text(b"\xff"), None);
    }
}
