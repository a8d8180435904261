//! The lines in which two scripts differ.

use crate::fix::between;

/// The lines that were removed, and those that were added. `shown` are both scripts as they are shown, with as many lines
/// as the scripts have.
pub(super) fn changed_lines((old, new): (&str, &str), shown: (&str, &str)) -> (String, String) {
    let (mut removed, mut added) = (Lines::new(old, shown.0), Lines::new(new, shown.1));
    for replacement in between(old, new) {
        removed.take(replacement.before.start, replacement.before.end);
        added.take(replacement.after.start, replacement.after.end);
    }
    (removed.text(), added.text())
}

/// The lines of a script, taken from front to back.
struct Lines<'t> {
    rest: std::iter::Zip<std::str::SplitInclusive<'t, char>, std::str::Split<'t, char>>,
    /// The offset of the rest.
    at: usize,
    taken: Vec<&'t str>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, shown: &'t str) -> Self {
        Self { rest: text.split_inclusive('\n').zip(shown.split('\n')), at: 0, taken: Vec::new() }
    }

    fn take(&mut self, start: usize, end: usize) {
        while self.at < end
            && let Some((line, shown)) = self.rest.next()
        {
            if self.at >= start {
                self.taken.push(shown);
            }
            self.at += line.len();
        }
    }

    fn text(&self) -> String {
        self.taken.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::changed_lines;

    #[test]
    fn only_changed_lines_are_taken() {
        let (old, new) = ("a\nb\nc\nd", "a\nx\nc\nd\ne");
        assert_eq!(changed_lines((old, new), (old, new)), ("b\nd".to_owned(), "x\nd\ne".to_owned()));
        assert_eq!(changed_lines(("", "a"), ("", "A")), (String::new(), "A".to_owned()));
        let (old, new) = ("p = 1\nq", "p = 2\nq");
        assert_eq!(changed_lines((old, new), ("p = •\nq", "p = •\nq")), ("p = •".to_owned(), "p = •".to_owned()));
    }
}
