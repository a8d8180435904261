//! Reads maps, lists and texts, and notes what is wrong with them.

use std::sync::Arc;

use jiff::SignedDuration;

use super::item::Item;
use super::keys::Keys;
use super::tree::Style;
use super::{Place, Problem, units};
use crate::collections::HashSet;
use crate::diagnostic::quote;
use crate::suggest::Suggester;
use crate::text::quoted_list;

/// Collects the problems of one file. What is wrong is noted and left out, so that all of it is
/// found in one go.
#[derive(Debug, Default)]
pub(super) struct Reader {
    problems: Vec<Problem>,
    suggester: Suggester,
}

/// The members of a map whose keys are known; those that are nothing count as not there.
#[derive(Debug)]
pub(super) struct Members<'a>(Vec<Item<'a>>);

impl<'a> Members<'a> {
    /// The member of a key, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<&Item<'a>> {
        self.0.iter().find(|item| item.key() == key)
    }
}

impl Reader {
    /// What was wrong, in the order of the file.
    pub(super) fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.place.span);
        self.problems
    }

    /// Notes a problem.
    pub(super) fn refuse(&mut self, place: Place, message: String, help: Option<String>) {
        self.problems.push(Problem { place, message, help });
    }

    /// Notes that a value is not what it must be.
    pub(super) fn wrong(&mut self, item: &Item<'_>, wanted: &str) {
        self.refuse(item.place(), format!("{} must be {wanted}", item.label()), None);
    }

    /// Notes that a map lacks a key.
    pub(super) fn missing(&mut self, map: &Item<'_>, key: &str) {
        self.refuse(map.key_place(), format!("{} needs `{key}`", map.label()), None);
    }

    /// The members of a map with known keys.
    pub(super) fn known_members<'a>(&mut self, item: &'a Item<'a>, keys: &Keys) -> Option<Members<'a>> {
        const FEW: usize = 4;
        let some = if keys.known.len() <= FEW { keys.known } else { keys.required };
        let and = if keys.required.is_empty() { "or" } else { "and" };
        let wanted =
            if some.is_empty() { "a map".to_owned() } else { format!("a map with {}", quoted_list(some, and)) };
        let all = self.members(item, &wanted)?;
        let is_known = |item: &Item<'_>| keys.known.contains(&item.key());
        for unknown in all.iter().filter(|item| !is_known(item)) {
            let near = self.suggester.nearest(unknown.key(), keys.known.iter().copied());
            let help = near.map_or_else(
                || format!("the keys of {} are {}", keys.noun, quoted_list(keys.known, "and")),
                |near| format!("did you mean `{near}`?"),
            );
            self.refuse(unknown.key_place(), format!("unknown key {}", quote(unknown.key())), Some(help));
        }
        let there: Vec<_> = all.into_iter().filter(|item| is_known(item) && !item.value.is_null()).collect();
        for required in keys.required {
            if !there.iter().any(|item| item.key() == *required) {
                self.missing(item, required);
            }
        }
        Some(Members(there))
    }

    /// The members of a map with any keys, each key once; `wanted` says what else it should be.
    pub(super) fn members<'a>(&mut self, item: &'a Item<'a>, wanted: &str) -> Option<Vec<Item<'a>>> {
        if !item.is_map() {
            self.wrong(item, wanted);
            return None;
        }
        let mut seen = HashSet::default();
        let (first, again): (Vec<_>, Vec<_>) = item.members().partition(|member| seen.insert(member.key()));
        for member in again {
            let help = "keep one of them".to_owned();
            self.refuse(member.key_place(), format!("{} is given twice", quote(member.key())), Some(help));
        }
        Some(first)
    }

    /// The entries of a list.
    pub(super) fn entries<'a>(&mut self, item: &'a Item<'a>, wanted: &str) -> Option<Vec<Item<'a>>> {
        if !item.is_list() {
            self.wrong(item, wanted);
            return None;
        }
        Some(item.entries().collect())
    }

    /// A text as written.
    pub(super) fn text(&mut self, item: &Item<'_>) -> Option<Arc<str>> {
        let text = item.scalar().map(|scalar| Arc::clone(&scalar.text));
        if text.is_none() {
            self.wrong(item, "a text");
        }
        text
    }

    /// The name of a file or of a method: a text that is not empty.
    pub(super) fn name(&mut self, item: &Item<'_>) -> Option<String> {
        let text = self.text(item)?;
        if text.is_empty() {
            self.refuse(item.place(), format!("{} must not be empty", item.label()), None);
            return None;
        }
        Some(text.as_ref().to_owned())
    }

    /// The value of a variable or output: a text as written, an empty one where nothing is written.
    pub(super) fn value(&mut self, item: &Item<'_>) -> Option<Arc<str>> {
        if item.value.is_null() { Some("".into()) } else { self.text(item) }
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(&mut self, item: &Item<'_>, words: &[(&'static str, T)]) -> Option<T> {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let wanted = quoted_list(&known, "or");
        let Some(scalar) = item.scalar() else {
            self.wrong(item, &wanted);
            return None;
        };
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == &*scalar.text) {
            return Some(*meaning);
        }
        let near = self.suggester.nearest(&scalar.text, known);
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let message = format!("{} must be {wanted}, not {}", item.label(), quote(&scalar.text));
        self.refuse(item.place(), message, help);
        None
    }

    pub(super) fn duration(&mut self, item: &Item<'_>) -> Option<SignedDuration> {
        let read = item.scalar().map_or(Err(units::DurationError::Malformed), |scalar| units::duration(&scalar.text));
        match read {
            Ok(duration) => return Some(duration),
            Err(units::DurationError::Malformed) => {
                self.wrong(item, "a duration such as `90s`, `15m`, `2h` or `3d`");
            }
            Err(units::DurationError::TooLong) => {
                self.wrong(item, &format!("at most {} days", units::MAX_DAYS));
            }
        }
        None
    }

    /// A whole number from `least` on.
    pub(super) fn count(&mut self, item: &Item<'_>, least: u64) -> Option<u64> {
        let count = item.scalar().and_then(|scalar| match scalar.style {
            Style::Plain => units::plain_whole(&scalar.text),
            Style::Quoted | Style::Null => units::whole(&scalar.text),
        });
        let count = count.filter(|count| *count >= least);
        if count.is_none() {
            self.wrong(item, &format!("a whole number, {least} or more"));
        }
        count
    }

    /// Seconds, above 0.
    pub(super) fn seconds(&mut self, item: &Item<'_>) -> Option<SignedDuration> {
        let seconds = item.scalar().and_then(|scalar| units::seconds(&scalar.text, scalar.style == Style::Plain));
        if seconds.is_none() {
            self.wrong(item, "a number of seconds, above 0 and at most 86400");
        }
        seconds
    }
}
