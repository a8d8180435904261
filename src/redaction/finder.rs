//! Finds sensitive values in a string.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Bytes from which on a value is found anywhere; shorter ones, which may be part of any word, only
/// between quotes.
const MIN_UNQUOTED_LEN: usize = 8;
/// Longer values are not searched for: they are redacted where they are known to be, and messages
/// quote only their first characters.
pub(super) const MAX_VALUE_LEN: usize = 4096;
/// Bytes of all values together.
pub(super) const MAX_TOTAL_LEN: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Finder(AhoCorasick);

impl Finder {
    /// `None` when there is nothing to search for.
    pub fn new(mut values: Vec<String>) -> Option<Self> {
        values.retain(|value| value.len() <= MAX_VALUE_LEN);
        if values.is_empty() {
            return None;
        }
        let kind = Some(AhoCorasickKind::ContiguousNFA);
        AhoCorasick::builder().kind(kind).match_kind(MatchKind::LeftmostLongest).build(values).ok().map(Self)
    }

    /// The places of values in a string, sorted and disjoint.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        let is_quote = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\'));
        let bytes = text.as_bytes();
        let found = self.0.find_iter(text).filter(|found| {
            let is_quoted =
                || found.start() > 0 && is_quote(bytes.get(found.start() - 1)) && is_quote(bytes.get(found.end()));
            found.len() >= MIN_UNQUOTED_LEN || is_quoted()
        });
        found.map(|found| found.range()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str], text: &str) -> Vec<String> {
        let finder = Finder::new(values.iter().map(|&value| value.to_owned()).collect()).unwrap();
        finder.find(text).into_iter().map(|part| text.get(part).unwrap().to_owned()).collect()
    }

    #[test]
    fn a_long_value_is_found_anywhere_and_a_short_one_between_quotes() {
        assert_eq!(found(&["hunter2"], "a 'hunter2', hunter2 and xhunter2x"), ["hunter2"]);
        assert_eq!(found(&["19811228-9874"], "for 19811228-9874!"), ["19811228-9874"]);
        assert_eq!(found(&["true"], r#"{ "required": true, "value": "true" }"#), ["true"]);
    }
}
