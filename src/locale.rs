//! Locale codes: language tags (BCP 47).

use oxilangtag::LanguageTag;

/// Letters that a registered language has at most; the grammar keeps longer ones for the future (RFC
/// 5646, section 2.2.1), so that `English` is well formed, yet names no language.
const LONGEST_LANGUAGE: usize = 3;

/// Whether a text is a language tag of BCP 47, such as `en-US`; `en_US` is none.
pub fn is_tag(text: &str) -> bool {
    LanguageTag::parse(text).is_ok_and(|tag| {
        let language = tag.primary_language();
        // `i-klingon` and `x-own` are languages of one piece.
        language.len() <= LONGEST_LANGUAGE || language.contains('-')
    })
}

#[cfg(test)]
mod tests {
    use super::is_tag;

    #[test]
    fn tags_and_what_is_taken_for_one() {
        for tag in ["sv", "en-US", "EN-us", "zh-Hant-TW", "sr-Latn", "es-419", "de-CH-1996", "i-klingon", "x-own"] {
            assert!(is_tag(tag), "{tag}");
        }
        for wrong in ["", "en_US", "English", "swedish", "e", "en-", "en US", "sv-SE.UTF-8", "1033", "ä"] {
            assert!(!is_tag(wrong), "{wrong}");
        }
    }
}
