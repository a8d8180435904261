//! The codes and names of rules of the user's own, which are the stems of their files.

/// Letters of a code: at least 2, at most 8. Three digits follow.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=8;
const DIGITS: usize = 3;

/// The code and the name of a rule in the stem of its file.
pub fn code_and_name(stem: &str) -> Option<(&str, &str)> {
    let (code, name) = stem.split_once('-')?;
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    };
    let is_code = letters(code).is_some_and(|letters| letters != "WF");
    (is_code && name.split('-').all(is_word)).then_some((code, name))
}

/// The letters of a code, which are the group of the rule; `None` for what is not the code of a rule.
pub fn letters(code: &str) -> Option<&str> {
    let (letters, digits) = code.split_at_checked(code.len().checked_sub(DIGITS)?)?;
    let is_code = LETTERS.contains(&letters.len())
        && letters.bytes().all(|letter| letter.is_ascii_uppercase())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_code.then_some(letters)
}

/// Whether a selector selects the rule with this code: the code or its beginning, with all of its letters.
pub fn is_selected_by_code(code: &str, selector: &str) -> bool {
    letters(code).is_some_and(|letters| selector.starts_with(letters)) && code.starts_with(selector)
}

/// Whether a selector may be the code of a rule of the user's own, or its beginning with a digit.
pub fn may_be_own(selector: &str) -> bool {
    let digits = selector.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let letters = selector.len() - digits.len();
    let is_code = (1..=DIGITS).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_code && LETTERS.contains(&letters) && !matches!(selector.get(..letters), Some("WF" | "ALL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_a_code_and_a_name() {
        for (stem, wanted) in [
            ("ORG101-approvals-end", Some(("ORG101", "approvals-end"))),
            ("AB000-x", Some(("AB000", "x"))),
            ("WFX101-x2", Some(("WFX101", "x2"))),
            ("ABCDEFGH123-a", Some(("ABCDEFGH123", "a"))),
            ("WF101-x", None),
            ("A101-x", None),
            ("ABCDEFGHI101-x", None),
            ("ORG10-x", None),
            ("ORG1010-x", None),
            ("org101-x", None),
            ("ORG101", None),
            ("ORG101-", None),
            ("ORG101-X", None),
            ("ORG101-a--b", None),
            ("ÄÖ101-x", None),
            ("names", None),
        ] {
            assert_eq!(code_and_name(stem), wanted, "{stem}");
        }
    }

    #[test]
    fn selectors_begin_with_all_letters_of_a_code() {
        for selector in ["ORG", "ORG1", "ORG10", "ORG101"] {
            assert!(is_selected_by_code("ORG101", selector), "{selector}");
        }
        for selector in ["", "O", "OR", "ORG2", "ORG1011", "WF"] {
            assert!(!is_selected_by_code("ORG101", selector), "{selector}");
        }
        assert!(!is_selected_by_code("WFX101", "WF"));
        assert!(["ORG1", "ORG101", "WFX1"].into_iter().all(may_be_own));
        assert!(!["", "O", "ORG", "WF", "WF1", "ALL", "ORG1011", "ORG101x", "org"].into_iter().any(may_be_own));
    }
}
