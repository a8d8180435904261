//! Finds the values of masked variables in everything that a run shows, and hides them.
//!
//! A masked value spreads: into published texts, mails, JSON, errors. All values that masked
//! variables had in the run are searched for at once (Aho-Corasick), with what of them is hidden.

use std::borrow::Cow;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::redactions::Redactions;
use crate::model::Variable;

/// What is shown in place of a hidden character.
const HIDDEN: char = '*';
/// Characters of the shortest value that is searched for. Shorter ones would be found everywhere;
/// they are hidden only where the variable itself is shown.
const MIN_LENGTH: usize = 4;
/// Limit for the characters of all values that are searched for; above it, everything is hidden.
const MAX_VALUES_LENGTH: usize = 1 << 20;
/// Characters of all matches in one text; past them, nothing of it is shown.
const MAX_MATCHES_LENGTH: usize = 1 << 24;
/// How many levels of escaping are searched: JSON in JSON.
const MAX_ESCAPES: usize = 2;

/// Which characters of a variable's value are hidden (`shouldHide`, `hideAll`, `hideStartIndex`, `hideLength`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask {
    /// Index of the first hidden character.
    start: usize,
    /// Index of the first character after it that is shown.
    end: usize,
}

impl Mask {
    /// The mask of a variable; `None` when it hides nothing.
    pub fn of(variable: &Variable<'_>) -> Option<Self> {
        if variable.details().hide_all.value() == Some(true) {
            return Some(Self { start: 0, end: usize::MAX });
        }
        if variable.details().should_hide.value() != Some(true) {
            return None;
        }
        let number = |member: Option<i64>| usize::try_from(member.unwrap_or(0)).unwrap_or(0);
        Some(Self::new(number(variable.details().hide_start.value()), number(variable.details().hide_length.value())))
    }

    /// Hides `length` characters from `start`, or all from `start` when the length is 0.
    pub const fn new(start: usize, length: usize) -> Self {
        let end = if length == 0 { usize::MAX } else { start.saturating_add(length) };
        Self { start, end }
    }

    /// The smallest mask that hides what either hides: workflow and form may declare a variable with
    /// different masks.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The value with its hidden characters replaced; their number stays.
    pub fn apply(self, value: &str) -> String {
        let hide = |(index, character)| if self.hides(index) { HIDDEN } else { character };
        value.chars().enumerate().map(hide).collect()
    }

    fn hides(self, index: usize) -> bool {
        (self.start..self.end).contains(&index)
    }
}

/// A value to search for: its characters, and whether each is hidden.
type Pattern = Vec<(char, bool)>;

#[derive(Debug, Default)]
pub struct Masker {
    finder: Option<AhoCorasick>,
    patterns: Vec<Pattern>,
    /// There are too many values to search for.
    hides_all: bool,
    /// The hard-coded secrets of the documents.
    secrets: Arc<Redactions>,
}

impl Masker {
    /// A masker for the values of masked variables in a run.
    pub fn new(values: &[(Mask, Arc<str>)]) -> Self {
        let Some(patterns) = patterns(values) else { return Self { hides_all: true, ..Self::default() } };
        let texts = patterns.iter().map(|pattern| pattern.iter().map(|(character, _)| *character).collect::<String>());
        // The other kinds take time with the square of a pattern's length to build.
        let kind = AhoCorasickKind::NoncontiguousNFA;
        let finder = AhoCorasick::builder().kind(Some(kind)).match_kind(MatchKind::Standard).build(texts);
        let hides_all = finder.is_err();
        Self { hides_all, finder: finder.ok().filter(|_| !patterns.is_empty()), patterns, secrets: Arc::default() }
    }

    /// Hides secrets, too.
    #[must_use]
    pub fn with_secrets(self, secrets: &Arc<Redactions>) -> Self {
        Self { secrets: Arc::clone(secrets), ..self }
    }

    pub const fn secrets(&self) -> &Arc<Redactions> {
        &self.secrets
    }

    /// Whether a string contains a masked value.
    pub fn finds(&self, text: &str) -> bool {
        self.hides_all || self.finder.as_ref().is_some_and(|finder| finder.is_match(text))
    }

    /// The text with every secret, and the hidden characters of every masked value in it replaced.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        // Secrets first: a masked value may be a part of one.
        match self.secrets.redacted(text) {
            Cow::Borrowed(text) => self.mask(text),
            Cow::Owned(text) => Cow::Owned(self.mask(&text).into_owned()),
        }
    }

    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.finder {
            _ if self.hides_all => Cow::Owned(HIDDEN.to_string().repeat(8)),
            Some(finder) if finder.is_match(text) => Cow::Owned(self.hide(finder, text)),
            _ => Cow::Borrowed(text),
        }
    }

    /// Matches may overlap or contain one another; a character is hidden when any of them hides it.
    fn hide(&self, finder: &AhoCorasick, text: &str) -> String {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let mut marks = vec![false; starts.len()];
        let mut length = 0;
        for found in finder.find_overlapping_iter(text) {
            let Some(pattern) = self.patterns.get(found.pattern().as_usize()) else { continue };
            length += pattern.len();
            if length > MAX_MATCHES_LENGTH {
                return HIDDEN.to_string().repeat(8);
            }
            let first = starts.partition_point(|&start| start < found.start());
            marks.iter_mut().skip(first).zip(pattern).for_each(|(mark, (_, hidden))| *mark |= hidden);
        }
        text.chars().zip(marks).map(|(character, hidden)| if hidden { HIDDEN } else { character }).collect()
    }
}

/// The patterns of all values that are long enough; `None` if they have too many characters.
fn patterns(values: &[(Mask, Arc<str>)]) -> Option<Vec<Pattern>> {
    let mut patterns = Patterns::default();
    for (mask, value) in values {
        if value.chars().nth(MAX_VALUES_LENGTH).is_some() {
            return None;
        }
        let whole: Pattern =
            value.chars().enumerate().map(|(index, character)| (character, mask.hides(index))).collect();
        // Assignees of an approval are split at these characters and trimmed, and then shown one by one.
        for part in whole.split(|(character, _)| matches!(character, ';' | ',')) {
            let part = trimmed(part);
            if part.len() < whole.len() {
                patterns.add(part.to_vec())?;
            }
        }
        patterns.add(whole)?;
    }
    Some(patterns.all)
}

/// Without the whitespace around it.
fn trimmed(part: &[(char, bool)]) -> &[(char, bool)] {
    let is_visible = |(character, _): &(char, bool)| !character.is_whitespace();
    let start = part.iter().position(is_visible).unwrap_or_default();
    part.iter().rposition(is_visible).and_then(|end| part.get(start..=end)).unwrap_or_default()
}

#[derive(Default)]
struct Patterns {
    all: Vec<Pattern>,
    /// Of all of them together.
    length: usize,
}

impl Patterns {
    /// Adds a value unchanged, and escaped as in JSON once and twice; `None` if there are too many characters then.
    fn add(&mut self, value: Pattern) -> Option<()> {
        let mut plain = value;
        for _ in 0..MAX_ESCAPES {
            let escaped = plain.iter().flat_map(|&(character, hidden)| escape(character, hidden));
            // So long that it is refused is long enough.
            let escaped: Pattern = escaped.take(MAX_VALUES_LENGTH + 1).collect();
            if escaped.len() == plain.len() {
                break;
            }
            self.push(std::mem::replace(&mut plain, escaped))?;
        }
        self.push(plain)
    }

    fn push(&mut self, pattern: Pattern) -> Option<()> {
        if pattern.len() < MIN_LENGTH {
            return Some(());
        }
        self.length += pattern.len();
        if self.length > MAX_VALUES_LENGTH {
            return None;
        }
        self.all.push(pattern);
        Some(())
    }
}

/// A character as JSON escapes it; all characters of an escape are hidden if the original is.
fn escape(character: char, hidden: bool) -> Pattern {
    let json = serde_json::to_string(&character).unwrap_or_default();
    let inside = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    inside.chars().map(|character| (character, hidden)).collect()
}

#[cfg(test)]
mod tests {
    use super::{MAX_VALUES_LENGTH, Mask, Masker, Patterns, patterns};

    #[test]
    fn a_length_of_zero_hides_to_the_end() {
        assert_eq!(Mask::new(8, 0).apply("19900101-2385"), "19900101*****");
        assert_eq!(Mask::new(0, 3).apply("Ängström"), "***ström");
        assert_eq!(Mask::new(20, 0).apply("short"), "short");
    }

    #[test]
    fn masked_value_is_hidden_anywhere_in_a_text() {
        let values = [(Mask::new(8, 0), "19900101-2385".into()), (Mask::new(0, 0), "abc".into())];
        let masker = Masker::new(&values);
        assert_eq!(masker.apply("for 19900101-2385!"), "for 19900101*****!");
        assert_eq!(masker.apply("abc is too short to look for"), "abc is too short to look for");
    }

    #[test]
    fn masked_value_is_hidden_in_json_and_json_in_json() {
        let masker = Masker::new(&[(Mask::new(2, 4), "\"\"secret".into())]);
        assert_eq!(masker.apply(r#"\"\"secret"#), r#"\"\"****et"#);
        assert_eq!(masker.apply(r#"\\\"\\\"secret"#), r#"\\\"\\\"****et"#);
    }

    #[test]
    fn overlapping_values_hide_what_either_hides() {
        let masker = Masker::new(&[(Mask::new(2, 0), "12345".into()), (Mask::new(0, 2), "1234567".into())]);
        assert_eq!(masker.apply("1234567 12345"), "*****67 12***");
        let masker = Masker::new(&[(Mask::new(0, 0), "inner".into()), (Mask::new(9, 0), "an inner thing".into())]);
        assert_eq!(masker.apply("an inner thing"), "an ***** *****");
    }

    #[test]
    fn entry_of_a_masked_list_is_hidden_alone() {
        let masker = Masker::new(&[(Mask::new(0, 0), "anna@example.com ; erik@example.com".into())]);
        assert_eq!(masker.apply("asked erik@example.com"), "asked ****************");
    }

    #[test]
    fn no_more_patterns_are_kept_than_are_searched_for() {
        let values = |length: usize| [(Mask::new(0, 0), "y".repeat(length).into())];
        assert!(patterns(&values(MAX_VALUES_LENGTH)).is_some_and(|patterns| patterns.len() == 1));
        assert!(patterns(&values(MAX_VALUES_LENGTH + 1)).is_none());
        let mut few = Patterns::default();
        assert!(few.add(vec![('\u{1}', true); MAX_VALUES_LENGTH / 2]).is_none());
        assert_eq!(few.all.len(), 1);
    }

    #[test]
    fn repetitive_value_is_searched_in_linear_time() {
        let masker = Masker::new(&[(Mask::new(0, 0), "y".repeat(100_000).into())]);
        assert_eq!(masker.apply("yyyy"), "yyyy");
    }
}
