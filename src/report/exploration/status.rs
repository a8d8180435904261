//! Fits a status into a column. Long statuses contain the name of a method, so the longest word is cut.

use crate::report::escape::visible;
use crate::text::{columns, fit};

/// Columns of a word that is cut, at least: names of methods are longer, and words of sentences shorter.
const LONG_WORD: usize = 12;
/// Columns that it keeps at least.
const MIN_WORD: usize = 6;

/// The last published status, escaped, in at most `width` columns.
pub(super) fn shown_status(status: Option<&str>, width: usize) -> String {
    match status {
        None => "(nothing)".to_owned(),
        Some("") => "(empty)".to_owned(),
        Some(text) => shorten(&visible(text), width),
    }
}

fn shorten(text: &str, width: usize) -> String {
    let total = columns(text);
    if total <= width {
        return text.to_owned();
    }
    let is_inside = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    let words = text.split(|character| !is_inside(character));
    // `max_by_key` takes the last of equals.
    let longest = words.rev().max_by_key(|word| columns(word)).unwrap_or_default();
    let room = (width + columns(longest)).saturating_sub(total);
    if room < MIN_WORD || columns(longest) < LONG_WORD {
        return fit(text, width).into_owned();
    }
    text.replacen(longest, &cut_word(longest, room), 1)
}

/// A word in at most `width` columns, cut where a part of it begins with a capital letter if there is one in the second
/// half.
fn cut_word(word: &str, width: usize) -> String {
    let cut = fit(word, width);
    let kept = cut.trim_end_matches('…');
    let mut last = ' ';
    let mut end = kept.len();
    let following = word.get(kept.len()..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
    for (at, character) in kept.char_indices().chain([(kept.len(), following)]) {
        if character.is_uppercase() && last.is_lowercase() && at * 2 >= kept.len() {
            end = at;
        }
        last = character;
    }
    format!("{}…", kept.get(..end).unwrap_or(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_word_is_cut_before_a_capital_letter() {
        let status = "Request-ZPESignDocumentSignature: completed";
        for (width, shown) in [
            (43, status),
            (35, "Request-ZPESignDocument…: completed"),
            (29, "Request-ZPESign…: completed"),
            (27, "Request-ZPESign…: completed"),
            (26, "Request-ZPESig…: completed"),
            (10, "Request-Z…"),
        ] {
            assert_eq!(shown_status(Some(status), width), shown);
        }
        assert_eq!(shown_status(Some("Document status - Finished"), 25), "Document status - Finish…");
    }

    #[test]
    fn any_status_fits() {
        let long = "漢字".repeat(40);
        for text in ["", "one two three four five six seven eight", "x\u{1b}\u{202e}\n y", "ÅÄÖåäö-ÅÄÖåäöÅÄÖ ", &long]
        {
            for width in 8..40 {
                let shown = shown_status(Some(text), width);
                assert!(columns(&shown) <= width, "{shown}");
            }
        }
        assert_eq!(shown_status(None, 9), "(nothing)");
        assert_eq!(shown_status(Some(""), 9), "(empty)");
    }
}
