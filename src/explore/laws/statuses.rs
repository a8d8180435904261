//! Matches published texts with the patterns of a law, text by text.

use crate::config::StatusPatterns;

/// The states of the nondeterministic automaton of the patterns, in increasing order: each is a number of leading
/// patterns that the last texts match.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Progress(Vec<u32>);

impl Progress {
    /// Before any text.
    pub fn start() -> Self {
        Self(vec![0])
    }

    /// After one more text.
    pub fn advance(&mut self, patterns: &StatusPatterns, text: &str) {
        let matched = |&position: &u32| {
            let pattern = patterns.texts.get(position as usize)?;
            is_match(pattern, text).then_some(position + 1)
        };
        let later = self.0.iter().filter_map(matched);
        self.0 = if patterns.others_before { [0].into_iter().chain(later).collect() } else { later.collect() };
    }

    /// Whether the texts so far are those of the patterns.
    pub fn is_complete(&self, patterns: &StatusPatterns) -> bool {
        self.0.last().is_some_and(|last| *last as usize == patterns.texts.len())
    }

    pub fn write(&self, key: &mut Vec<u8>) {
        key.extend(u32::try_from(self.0.len()).unwrap_or(u32::MAX).to_le_bytes());
        for position in &self.0 {
            key.extend(position.to_le_bytes());
        }
    }
}

/// Whether a string matches a pattern, in which `*` stands for any characters.
fn is_match(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let (parts, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    // Leftmost matches leave the most text for the remaining parts.
    for part in parts.split('*').filter(|part| !part.is_empty()) {
        let Some((_, after)) = text.split_once(part) else { return false };
        text = after;
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asterisks_stand_for_any_text() {
        for (pattern, text, wanted) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("", "", true),
            ("*", "", true),
            ("*", "a*b", true),
            ("**", "a", true),
            ("a*", "ba", false),
            ("a*", "a", true),
            ("*a", "ba", true),
            ("*a", "ab", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*rejected*", "The contract was rejected.", true),
            ("*rejected*", "Rejected", false),
            ("a*b*c", "a c b c", true),
            ("a*b*c", "a c b", false),
            ("*aab*", "aaab", true),
            ("*é*", "é", true),
        ] {
            assert_eq!(is_match(pattern, text), wanted, "{pattern} {text}");
        }
    }

    fn is_complete(others_before: bool, patterns: &[&str], texts: &[&str]) -> bool {
        let texts_of = patterns.iter().map(|&text| text.to_owned()).collect();
        let patterns = StatusPatterns { others_before, texts: texts_of };
        let mut progress = Progress::start();
        for text in texts {
            progress.advance(&patterns, text);
        }
        progress.is_complete(&patterns)
    }

    #[test]
    fn all_texts_match_in_order_or_the_last_ones() {
        for (others_before, patterns, texts, wanted) in [
            (false, &["a", "b"][..], &["a", "b"][..], true),
            (false, &["a", "b"], &["a"], false),
            (false, &["a", "b"], &["a", "b", "b"], false),
            (false, &["a", "b"], &["x", "a", "b"], false),
            (false, &[], &[], true),
            (false, &[], &["a"], false),
            (true, &["a", "b"], &["x", "a", "b"], true),
            (true, &["a", "b"], &["a", "b"], true),
            (true, &["a", "b"], &["a", "b", "x"], false),
            (true, &["a", "b"], &["b"], false),
            (true, &["a", "a", "b"], &["a", "a", "a", "b"], true),
            (true, &["*", "b"], &["x", "b", "b"], true),
            (true, &[], &["a"], true),
        ] {
            assert_eq!(is_complete(others_before, patterns, texts), wanted, "{others_before} {patterns:?} {texts:?}");
        }
    }
}
