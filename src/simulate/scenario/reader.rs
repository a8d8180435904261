//! Reads the kinds of values of a scenario, and collects the problems.

use std::sync::Arc;

use jiff::SignedDuration;

use super::keys::Keys;
use super::model::{FileLocation, Problem, Spanned};
use super::tree::{Scalar, Shape, SpannedKey, Style, Value};
use super::units;
use crate::common::collections::HashSet;
use crate::document::escape_step;
use crate::text::diagnostic::quote;
use crate::text::suggest::Suggester;
use crate::text::{MAX_NAME, quoted_list, truncate};

/// Collects the problems of one file. A value that is wrong is reported and left out, so that one
/// reading finds all problems.
#[derive(Debug, Default)]
pub struct Reader {
    problems: Vec<Problem>,
    suggester: Suggester,
}

/// The members of an object with known keys, without those that are null.
#[derive(Debug)]
pub struct Members<'a>(Vec<ValueRef<'a>>);

impl<'a> Members<'a> {
    pub fn get(&self, key: &str) -> Option<&ValueRef<'a>> {
        self.0.iter().find(|item| item.key() == key)
    }
}

impl Reader {
    /// In the order of the file.
    pub fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.location.span);
        self.problems
    }

    pub fn refuse(&mut self, location: FileLocation, message: String, help: Option<String>) {
        self.problems.push(Problem { location, message, help });
    }

    pub fn mismatch(&mut self, item: &ValueRef<'_>, expected: &str) {
        self.refuse(item.location(), mismatch(item, expected), None);
    }

    pub fn missing(&mut self, object: &ValueRef<'_>, key: &str) {
        self.refuse(object.key_location(), format!("missing key `{key}`{}", object.within()), None);
    }

    /// The members of an object with known keys; reports unknown and missing keys.
    pub fn known_members<'a>(&mut self, item: &'a ValueRef<'a>, keys: &Keys) -> Option<Members<'a>> {
        const MAX_LISTED: usize = 4;
        let some = if keys.known.len() <= MAX_LISTED { keys.known } else { keys.required };
        let and = if keys.required.is_empty() { "or" } else { "and" };
        let expected =
            if some.is_empty() { "an object".to_owned() } else { format!("an object with {}", quoted_list(some, and)) };
        let all = self.members(item, &expected)?;
        let is_known = |item: &ValueRef<'_>| keys.known.contains(&item.key());
        for unknown in all.iter().filter(|item| !is_known(item)) {
            let near = self.suggester.nearest(unknown.key(), keys.known.iter().copied());
            let help = near.map_or_else(
                || format!("use one of the keys of {}: {}", keys.noun, quoted_list(keys.known, "and")),
                |near| format!("did you mean `{near}`?"),
            );
            self.refuse(unknown.key_location(), format!("unknown key {}", quote(unknown.key())), Some(help));
        }
        let there: Vec<_> = all.into_iter().filter(|item| is_known(item) && !item.value.is_null()).collect();
        for required in keys.required {
            if !there.iter().any(|item| item.key() == *required) {
                self.missing(item, required);
            }
        }
        Some(Members(there))
    }

    /// The members of an object with any keys, each key once; `expected` describes the object.
    pub fn members<'a>(&mut self, item: &'a ValueRef<'a>, expected: &str) -> Option<Vec<ValueRef<'a>>> {
        if !item.is_object() {
            self.mismatch(item, expected);
            return None;
        }
        let mut seen = HashSet::default();
        let (first, again): (Vec<_>, Vec<_>) = item.members().partition(|member| seen.insert(member.key()));
        for member in again {
            let help = "remove one of them".to_owned();
            self.refuse(member.key_location(), format!("duplicate key {}", quote(member.key())), Some(help));
        }
        Some(first)
    }

    pub fn entries<'a>(&mut self, item: &'a ValueRef<'a>, expected: &str) -> Option<Vec<ValueRef<'a>>> {
        if !item.is_array() {
            self.mismatch(item, expected);
            return None;
        }
        Some(item.entries().collect())
    }

    /// A string, number or boolean as it is written.
    pub fn text(&mut self, item: &ValueRef<'_>) -> Option<Arc<str>> {
        let text = item.scalar().map(|scalar| Arc::clone(&scalar.text));
        if text.is_none() {
            self.mismatch(item, "a string");
        }
        text
    }

    /// A string that is not empty, such as a path or the name of a method.
    pub fn name(&mut self, item: &ValueRef<'_>) -> Option<String> {
        let text = self.text(item)?;
        if text.is_empty() {
            self.refuse(item.location(), format!("empty string{}", item.within()), None);
            return None;
        }
        Some(text.as_ref().to_owned())
    }

    /// The value of a variable or output; null is the empty string.
    pub fn value(&mut self, item: &ValueRef<'_>) -> Option<Arc<str>> {
        if item.value.is_null() { Some("".into()) } else { self.text(item) }
    }

    /// One of a few words.
    pub fn word<T: Copy>(&mut self, item: &ValueRef<'_>, words: &[(&'static str, T)]) -> Option<T> {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let expected = quoted_list(&known, "or");
        let Some(scalar) = item.scalar() else {
            self.mismatch(item, &expected);
            return None;
        };
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == &*scalar.text) {
            return Some(*meaning);
        }
        let near = self.suggester.nearest(&scalar.text, known);
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let message = mismatch(item, &expected);
        self.refuse(item.location(), message, help);
        None
    }

    pub fn duration(&mut self, item: &ValueRef<'_>) -> Option<SignedDuration> {
        let read = item.scalar().map_or(Err(units::DurationError::Malformed), |scalar| units::duration(&scalar.text));
        match read {
            Ok(duration) => return Some(duration),
            Err(units::DurationError::Malformed) => {
                self.mismatch(item, "a duration such as `90s`, `15m`, `2h` or `3d`");
            }
            Err(units::DurationError::TooLong) => {
                self.mismatch(item, &format!("at most {} days", units::MAX_DAYS));
            }
        }
        None
    }

    /// A whole number of at least `least`.
    pub fn count(&mut self, item: &ValueRef<'_>, least: u64) -> Option<u64> {
        let count = item.scalar().and_then(|scalar| match scalar.style {
            Style::Plain => units::plain_whole(&scalar.text),
            Style::Quoted | Style::Null => units::whole(&scalar.text),
        });
        let count = count.filter(|count| *count >= least);
        if count.is_none() {
            self.mismatch(item, &format!("a whole number of at least {least}"));
        }
        count
    }

    /// Seconds, above 0.
    pub fn seconds(&mut self, item: &ValueRef<'_>) -> Option<SignedDuration> {
        let seconds = item.scalar().and_then(|scalar| units::seconds(&scalar.text, scalar.style == Style::Plain));
        if seconds.is_none() {
            self.mismatch(item, "a number of seconds above 0 and at most 86400");
        }
        seconds
    }
}

fn mismatch(item: &ValueRef<'_>, expected: &str) -> String {
    format!("expected {expected}{}, found {}", item.within(), item.describe())
}

/// A value and what it lies in. Its pointer is built only on demand: most values have no problem.
#[derive(Debug, Clone, Copy)]
pub struct ValueRef<'a> {
    pub value: &'a Value,
    parent: Option<(&'a ValueRef<'a>, Step<'a>)>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(&'a SpannedKey),
    Index(usize),
}

impl<'a> ValueRef<'a> {
    pub const fn root(value: &'a Value) -> Self {
        Self { value, parent: None }
    }

    /// The members of an object, repeated keys included; none for any other value.
    pub fn members(&'a self) -> impl Iterator<Item = Self> {
        let members = if let Shape::Object(members) = &self.value.shape { members.as_slice() } else { &[] };
        members.iter().map(move |member| Self { value: &member.value, parent: Some((self, Step::Key(&member.key))) })
    }

    /// The entries of an array; none for any other value.
    pub fn entries(&'a self) -> impl Iterator<Item = Self> {
        let values = if let Shape::Array(values) = &self.value.shape { values.as_slice() } else { &[] };
        values.iter().enumerate().map(move |(index, value)| Self { value, parent: Some((self, Step::Index(index))) })
    }

    pub const fn is_object(&self) -> bool {
        matches!(self.value.shape, Shape::Object(_))
    }

    pub const fn is_array(&self) -> bool {
        matches!(self.value.shape, Shape::Array(_))
    }

    /// A string, number or boolean; `None` for null too.
    pub const fn scalar(&self) -> Option<&'a Scalar> {
        match &self.value.shape {
            Shape::Scalar(scalar) if !self.value.is_null() => Some(scalar),
            _ => None,
        }
    }

    /// Empty for an entry of an array.
    pub fn key(&self) -> &'a str {
        match self.parent {
            Some((_, Step::Key(key))) => &key.text,
            _ => "",
        }
    }

    pub fn location(&self) -> FileLocation {
        FileLocation { pointer: self.pointer(), span: self.value.span }
    }

    /// The location of the key; for an entry of an array, of the value.
    pub fn key_location(&self) -> FileLocation {
        match self.parent {
            Some((_, Step::Key(key))) => FileLocation { pointer: self.pointer(), span: key.span },
            _ => self.location(),
        }
    }

    pub fn spanned_key(&self) -> Spanned<String> {
        Spanned { value: self.key().to_owned(), location: self.key_location() }
    }

    /// The location of the value in a message, such as " in `after`"; empty for the whole file.
    pub fn within(&self) -> String {
        self.parent.map_or_else(String::new, |_| format!(" in {}", self.label()))
    }

    /// What the value is, as the end of "expected …, found …".
    pub fn describe(&self) -> String {
        match &self.value.shape {
            Shape::Array(_) => "an array".to_owned(),
            Shape::Object(_) => "an object".to_owned(),
            Shape::Scalar(_) if self.value.is_null() => "null".to_owned(),
            // Scalars have no types of their own: a number is shown bare, any other text in quotes.
            Shape::Scalar(scalar) if scalar.text.parse::<f64>().is_ok() => {
                truncate(&scalar.text, MAX_NAME).into_owned()
            }
            Shape::Scalar(scalar) => format!("\"{}\"", truncate(&scalar.text, MAX_NAME)),
        }
    }

    fn label(&self) -> String {
        match self.parent {
            None => "a scenario".to_owned(),
            Some((_, Step::Key(key))) => quote(&key.text),
            Some((array, Step::Index(index))) => format!("entry {} of {}", index + 1, array.label()),
        }
    }

    fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut parent = self.parent;
        while let Some((outer, step)) = parent {
            steps.push(match step {
                Step::Key(key) => format!("/{}", escape_step(&key.text)),
                Step::Index(index) => format!("/{index}"),
            });
            parent = outer.parent;
        }
        steps.into_iter().rev().collect()
    }
}
