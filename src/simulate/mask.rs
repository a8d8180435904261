//! Hiding the values of masked variables in everything that a run shows.

use std::borrow::Cow;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::model::Variable;

/// Values shorter than this are hidden where the variable is shown, but not looked for in other
/// texts: they would be found everywhere.
const MIN_LENGTH: usize = 4;
/// Characters of values that are looked for; past them, nothing is shown at all.
const MAX_VALUES_LENGTH: usize = 1 << 20;
/// Characters that are marked in one text; past them, nothing of it is shown.
const MAX_MARKS: usize = 1 << 24;
/// How often a value may have been escaped: JSON in JSON.
const MAX_ESCAPES: usize = 2;
/// What stands for a hidden character.
const HIDDEN: char = '*';

/// Which characters of a variable's value are hidden (reference, Variable).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mask {
    /// The first hidden character, from 0.
    start: usize,
    /// The first that is shown again.
    end: usize,
}

impl Mask {
    /// The mask of a variable; `None` when it hides nothing.
    pub fn of(variable: &Variable<'_>) -> Option<Self> {
        if variable.hide_all.value() == Some(true) {
            return Some(Self { start: 0, end: usize::MAX });
        }
        if variable.should_hide.value() != Some(true) {
            return None;
        }
        let number = |member: Option<i64>| usize::try_from(member.unwrap_or(0)).unwrap_or(0);
        let (start, length) = (number(variable.hide_start.value()), number(variable.hide_length.value()));
        let end = if length == 0 { usize::MAX } else { start.saturating_add(length) };
        Some(Self { start, end })
    }

    /// What hides all that either hides: documents may disagree on a variable.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// A value as it is shown.
    pub fn apply(self, value: &str) -> String {
        let hide = |(index, character)| if self.hides(index) { HIDDEN } else { character };
        value.chars().enumerate().map(hide).collect()
    }

    fn hides(self, index: usize) -> bool {
        (self.start..self.end).contains(&index)
    }
}

/// Finds the values of masked variables in texts.
#[derive(Debug, Default)]
pub struct Masker {
    finder: Option<AhoCorasick>,
    /// By value that is looked for: which of its characters are hidden.
    hidden: Vec<Vec<bool>>,
    /// There are too many values to look for.
    hides_all: bool,
}

/// A text to look for: its characters, and whether each is hidden.
type Pattern = Vec<(char, bool)>;

impl Masker {
    /// For the values that masked variables had in a run.
    pub fn new(values: &[(Mask, Arc<str>)]) -> Self {
        let mut masker = Self::default();
        let mut patterns: Vec<Pattern> = Vec::new();
        for (mask, value) in values {
            let whole: Pattern =
                value.chars().enumerate().map(|(index, character)| (character, mask.hides(index))).collect();
            // A list is taken apart, and its entries trimmed, where people are asked.
            for part in whole.split(|(character, _)| matches!(character, ';' | ',')) {
                let part = trimmed(part);
                if part.len() < whole.len() {
                    add(&mut patterns, part.to_vec());
                }
            }
            add(&mut patterns, whole);
        }
        patterns.retain(|patterns| patterns.len() >= MIN_LENGTH);
        if patterns.is_empty() {
            return masker;
        }
        masker.hides_all = patterns.iter().map(Vec::len).sum::<usize>() > MAX_VALUES_LENGTH;
        if !masker.hides_all {
            let texts =
                patterns.iter().map(|patterns| patterns.iter().map(|(character, _)| *character).collect::<String>());
            // The other kinds take the square of a value's length to build.
            let kind = AhoCorasickKind::NoncontiguousNFA;
            let finder = AhoCorasick::builder().kind(Some(kind)).match_kind(MatchKind::Standard).build(texts);
            masker.hides_all = finder.is_err();
            masker.finder = finder.ok();
            masker.hidden =
                patterns.iter().map(|patterns| patterns.iter().map(|(_, hidden)| *hidden).collect()).collect();
        }
        masker
    }

    /// Whether a text holds a masked value.
    pub fn finds(&self, text: &str) -> bool {
        self.hides_all || self.finder.as_ref().is_some_and(|finder| finder.is_match(text))
    }

    /// A text with every masked value in it hidden.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.finder {
            _ if self.hides_all => Cow::Owned(HIDDEN.to_string().repeat(8)),
            Some(finder) if finder.is_match(text) => Cow::Owned(self.hide(finder, text)),
            _ => Cow::Borrowed(text),
        }
    }

    /// Values may overlap, or stand within one another: what any of them hides is hidden.
    fn hide(&self, finder: &AhoCorasick, text: &str) -> String {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let mut marks = vec![false; starts.len()];
        let mut marked = 0;
        for found in finder.find_overlapping_iter(text) {
            let Some(hidden) = self.hidden.get(found.pattern().as_usize()) else { continue };
            marked += hidden.len();
            if marked > MAX_MARKS {
                return HIDDEN.to_string().repeat(8);
            }
            let first = starts.partition_point(|&start| start < found.start());
            for (mark, hidden) in marks.iter_mut().skip(first).zip(hidden) {
                *mark |= hidden;
            }
        }
        text.chars().zip(marks).map(|(character, hidden)| if hidden { HIDDEN } else { character }).collect()
    }
}

fn trimmed(mut part: &[(char, bool)]) -> &[(char, bool)] {
    while let Some(((first, _), rest)) = part.split_first()
        && first.is_whitespace()
    {
        part = rest;
    }
    while let Some(((last, _), rest)) = part.split_last()
        && last.is_whitespace()
    {
        part = rest;
    }
    part
}

/// Adds a value as it is, and as it stands in JSON.
fn add(patterns: &mut Vec<Pattern>, value: Pattern) {
    let mut plain = value;
    for _ in 0..MAX_ESCAPES {
        let escaped: Pattern = plain.iter().flat_map(|&(character, hidden)| escape(character, hidden)).collect();
        if escaped.len() == plain.len() {
            break;
        }
        patterns.push(std::mem::replace(&mut plain, escaped));
    }
    patterns.push(plain);
}

/// A character as JSON writes it.
fn escape(character: char, hidden: bool) -> Pattern {
    let json = serde_json::to_string(&character).unwrap_or_default();
    let inside = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    inside.chars().map(|character| (character, hidden)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(start: usize, length: usize) -> Mask {
        Mask { start, end: if length == 0 { usize::MAX } else { start + length } }
    }

    #[test]
    fn a_length_of_zero_hides_to_the_end() {
        assert_eq!(from(8, 0).apply("19900101-2385"), "19900101*****");
        assert_eq!(from(0, 3).apply("Ängström"), "***ström");
        assert_eq!(from(20, 0).apply("short"), "short");
    }

    #[test]
    fn a_value_is_hidden_wherever_it_stands() {
        let values = [(from(8, 0), "19900101-2385".into()), (from(0, 0), "abc".into())];
        let masker = Masker::new(&values);
        assert_eq!(masker.apply("for 19900101-2385!"), "for 19900101*****!");
        assert_eq!(masker.apply("abc is too short to look for"), "abc is too short to look for");
    }

    #[test]
    fn a_value_is_hidden_in_json_too_and_in_json_in_json() {
        let masker = Masker::new(&[(from(2, 4), "\"\"secret".into())]);
        assert_eq!(masker.apply(r#"\"\"secret"#), r#"\"\"****et"#);
        assert_eq!(masker.apply(r#"\\\"\\\"secret"#), r#"\\\"\\\"****et"#);
    }

    #[test]
    fn what_any_of_several_values_hides_is_hidden() {
        let masker = Masker::new(&[(from(2, 0), "12345".into()), (from(0, 2), "1234567".into())]);
        assert_eq!(masker.apply("1234567 12345"), "*****67 12***");
        let masker = Masker::new(&[(from(0, 0), "inner".into()), (from(9, 0), "an inner thing".into())]);
        assert_eq!(masker.apply("an inner thing"), "an ***** *****");
    }

    #[test]
    fn an_entry_of_a_list_is_hidden_alone_too() {
        let masker = Masker::new(&[(from(0, 0), "anna@example.com ; erik@example.com".into())]);
        assert_eq!(masker.apply("asked erik@example.com"), "asked ****************");
    }

    #[test]
    fn a_value_that_repeats_itself_takes_no_longer() {
        let masker = Masker::new(&[(from(0, 0), "y".repeat(100_000).into())]);
        assert_eq!(masker.apply("yyyy"), "yyyy");
    }
}
