//! A value of a scenario file, with the path to it.

use crate::diagnostic::quote;
use crate::document::escape_step;
use crate::simulate::scenario::location::{FileLocation, Spanned};
use crate::simulate::scenario::syntax::{Key, Scalar, Shape, Value};
use crate::text::{MAX_NAME, truncate};

/// A value and what it lies in. Its pointer is built only on demand: most values have no problem.
#[derive(Debug, Clone, Copy)]
pub struct ValueRef<'a> {
    pub value: &'a Value,
    parent: Option<(&'a ValueRef<'a>, Step<'a>)>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(&'a Key),
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
