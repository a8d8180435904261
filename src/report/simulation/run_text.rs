//! The values of a run in words, with the values of masked variables hidden.

use std::borrow::Cow;
use std::ops::Deref;

use crate::simulate::{Check, EventWords, FinishedScenario};

/// Characters of a value in a line of the trace, for programs.
pub(super) const MAX_VALUE_LEN: usize = 500;
/// Characters of a value in a line of the trace, short enough to read the line at a glance.
pub(super) const MAX_BRIEF_VALUE_LEN: usize = 120;

pub(super) struct RunText<'r> {
    pub run: &'r FinishedScenario<'r>,
    words: EventWords<'r>,
}

impl<'r> RunText<'r> {
    pub fn new(run: &'r FinishedScenario<'r>, max_value_len: usize) -> Self {
        Self { run, words: run.words(max_value_len) }
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
}

impl<'r> Deref for RunText<'r> {
    type Target = EventWords<'r>;

    fn deref(&self) -> &Self::Target {
        &self.words
    }
}
