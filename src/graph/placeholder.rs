//! `{Name}` in the body of an Assign (docs/concepts.md, Placeholder).

use std::ops::Range;

/// A placeholder in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder<'t> {
    /// The name between the braces.
    pub name: &'t str,
    /// The bytes of the text that it takes, braces included.
    pub range: Range<usize>,
}

/// The placeholders of a text, from left to right: `{`, a letter or `_`, then letters, digits, `_`
/// or `-`, and `}`; all else is text.
pub fn placeholders(body: &str) -> impl Iterator<Item = Placeholder<'_>> {
    body.match_indices('{').filter_map(|(start, _)| {
        let inside = body.get(start + 1..)?;
        let len = inside.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))?;
        let name = inside.get(..len)?;
        let begins_well = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let is_closed = inside.get(len..)?.starts_with('}');
        (begins_well && is_closed).then_some(Placeholder { name, range: start..start + len + 2 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(body: &str) -> Vec<&str> {
        placeholders(body).map(|placeholder| placeholder.name).collect()
    }

    #[test]
    fn names_are_letters_digits_and_two_signs() {
        assert_eq!(names("a {Name}, {_x-1} and {Ärende}"), ["Name", "_x-1", "Ärende"]);
        assert_eq!(names("{} {1a} {a b} {a.b} {open {Inner} }"), ["Inner"]);
        assert_eq!(names("{\"Key\": \"{Value}\"}"), ["Value"]);
        assert_eq!(placeholders("é{N}").next().map(|found| found.range), Some(2..5));
    }
}
