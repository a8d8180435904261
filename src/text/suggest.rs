//! "Did you mean …?": the known name that is most similar to an unknown one.

use std::cell::Cell;

use crate::common::limits::MAX_COMPARED_CELLS;

/// Longer names are compared ignoring case only: the distance takes quadratic time. In characters.
const MAX_LENGTH: usize = 128;

/// More names that are equally similar to one are not used.
const MAX_EQUALLY_NEAR: usize = 8;

/// The cost of a name for which no distance is computed, in the unit of [`MAX_COMPARED_CELLS`].
const MIN_COST: u64 = 4;

/// Finds similar names within a budget of work.
#[derive(Debug)]
pub struct Suggester {
    budget: Cell<u64>,
    is_exhausted: Cell<bool>,
}

impl Default for Suggester {
    fn default() -> Self {
        Self { budget: Cell::new(MAX_COMPARED_CELLS), is_exhausted: Cell::new(false) }
    }
}

impl Suggester {
    /// The name among `known` that is most similar to `written`, if it is similar enough; the first one of
    /// several equally similar ones.
    pub fn nearest<'a>(&self, written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        self.nearest_where(written, known, |_| true)
    }

    /// As [`Self::nearest`], of the names that are accepted; only similar ones are asked for.
    pub fn nearest_where<'a>(
        &self,
        written: &str,
        known: impl IntoIterator<Item = &'a str>,
        is_accepted: impl Fn(&str) -> bool,
    ) -> Option<&'a str> {
        self.least(written, known, |distance, name| is_accepted(name).then_some(distance))
    }

    /// As [`Self::nearest`], but of equally similar names the first preferred one; only similar ones are asked for.
    pub fn nearest_rather<'a>(
        &self,
        written: &str,
        known: impl IntoIterator<Item = &'a str>,
        is_preferred: impl Fn(&str) -> bool,
    ) -> Option<&'a str> {
        self.least(written, known, |distance, name| Some((distance, !is_preferred(name))))
    }

    /// The first few names that are as similar as the nearest one.
    pub fn equally_near<'a>(
        &self,
        written: &str,
        nearest: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Vec<&'a str> {
        let Some(least) = self.distance(written, nearest) else { return Vec::new() };
        let others = known.into_iter().filter(|&name| name != nearest);
        others.filter(|name| self.distance(written, name) == Some(least)).take(MAX_EQUALLY_NEAR).collect()
    }

    /// As [`Self::nearest`], if a fix may write the name ([`Self::is_only`]).
    pub fn only_nearest<'a, K>(&self, written: &str, known: K) -> Option<&'a str>
    where
        K: IntoIterator<Item = &'a str> + Clone,
    {
        let nearest = self.nearest(written, known.clone())?;
        self.is_only(written, nearest, known).then_some(nearest)
    }

    /// Whether a fix may write the nearest name: no other is as near, and it can hardly be another one. `Email2` is not a
    /// typo of `Email1`, and of very short names most are similar.
    pub fn is_only<'a>(&self, written: &str, nearest: &str, known: impl IntoIterator<Item = &'a str>) -> bool {
        let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
        let is_long = written.chars().nth(2).is_some() || self.distance(written, nearest) == Some(0);
        let is_clear = is_long && digits(written) == digits(nearest);
        is_clear && self.equally_near(written, nearest, known).is_empty() && !self.is_exhausted()
    }

    /// The first of the similar names with the least rank, if all were compared.
    fn least<'a, R: PartialOrd>(
        &self,
        written: &str,
        known: impl IntoIterator<Item = &'a str>,
        rank: impl Fn(usize, &str) -> Option<R>,
    ) -> Option<&'a str> {
        let mut best: Option<(R, &str)> = None;
        for name in known {
            if self.is_exhausted.get() {
                return None;
            }
            let Some(rank) = self.distance(written, name).and_then(|distance| rank(distance, name)) else { continue };
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, name));
            }
        }
        // A name that was not compared may be nearer.
        best.map(|(_, name)| name).filter(|_| !self.is_exhausted.get())
    }

    /// Whether a name was not compared because the budget was used up.
    pub const fn is_exhausted(&self) -> bool {
        self.is_exhausted.get()
    }

    /// `None` when the budget is used up.
    fn spend(&self, cost: u64) -> Option<()> {
        let left = self.budget.get().checked_sub(cost);
        self.is_exhausted.set(self.is_exhausted.get() || left.is_none());
        self.budget.set(left?);
        Some(())
    }

    /// `; did you mean …?` for a similar name, otherwise an empty string.
    pub fn did_you_mean<'a>(&self, written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
        self.nearest(written, known).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
    }

    /// The Damerau-Levenshtein distance of a similar name: at most a quarter of the length of `written`, but
    /// at least 1; 0 if only the case differs. `None` for the same name and for names that are not similar.
    fn distance(&self, written: &str, known: &str) -> Option<usize> {
        self.spend(MIN_COST)?;
        if written == known {
            return None;
        }
        if written.len() == known.len() && written.eq_ignore_ascii_case(known)
            || !written.is_ascii() && written.to_lowercase() == known.to_lowercase()
        {
            return Some(0);
        }
        let (length, other) = (written.chars().count(), known.chars().count());
        let max = (length / 4).max(1);
        if length.abs_diff(other) > max || length > MAX_LENGTH || other > MAX_LENGTH {
            return None;
        }
        // An edit adds at most one letter and removes at most one.
        let (letters, others) = (letters(written), letters(known));
        if ((letters & !others).count_ones().max((others & !letters).count_ones())) as usize > max {
            return None;
        }
        self.spend((length * other) as u64)?;
        let distance = strsim::damerau_levenshtein(written, known);
        (distance <= max).then_some(distance)
    }
}

/// The letters of a name as bits, several letters for each bit.
fn letters(name: &str) -> u64 {
    name.chars().fold(0, |letters, letter| letters | 1 << (u32::from(letter) % 64))
}

/// [`Suggester::nearest`] for the few names of a command line or a configuration.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    Suggester::default().nearest(written, known)
}

/// [`Suggester::did_you_mean`] for the few names of a command line or a configuration.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    Suggester::default().did_you_mean(written, known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_within_a_quarter_of_the_length_are_similar() {
        assert_eq!(nearest("ESignStatsu", ["ESignId", "ESignStatus"]), Some("ESignStatus"));
        assert_eq!(nearest("Nme", ["Name"]), Some("Name"));
        assert_eq!(nearest("Foo", ["Bar", "Quux"]), None);
        assert_eq!(nearest("esignid", ["ESignIx", "ESignId"]), Some("ESignId"));
        assert_eq!(nearest("Name", ["Name"]), None);
    }

    #[test]
    fn of_two_names_that_are_equally_near_none_is_the_only_one() {
        let suggester = Suggester::default();
        assert_eq!(suggester.only_nearest("StateC", ["StateA", "StateB"]), None);
        assert_eq!(suggester.only_nearest("StateC", ["StateA", "StateA", "Date"]), Some("StateA"));
        assert_eq!(suggester.only_nearest("stateA", ["StateA", "StateB"]), Some("StateA"));
        let suggester = Suggester { budget: Cell::new(2 * (12 + MIN_COST)), ..Suggester::default() };
        assert!(!suggester.is_only("Nme", "Name", ["Quux", "Nyme"]));
    }

    #[test]
    fn other_numbers_and_short_names_are_not_certain() {
        let suggester = Suggester::default();
        assert_eq!(suggester.only_nearest("Email2", ["Email1"]), None);
        assert_eq!(suggester.only_nearest("Emial2", ["Email2"]), Some("Email2"));
        assert_eq!(suggester.only_nearest("ix", ["id"]), None);
        assert_eq!(suggester.only_nearest("ID", ["Id"]), Some("Id"));
    }

    #[test]
    fn nothing_is_suggested_without_budget() {
        let suggester = Suggester { budget: Cell::new(12 + MIN_COST), ..Suggester::default() };
        assert_eq!(suggester.nearest("Nme", ["Name"]), Some("Name"));
        assert!(!suggester.is_exhausted());
        assert_eq!(suggester.nearest("Nme", ["Name"]), None);
        assert!(suggester.is_exhausted());
    }
}
