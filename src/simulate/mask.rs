//! Hiding the values of masked variables in everything that a run shows.

use std::borrow::Cow;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::model::Variable;

/// Values shorter than this are hidden where the variable is shown, but not looked for in other
/// texts: they would be found everywhere.
const SHORTEST: usize = 4;
/// Bytes of values that are looked for; past them, nothing is shown at all.
const MOST: usize = 1 << 20;
/// What stands for a hidden character.
const HIDDEN: char = '*';

/// Which characters of a variable's value are hidden (reference, Variable).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mask {
    /// The first hidden character, from 0.
    start: usize,
    /// How many are hidden; to the end when `None`.
    length: Option<usize>,
}

impl Mask {
    /// The mask of a variable; `None` when it hides nothing.
    pub fn of(variable: &Variable<'_>) -> Option<Self> {
        if variable.hide_all.value() == Some(true) {
            return Some(Self { start: 0, length: None });
        }
        if variable.should_hide.value() != Some(true) {
            return None;
        }
        let number = |member: Option<i64>| usize::try_from(member.unwrap_or(0)).unwrap_or(0);
        let length = number(variable.hide_length.value());
        Some(Self { start: number(variable.hide_start.value()), length: (length > 0).then_some(length) })
    }

    /// A value as it is shown.
    pub fn apply(self, value: &str) -> String {
        let end = self.length.map_or(usize::MAX, |length| self.start.saturating_add(length));
        let hide = |(index, character)| if (self.start..end).contains(&index) { HIDDEN } else { character };
        value.chars().enumerate().map(hide).collect()
    }
}

/// Finds the values of masked variables in texts.
#[derive(Debug, Default)]
pub struct Masker {
    finder: Option<AhoCorasick>,
    /// What stands for each value.
    shown: Vec<String>,
    /// There are too many values to look for.
    hides_all: bool,
}

impl Masker {
    /// For the values that masked variables had in a run.
    pub fn new(values: &[(Mask, Arc<str>)]) -> Self {
        let mut masker = Self::default();
        let mut wanted = Vec::new();
        for (mask, value) in values.iter().filter(|(_, value)| value.chars().count() >= SHORTEST) {
            // In JSON that a script builds a value may stand with escapes.
            let escaped = serde_json::to_string(value.as_ref()).unwrap_or_default();
            let escaped = escaped.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
            if escaped != value.as_ref() && !escaped.is_empty() {
                wanted.push(escaped.to_owned());
                masker.shown.push(mask.apply(escaped));
            }
            wanted.push(value.to_string());
            masker.shown.push(mask.apply(value));
        }
        if wanted.is_empty() {
            return masker;
        }
        masker.hides_all = wanted.iter().map(String::len).sum::<usize>() > MOST;
        if !masker.hides_all {
            let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&wanted);
            masker.hides_all = finder.is_err();
            masker.finder = finder.ok();
        }
        masker
    }

    /// A text with every masked value in it hidden.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.hides_all {
            return Cow::Owned(HIDDEN.to_string().repeat(8));
        }
        match &self.finder {
            Some(finder) if finder.is_match(text) => Cow::Owned(finder.replace_all(text, &self.shown)),
            _ => Cow::Borrowed(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(start: usize, length: usize) -> Mask {
        Mask { start, length: (length > 0).then_some(length) }
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
    fn a_value_is_hidden_in_json_too() {
        let masker = Masker::new(&[(from(0, 0), "say \"hi\"".into())]);
        assert_eq!(masker.apply(r#"{"a":"say \"hi\""}"#), r#"{"a":"**********"}"#);
    }

    #[test]
    fn of_values_within_values_the_longest_is_hidden() {
        let masker = Masker::new(&[(from(2, 0), "12345".into()), (from(0, 0), "1234567".into())]);
        assert_eq!(masker.apply("1234567 12345"), "******* 12***");
    }
}
