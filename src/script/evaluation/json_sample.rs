//! Sample values for parameters that a script parses as JSON: they have the keys that it reads.

use serde_json::{Map, Value};

use super::values::{NUMBERS_PER_VALUE, likely};
use crate::script::syntax::{Clues, InputKey, Shape};

/// The root of the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Root {
    /// Whose lists have objects.
    Object,
    /// Whose lists have strings.
    ObjectOfTexts,
    ListOfObjects,
    ListOfTexts,
}

impl Root {
    /// The expected values of a script, the most likely first.
    pub fn expected(parsed: Option<Shape>, keys: &[InputKey]) -> [Self; 4] {
        match parsed {
            Some(Shape::List) => [Self::ListOfObjects, Self::ListOfTexts, Self::Object, Self::ObjectOfTexts],
            Some(Shape::Text) if keys.is_empty() => {
                [Self::ListOfTexts, Self::ListOfObjects, Self::Object, Self::ObjectOfTexts]
            }
            _ => [Self::Object, Self::ObjectOfTexts, Self::ListOfObjects, Self::ListOfTexts],
        }
    }
}

pub(super) struct JsonSample<'c> {
    pub clues: &'c Clues,
    /// A key and the value that it has everywhere.
    pub constant: Option<(&'c str, &'c str)>,
}

/// How deep objects are nested in each other.
const MAX_DEPTH: usize = 2;

/// The elements of an array.
const ELEMENTS: usize = 2;

/// With more keys, objects are not nested.
const MAX_NESTED_KEYS: usize = 20;

impl JsonSample<'_> {
    pub fn text(&self, root: Root, number: usize) -> String {
        let mut number = number * NUMBERS_PER_VALUE;
        let depth = if self.clues.keys.len() > MAX_NESTED_KEYS { MAX_DEPTH } else { 0 };
        let value = match root {
            Root::Object | Root::ObjectOfTexts => self.object(root, &mut number, depth),
            Root::ListOfObjects => self.list(root, &mut number, depth),
            Root::ListOfTexts => (0..=ELEMENTS).map(|_| self.text_of("mail", &mut number)).collect(),
        };
        value.to_string()
    }

    fn list(&self, root: Root, number: &mut usize, depth: usize) -> Value {
        (0..ELEMENTS).map(|_| self.object(root, number, depth)).collect()
    }

    fn object(&self, root: Root, number: &mut usize, depth: usize) -> Value {
        let mut object = Map::new();
        for key in &self.clues.keys {
            let value = match (self.constant, key.shape) {
                (Some((name, constant)), _) if name == key.name => Value::String(constant.to_owned()),
                (_, Shape::Object) if depth < MAX_DEPTH => self.object(root, number, depth + 1),
                (_, Shape::List) if root == Root::ObjectOfTexts => {
                    (0..ELEMENTS).map(|_| self.text_of(&key.name, number)).collect()
                }
                (_, Shape::List) if depth < MAX_DEPTH => self.list(root, number, depth + 1),
                (_, Shape::List) => Value::Array(Vec::new()),
                _ => self.text_of(&key.name, number),
            };
            object.insert(key.name.clone(), value);
        }
        if object.is_empty() {
            object.insert("Name".to_owned(), self.text_of("name", number));
            object.insert("Mail".to_owned(), self.text_of("mail", number));
        }
        Value::Object(object)
    }

    /// A value of the kind that the name of its key suggests. Each has a number of its own.
    fn text_of(&self, name: &str, number: &mut usize) -> Value {
        let value = likely(self.clues, name, *number);
        *number += 1;
        Value::String(value)
    }
}
