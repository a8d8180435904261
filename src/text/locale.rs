//! Locale codes (BCP 47 language tags).

use oxilangtag::LanguageTag;

/// Registered languages have at most three letters. The grammar reserves longer ones (RFC 5646, section
/// 2.2.1), so `English` is well-formed, but not a language.
const MAX_LANGUAGE_LETTERS: usize = 3;

/// Whether a string is a language tag such as `en-US`; `en_US` is not.
pub fn is_tag(text: &str) -> bool {
    is_language_and_region(text)
        || LanguageTag::parse(text).is_ok_and(|tag| {
            let language = tag.primary_language();
            // Grandfathered and private tags (`i-klingon`, `x-own`) are returned whole.
            language.len() <= MAX_LANGUAGE_LETTERS || language.contains('-')
        })
}

/// The language tag that a string plainly means: without blanks around it, and `en-US` for `en_US`.
pub fn meant(text: &str) -> Option<String> {
    let tag = text.trim().replace('_', "-");
    (tag != text && is_tag(&tag)).then_some(tag)
}

/// Whether it is two letters, `-` and two letters, as nearly all tags are, which needs no parser.
fn is_language_and_region(text: &str) -> bool {
    matches!(text.as_bytes(), [a, b, b'-', c, d] if [a, b, c, d].iter().all(|letter| letter.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::{is_tag, meant};

    #[test]
    fn only_language_tags_are_valid() {
        for tag in ["sv", "en-US", "EN-us", "zh-Hant-TW", "sr-Latn", "es-419", "de-CH-1996", "i-klingon", "x-own"] {
            assert!(is_tag(tag), "{tag}");
        }
        for wrong in ["", "en_US", "English", "swedish", "e", "en-", "en US", "sv-SE.UTF-8", "1033", "ä"] {
            assert!(!is_tag(wrong), "{wrong}");
        }
    }

    #[test]
    fn tags_with_underscores_or_blanks_are_understood() {
        assert_eq!(meant(" en_US").as_deref(), Some("en-US"));
        assert_eq!((meant("en-US"), meant("English_US"), meant("_")), (None, None, None));
    }
}
