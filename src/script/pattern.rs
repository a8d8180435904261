//! Regular expressions of ECMAScript, as `RegExp` reads them without flags.

use oxc_allocator::Allocator;
use oxc_regular_expression::{LiteralParser, Options};

use super::stack::with_stack;

/// Longer patterns are not looked at: the parser takes time with the square of some.
const LONGEST: usize = 4096;
/// The parser recurses with each group; what it takes for one, measured, in a build without
/// optimization, and doubled. Address space, of which only what is used is given.
const STACK_OF_A_GROUP: usize = 32 << 10;
const STACK: usize = 1 << 20;

/// Why each of these patterns is no regular expression, and at which byte; `None` for one that is.
///
/// What is too long to be looked at counts as one, and so does every pattern where no thread can be
/// had that has the stack.
pub fn syntax_errors(patterns: &[&str]) -> Vec<Option<(String, usize)>> {
    let groups = |pattern: &&str| pattern.bytes().filter(|&byte| byte == b'(').count();
    let most = patterns.iter().filter(|pattern| pattern.len() <= LONGEST).map(groups).max().unwrap_or_default();
    let none = || vec![None; patterns.len()];
    let check = || patterns.iter().map(|pattern| syntax_error(pattern)).collect();
    with_stack(STACK + most * STACK_OF_A_GROUP, check).unwrap_or_else(none)
}

fn syntax_error(pattern: &str) -> Option<(String, usize)> {
    if pattern.len() > LONGEST {
        return None;
    }
    let allocator = Allocator::default();
    let error = LiteralParser::new(&allocator, pattern, None, Options::default()).parse().err()?;
    let message = error.message.strip_prefix("Invalid regular expression: ").unwrap_or(&error.message);
    // A count of any size is a count (ECMA-262, Quantifier).
    if message.starts_with("Number is too large") {
        return None;
    }
    let place = error.labels.iter().flatten().next().map_or(0, |label| label.offset());
    Some((lower_first(message), place))
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(pattern: &str) -> Option<(String, usize)> {
        syntax_errors(&[pattern]).remove(0)
    }

    #[test]
    fn what_browsers_accept_without_flags_is_accepted() {
        let accepted = [
            "",
            r"^\d{8}-?\d{4}$",
            "a{,5}",
            "x{",
            "]",
            r"\k<n>",
            r"\8",
            r"\c",
            r"\u{1F600}",
            "(?=a)*",
            "(?<=a)b",
            "(?i:a)",
            "[]",
            "[^]",
            "(?<a>x)|(?<a>y)",
            "a{99999999999999999999}",
            "/",
        ];
        for pattern in accepted {
            assert_eq!(error(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn what_they_refuse_is_told_with_its_place() {
        assert_eq!(error("^(a").unwrap(), ("unterminated capturing group".to_owned(), 1));
        for pattern in ["(", ")", "[", "*", "a**", "a{2,1}", "[z-a]", "\\", "(?i)a", "(?P<n>a)", "(?>a)", "(?<=a)*"] {
            assert!(error(pattern).is_some(), "{pattern}");
        }
    }

    #[test]
    fn deep_and_long_patterns_neither_crash_nor_hang() {
        for piece in ["(", "(?:", "(|", "(?=", "(?<a>", "[a", "a{1,2}"] {
            syntax_errors(&[&piece.repeat(LONGEST / piece.len()), &piece.repeat(65_536)]);
        }
        let balanced = format!("{}{}", "(".repeat(LONGEST / 2), ")".repeat(LONGEST / 2));
        assert_eq!(error(&balanced), None);
        assert_eq!(error(&"(".repeat(65_536)), None, "not looked at");
    }
}
