//! Placeholders: `{Name}` in the body of an Assign (docs/concepts.md, Placeholder).

use std::cell::LazyCell;
use std::ops::Range;

use super::scope::Scope;
use crate::common::collections::HashSet;
use crate::model::Assign;

/// A placeholder in a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder<'t> {
    /// Without the braces.
    pub name: &'t str,
    /// In bytes, with the braces.
    pub range: Range<usize>,
}

/// The placeholders of a string, from left to right. A name that is no identifier is one only if `is_variable` knows it:
/// other braces, as those of JSON, are text.
pub fn placeholders<'t>(text: &'t str, is_variable: impl Fn(&str) -> bool) -> impl Iterator<Item = Placeholder<'t>> {
    braces(text).filter(move |found| is_identifier(found.name) || is_variable(found.name))
}

/// The placeholders in the body of an Assign: the names that `assignedVariables` lists are known as well.
pub fn placeholders_of<'d>(
    assign: &Assign<'d>,
    is_variable: impl Fn(&str) -> bool,
) -> impl Iterator<Item = Placeholder<'d>> {
    let listed = LazyCell::new(|| assign.listed().collect::<HashSet<&str>>());
    let body = assign.body.value().unwrap_or_default();
    placeholders(body, move |name| is_variable(name) || listed.contains(name))
}

/// The parts of a string in braces, without braces in them.
pub fn braces(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    text.match_indices('{').filter_map(|(start, _)| {
        let inside = text.get(start + 1..)?;
        let name = inside.get(..inside.find(['{', '}'])?)?;
        let is_closed = inside.get(name.len()..)?.starts_with('}');
        is_closed.then_some(Placeholder { name, range: start..start + name.len() + 2 })
    })
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
}

impl Scope<'_> {
    /// The placeholders of a string that is not the body of an Assign.
    pub fn placeholders<'t>(&self, text: &'t str) -> impl Iterator<Item = Placeholder<'t>> {
        placeholders(text, |name| self.has(name))
    }

    /// The placeholders in the body of an Assign.
    pub fn placeholders_of<'d>(&self, assign: &Assign<'d>) -> impl Iterator<Item = Placeholder<'d>> {
        placeholders_of(assign, |name| self.has(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(body: &str) -> Vec<&str> {
        placeholders(body, |name| matches!(name, "a b" | "a.b" | "1a")).map(|placeholder| placeholder.name).collect()
    }

    #[test]
    fn identifiers_and_names_of_variables_are_placeholders() {
        assert_eq!(names("a {Name}, {_x-1} and {Ärende}"), ["Name", "_x-1", "Ärende"]);
        assert_eq!(names("{} {2a} {a c} {a  b} {A.b} {open {Inner} }"), ["Inner"]);
        assert_eq!(names("{a b}{a.b} {1a} { a.b}"), ["a b", "a.b", "1a"]);
        assert_eq!(names("{\"Key\": \"{Value}\", \"Other\": \"{a b}\"}"), ["Value", "a b"]);
        let range = placeholders("é{N}", |_| false).next().map(|found| found.range);
        assert_eq!(range, Some(2..5));
    }
}
