//! Finds the part of a script that a part of the JSON that it builds most likely comes from.
//!
//! A heuristic on the text of the script: only what occurs once in it is taken for the origin.

use std::ops::Range;

use crate::document::{Document, NodeId};

/// The likely origin of a value of the built JSON: the string literal that equals it, if the script has
/// exactly one; otherwise the innermost key around the value that occurs exactly once.
pub fn of_value(script: &str, built: &Document, value: NodeId) -> Option<Range<usize>> {
    let literal = built.string(value).filter(|text| !text.is_empty()).and_then(|text| only_literal(script, text));
    literal.or_else(|| of_member(script, built, value))
}

/// The likely origin of a key, given the node of its value.
pub fn of_member(script: &str, built: &Document, value: NodeId) -> Option<Range<usize>> {
    let path = std::iter::successors(Some(value), |&node| built.parent(node));
    path.filter_map(|node| built.key(node)).find_map(|name| only_word(script, name))
}

/// The range of the only string literal with this content, with its quotation marks.
fn only_literal(script: &str, text: &str) -> Option<Range<usize>> {
    let quote_at = |at: Option<usize>| script.as_bytes().get(at?).copied().filter(|byte| b"'\"`".contains(byte));
    let content = only(script, text, |range| {
        let before = quote_at(range.start.checked_sub(1));
        before.is_some() && before == quote_at(Some(range.end))
    })?;
    Some(content.start - 1..content.end + 1)
}

/// The range of the only occurrence of a whole word.
fn only_word(script: &str, word: &str) -> Option<Range<usize>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    only(script, word, |range| {
        let before = script.get(..range.start).and_then(|before| before.chars().next_back());
        let after = script.get(range.end..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The range of the only occurrence of a string for which `fits` holds.
fn only(script: &str, text: &str, fits: impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
    let ranges = script.match_indices(text).map(|(start, found)| start..start + found.len());
    let mut ranges = ranges.filter(|range| !range.is_empty() && fits(range));
    ranges.next().filter(|_| ranges.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    const SCRIPT: &str = "var first = { Name: RequesterName, MobilePhone: RequesterMobile };\n\
        Json = JSON.stringify({ Name: DocumentName, Parties: [first, { Name: ManagerName, EmailAddress: Mail }],\n\
        'AllowedSignatureTypes': ['SMS'], Culture: \"en_US\" });";
    const BUILT: &str = r#"{"Name": "Contract", "Parties": [{"Name": "Anna", "MobilePhone": ""},
        {"Name": "Bo", "EmailAddress": "bo@example.com"}], "AllowedSignatureTypes": ["SMS"], "Culture": "en_US"}"#;

    fn found(pointer: &str) -> Option<&str> {
        let built = Document::parse(BUILT, Limits::default()).unwrap();
        of_value(SCRIPT, &built, built.resolve(pointer).unwrap()).and_then(|range| SCRIPT.get(range))
    }

    #[test]
    fn unique_literal_is_the_origin() {
        assert_eq!(found("/Culture"), Some("\"en_US\""));
        assert_eq!(found("/AllowedSignatureTypes/0"), Some("'SMS'"));
    }

    #[test]
    fn otherwise_the_innermost_unique_key_is_the_origin() {
        assert_eq!(found("/Parties/0/MobilePhone"), Some("MobilePhone"));
        assert_eq!(found("/Parties/1/EmailAddress"), Some("EmailAddress"));
        // `Name` occurs three times, and a party is an element without a key.
        assert_eq!(found("/Parties/1/Name"), Some("Parties"));
        assert_eq!(found("/Parties/1"), Some("Parties"));
    }

    #[test]
    fn parts_of_words_and_the_root_have_no_origin() {
        assert_eq!(found("/Name"), None);
        assert_eq!(found(""), None);
        assert_eq!(only_word("Names: $Name, Name_", "Name"), None);
        assert_eq!(only_word("é.Name", "Name"), Some(3..7));
        assert_eq!(only_literal("'a' + \"a'", "a"), Some(0..3));
    }

    #[test]
    fn key_originates_from_its_name() {
        let built = Document::parse(BUILT, Limits::default()).unwrap();
        let culture = built.resolve("/Culture").unwrap();
        assert_eq!(of_member(SCRIPT, &built, culture).and_then(|range| SCRIPT.get(range)), Some("Culture"));
    }
}
