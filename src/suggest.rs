//! "Did you mean …": the known name that a written one is near to.

use std::cell::Cell;

/// Longer names are compared but for case only: a distance takes time with the square of the length.
const LONGEST: usize = 128;
/// Comparisons for one service, in cells of the distance table; some hundred milliseconds. Past
/// them nothing is suggested, so that a hostile document cannot make suggestions take hours.
const BUDGET: u64 = 50_000_000;

/// What looking at one name costs before any distance is taken.
const LOOK: u64 = 4;

/// Finds near names, within a budget of work.
#[derive(Debug)]
pub struct Suggester {
    left: Cell<u64>,
}

impl Default for Suggester {
    fn default() -> Self {
        Self { left: Cell::new(BUDGET) }
    }
}

impl Suggester {
    /// The nearest of `known` that is near `written`; the first of several as near.
    pub fn nearest<'a>(&self, written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        let mut best: Option<(usize, &str)> = None;
        for name in known {
            if self.left.get() < LOOK {
                return None;
            }
            let Some(distance) = self.distance(written, name) else { continue };
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, name));
            }
        }
        best.map(|(_, name)| name)
    }

    /// The distance of a near name that is another one: at most the larger of 1 and a quarter of
    /// the written name's length, or 0 when only the case differs.
    fn distance(&self, written: &str, known: &str) -> Option<usize> {
        let left = self.left.get().checked_sub(LOOK)?;
        self.left.set(left);
        if written == known {
            return None;
        }
        if written.len() == known.len() && written.eq_ignore_ascii_case(known)
            || !written.is_ascii() && written.to_lowercase() == known.to_lowercase()
        {
            return Some(0);
        }
        let (length, other) = (written.chars().count(), known.chars().count());
        let most = (length / 4).max(1);
        if length.abs_diff(other) > most || length > LONGEST || other > LONGEST {
            return None;
        }
        let cost = (length * other) as u64;
        let left = self.left.get().checked_sub(cost)?;
        self.left.set(left);
        let distance = strsim::damerau_levenshtein(written, known);
        (distance <= most).then_some(distance)
    }
}

/// [`Suggester::nearest`] for the few names of a command line or a configuration.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    Suggester::default().nearest(written, known)
}

/// `; did you mean …?` for a near name, else nothing.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(written, known).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_length_or_one_is_near() {
        assert_eq!(nearest("ESignStatsu", ["ESignId", "ESignStatus"]), Some("ESignStatus"));
        assert_eq!(nearest("Nme", ["Name"]), Some("Name"));
        assert_eq!(nearest("Foo", ["Bar", "Quux"]), None);
        assert_eq!(nearest("esignid", ["ESignIx", "ESignId"]), Some("ESignId"));
        assert_eq!(nearest("Name", ["Name"]), None);
    }

    #[test]
    fn the_budget_ends_and_nothing_hangs() {
        let suggester = Suggester { left: Cell::new(20 + LOOK) };
        assert_eq!(suggester.nearest("Nme", ["Name"]), Some("Name"));
        assert_eq!(suggester.nearest("Nme", ["Name"]), None);
    }
}
