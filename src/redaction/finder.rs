//! Finds sensitive values in a string.

use std::ops::Range;

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;

/// Bytes from which on a value is found anywhere; shorter ones, which may be part of any word, only
/// between quotes.
const MIN_UNQUOTED_LEN: usize = 8;
/// Longer values are not searched for: they are redacted where they are known to be, and messages
/// quote only their first characters.
pub(super) const MAX_VALUE_LEN: usize = 4096;
/// Bytes of all values together.
pub(super) const MAX_TOTAL_LEN: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Finder(NFA);

impl Finder {
    /// `None` when there is nothing to search for.
    pub fn new(mut values: Vec<String>) -> Option<Self> {
        values.retain(|value| value.len() <= MAX_VALUE_LEN);
        if values.is_empty() {
            return None;
        }
        values.sort_unstable();
        values.dedup();
        NFA::new(values).ok().map(Self)
    }

    /// The places of values in a string, sorted and disjoint; of values that overlap, the place of all of them.
    ///
    /// One step for each byte: a search for disjoint values would start again after each of them, which takes very long
    /// where one value is the beginning of another.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        let is_quote = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\'));
        let bytes = text.as_bytes();
        let Ok(mut state) = self.0.start_state(Anchored::No) else { return Vec::new() };
        let mut places: Vec<Range<usize>> = Vec::new();
        for (end, &byte) in (1..).zip(bytes) {
            state = self.0.next_state(Anchored::No, state, byte);
            if !self.0.is_match(state) {
                continue;
            }
            // The values that end here, the longest first, which contains the others.
            let mut lengths =
                (0..self.0.match_len(state)).map(|index| self.0.pattern_len(self.0.match_pattern(state, index)));
            let is_found = |start: usize| {
                let is_quoted = || {
                    let before = start.checked_sub(1).and_then(|before| bytes.get(before));
                    is_quote(before) && is_quote(bytes.get(end))
                };
                end - start >= MIN_UNQUOTED_LEN || is_quoted()
            };
            let Some(mut start) = lengths.find_map(|length| Some(end - length).filter(|&start| is_found(start))) else {
                continue;
            };
            while let Some(last) = places.pop_if(|last| last.end > start) {
                start = start.min(last.start);
            }
            places.push(start..end);
        }
        places
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

    #[test]
    fn values_that_overlap_or_contain_each_other_are_one_place() {
        assert_eq!(found(&["secret12", "my secret12"], "my secret12, secret12"), ["my secret12", "secret12"]);
        assert_eq!(found(&["abcdefgh", "efghijkl"], "abcdefghijkl abcdefgh"), ["abcdefghijkl", "abcdefgh"]);
        assert_eq!(found(&["b", "ab"], "'ab' 'b'"), ["ab", "b"]);
        assert_eq!(found(&["b", "a'b"], "a'b'"), ["b"], "the longer one is not quoted");
    }
}
