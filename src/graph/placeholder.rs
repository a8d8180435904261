//! `{Name}` in the body of an Assign (docs/concepts.md, Placeholder).

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder<'t> {
    /// Without the braces.
    pub name: &'t str,
    /// In bytes, with the braces.
    pub range: Range<usize>,
}

/// The placeholders of a body, from left to right.
pub fn placeholders(body: &str) -> impl Iterator<Item = Placeholder<'_>> {
    body.match_indices('{').filter_map(|(start, _)| {
        let inside = body.get(start + 1..)?;
        let len = inside.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))?;
        let name = inside.get(..len)?;
        let has_valid_start = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let is_closed = inside.get(len..)?.starts_with('}');
        (has_valid_start && is_closed).then_some(Placeholder { name, range: start..start + len + 2 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(body: &str) -> Vec<&str> {
        placeholders(body).map(|placeholder| placeholder.name).collect()
    }

    #[test]
    fn names_consist_of_letters_digits_underscores_and_hyphens() {
        assert_eq!(names("a {Name}, {_x-1} and {Ärende}"), ["Name", "_x-1", "Ärende"]);
        assert_eq!(names("{} {1a} {a b} {a.b} {open {Inner} }"), ["Inner"]);
        assert_eq!(names("{\"Key\": \"{Value}\"}"), ["Value"]);
        assert_eq!(placeholders("é{N}").next().map(|found| found.range), Some(2..5));
    }
}
