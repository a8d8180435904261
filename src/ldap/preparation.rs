//! RFC 4518: preparation of strings for comparison.
//!
//! Without the normalization to NFKC (§2.3), which needs large tables.

/// What white space between words becomes (§2.6.1): two spaces, so that one can match at the end of a part of
/// a substring filter and one at the beginning of the next: `(cn=a * b)` matches `a b`.
const BETWEEN_WORDS: &str = "  ";

/// A value as a string; `None` if it is binary: not UTF-8, or with control characters. Binary values are
/// compared byte for byte.
pub fn text(value: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(value).ok()?;
    let is_text = !text.chars().any(|c| c.is_control() && !c.is_whitespace());
    is_text.then_some(text)
}

/// Prepares a string for `caseIgnoreMatch`: lower case, without insignificant white space.
pub fn ignoring_case(text: &str) -> String {
    prepare(text, true)
}

/// Prepares a string for `caseExactMatch`: without insignificant white space.
pub fn exact_case(text: &str) -> String {
    prepare(text, false)
}

/// Prepares a part of a substring filter, ignoring case. White space at its ends becomes one space, except at
/// the ends of the whole value, where it is insignificant.
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
    if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return if without_case { text.to_ascii_lowercase() } else { text.to_owned() };
    }
    let mut prepared = String::with_capacity(text.len());
    let mut after_space = false;
    for character in text.chars() {
        if character.is_whitespace() {
            after_space = true;
        } else if !is_invisible(character) {
            if after_space && !prepared.is_empty() {
                prepared.push_str(BETWEEN_WORDS);
            }
            after_space = false;
            if without_case { fold(character, &mut prepared) } else { prepared.push(character) }
        }
    }
    prepared
}

/// Appends a character in lower case. Character by character, because `str::to_lowercase` depends on the
/// position in the word (final sigma).
fn fold(character: char, folded: &mut String) {
    match character {
        'ς' => folded.push('σ'),
        'ß' | 'ẞ' => folded.push_str("ss"),
        _ if character.is_ascii() => folded.push(character.to_ascii_lowercase()),
        _ => folded.extend(character.to_lowercase()),
    }
}

/// Characters that are mapped to nothing (§2.2), except control characters.
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
    fn case_and_insignificant_white_space_are_removed() {
        assert_eq!(ignoring_case("  Anna   von\tBerg "), ignoring_case("anna von berg"));
        assert_ne!(ignoring_case("annavon berg"), ignoring_case("anna von berg"));
        assert_eq!(ignoring_case("STRASSE ΟΔΟΣ"), ignoring_case("Straße οδος"));
        assert_eq!(ignoring_case("\u{200e}Anna"), "anna");
        assert_eq!(exact_case(" A  b"), "A  b");
        assert_eq!(ignoring_case(" \t "), "");
    }

    #[test]
    fn white_space_at_the_ends_of_substring_parts_is_kept() {
        assert_eq!(substring(" a ", true, false), "a ");
        assert_eq!(substring("  a  ", false, false), " a ");
        assert_eq!(substring(" a ", false, true), " a");
        assert_eq!(substring("   ", false, false), " ");
        assert_eq!(substring("   ", true, false), "");
    }

    #[test]
    fn binary_values_are_not_text() {
        assert_eq!(text("é\n".as_bytes()), Some("é\n"));
        assert_eq!(text(b"\x01abc"), None);
        assert_eq!(text(b"\xff"), None);
    }
}
