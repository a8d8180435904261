//! Which characters of a masked variable's value are hidden.

use crate::model::Variable;

/// What is shown in place of a hidden character.
pub(super) const HIDDEN: char = '*';

/// Which characters of a variable's value are hidden (`shouldHide`, `hideAll`, `hideStartIndex`, `hideLength`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    pub(super) fn hides(self, index: usize) -> bool {
        (self.start..self.end).contains(&index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_zero_hides_to_the_end() {
        assert_eq!(Mask::new(8, 0).apply("19900101-2385"), "19900101*****");
        assert_eq!(Mask::new(0, 3).apply("Ängström"), "***ström");
        assert_eq!(Mask::new(20, 0).apply("short"), "short");
    }
}
