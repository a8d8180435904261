//! A value of a scenario file, and the way to it.

use super::tree::{Key, Scalar, Shape, Value};
use super::{Place, Spanned};
use crate::diagnostic::quote;

/// A value, and the items around it, of which its pointer is made when somebody asks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'a> {
    pub value: &'a Value,
    around: Option<(&'a Item<'a>, Step<'a>)>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(&'a Key),
    Index(usize),
}

impl<'a> Item<'a> {
    /// The whole file.
    pub(super) const fn root(value: &'a Value) -> Self {
        Self { value, around: None }
    }

    /// The members of a map, repeated keys included; none for any other value.
    pub(super) fn members(&'a self) -> impl Iterator<Item = Self> {
        let members = if let Shape::Map(members) = &self.value.shape { members.as_slice() } else { &[] };
        members.iter().map(move |member| Self { value: &member.value, around: Some((self, Step::Key(&member.key))) })
    }

    /// The entries of a list; none for any other value.
    pub(super) fn entries(&'a self) -> impl Iterator<Item = Self> {
        let values = if let Shape::List(values) = &self.value.shape { values.as_slice() } else { &[] };
        values.iter().enumerate().map(move |(index, value)| Self { value, around: Some((self, Step::Index(index))) })
    }

    pub(super) const fn is_map(&self) -> bool {
        matches!(self.value.shape, Shape::Map(_))
    }

    pub(super) const fn is_list(&self) -> bool {
        matches!(self.value.shape, Shape::List(_))
    }

    /// A text that is there: no list, no map, and not nothing.
    pub(super) const fn scalar(&self) -> Option<&'a Scalar> {
        match &self.value.shape {
            Shape::Scalar(scalar) if !self.value.is_null() => Some(scalar),
            _ => None,
        }
    }

    /// Its key; empty for what lies in a list.
    pub(super) fn key(&self) -> &'a str {
        match self.around {
            Some((_, Step::Key(key))) => &key.text,
            _ => "",
        }
    }

    /// Where the value is.
    pub(super) fn place(&self) -> Place {
        Place { pointer: self.pointer(), span: self.value.span }
    }

    /// Where its key is; for what lies in a list, where the value is.
    pub(super) fn key_place(&self) -> Place {
        match self.around {
            Some((_, Step::Key(key))) => Place { pointer: self.pointer(), span: key.span },
            _ => self.place(),
        }
    }

    /// Its key with its place.
    pub(super) fn spanned_key(&self) -> Spanned<String> {
        Spanned { value: self.key().to_owned(), place: self.key_place() }
    }

    /// What a message calls it.
    pub(super) fn label(&self) -> String {
        match self.around {
            None => "a scenario".to_owned(),
            Some((_, Step::Key(key))) => quote(&key.text),
            Some((list, Step::Index(index))) => format!("entry {} of {}", index + 1, list.label()),
        }
    }

    fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut around = self.around;
        while let Some((outer, step)) = around {
            steps.push(match step {
                Step::Key(key) => format!("/{}", crate::document::escape_step(&key.text)),
                Step::Index(index) => format!("/{index}"),
            });
            around = outer.around;
        }
        steps.into_iter().rev().collect()
    }
}
