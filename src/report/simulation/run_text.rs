//! The values of a run in words, with the values of masked variables hidden.

use std::borrow::Cow;
use std::ops::Deref;

use crate::simulate::{Check, EventWords, FinishedScenario};

/// Characters of a value in a line of the trace, for programs.
pub(super) const MAX_VALUE_LEN: usize = 500;
/// Characters of a value in a line of the trace, short enough to read the line at a glance.
pub(super) const MAX_BRIEF_VALUE_LEN: usize = 120;

/// What a report says about a run.
pub struct RunText<'r> {
    /// The run.
    pub run: &'r FinishedScenario<'r>,
    words: EventWords<'r>,
}

impl<'r> RunText<'r> {
    /// Values have at most so many characters.
    pub fn new(run: &'r FinishedScenario<'r>, max_value_len: usize) -> Self {
        Self { run, words: run.words(max_value_len) }
    }

    /// The same, for texts in which only names are in backticks.
    #[must_use]
    pub fn for_page(self) -> Self {
        Self { words: self.words.for_page(), ..self }
    }

    /// The expected or actual value of an expectation.
    pub fn checked<'t>(&self, check: &Check, text: &'t str) -> Cow<'t, str> {
        check.variable.map_or_else(|| self.mask(text), |slot| self.value(slot, text))
    }

    /// Whether both values of an expectation that failed look alike, because they differ where a mask hides them.
    pub fn differs_where_hidden(&self, check: &Check) -> bool {
        !check.passed
            && check.expected != check.actual
            && self.checked(check, &check.expected) == self.checked(check, &check.actual)
    }

    /// An expectation in one line: of one that was not met, what was found instead.
    pub fn check(&self, check: &Check) -> String {
        let (what, expected) = (self.mask(&check.what), self.checked(check, &check.expected));
        if check.passed {
            return format!("{what}: {expected}");
        }
        let actual = self.checked(check, &check.actual);
        let hidden = if self.differs_where_hidden(check) { ", which differs where it is hidden" } else { "" };
        format!("{what}: expected {expected}, found {actual}{hidden}")
    }
}

impl<'r> Deref for RunText<'r> {
    type Target = EventWords<'r>;

    fn deref(&self) -> &Self::Target {
        &self.words
    }
}
