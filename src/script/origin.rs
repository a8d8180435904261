//! Where in a script a part of the JSON that it builds most likely comes from.

use std::ops::Range;

use crate::document::{Document, NodeId};

/// The best place known in a script for a value of the JSON text that it made: the value's own text where
/// the script has that once as a literal, else the innermost of the member names around the value that the
/// script has once. `None` when there is none of these.
pub fn of_value(script: &str, built: &Document, value: NodeId) -> Option<Range<usize>> {
    let literal = built.string(value).filter(|text| !text.is_empty()).and_then(|text| only_literal(script, text));
    literal.or_else(|| of_member(script, built, value))
}

/// As [`of_value`], for the name of a member, by its value.
pub fn of_member(script: &str, built: &Document, value: NodeId) -> Option<Range<usize>> {
    let path = std::iter::successors(Some(value), |&node| built.parent(node));
    path.filter_map(|node| built.key(node)).find_map(|name| only_word(script, name))
}

/// The place of a text between quotes, if the script has it once.
fn only_literal(script: &str, text: &str) -> Option<Range<usize>> {
    let quote_at = |at: Option<usize>| script.as_bytes().get(at?).copied().filter(|byte| b"'\"`".contains(byte));
    only(script, text, |range| {
        let before = quote_at(range.start.checked_sub(1));
        before.is_some() && before == quote_at(Some(range.end))
    })
}

/// The place of a word, if the script has it once.
fn only_word(script: &str, word: &str) -> Option<Range<usize>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    only(script, word, |range| {
        let before = script.get(..range.start).and_then(|before| before.chars().next_back());
        let after = script.get(range.end..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The only place of a text where it fits.
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
    fn a_literal_that_the_script_has_once_is_the_place() {
        assert_eq!(found("/Culture"), Some("en_US"));
        assert_eq!(found("/AllowedSignatureTypes/0"), Some("SMS"));
    }

    #[test]
    fn else_the_innermost_name_that_it_has_once() {
        assert_eq!(found("/Parties/0/MobilePhone"), Some("MobilePhone"));
        assert_eq!(found("/Parties/1/EmailAddress"), Some("EmailAddress"));
        // `Name` stands there three times, and a party has no name of its own.
        assert_eq!(found("/Parties/1/Name"), Some("Parties"));
        assert_eq!(found("/Parties/1"), Some("Parties"));
    }

    #[test]
    fn a_word_is_whole_and_the_whole_case_has_none() {
        assert_eq!(found("/Name"), None);
        assert_eq!(found(""), None);
        assert_eq!(only_word("Names: $Name, Name_", "Name"), None);
        assert_eq!(only_word("é.Name", "Name"), Some(3..7));
        assert_eq!(only_literal("'a' + \"a'", "a"), Some(1..2));
    }

    #[test]
    fn the_name_of_a_member_is_looked_for_as_a_name() {
        let built = Document::parse(BUILT, Limits::default()).unwrap();
        let culture = built.resolve("/Culture").unwrap();
        assert_eq!(of_member(SCRIPT, &built, culture).and_then(|range| SCRIPT.get(range)), Some("Culture"));
    }
}
