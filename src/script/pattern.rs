//! Regular expressions of ECMAScript, as `RegExp` parses them without flags.

use std::sync::{Mutex, MutexGuard, PoisonError};

use oxc_allocator::Allocator;
use oxc_regular_expression::{LiteralParser, Options};

use super::stack::with_stack;
use crate::collections::HashMap;

/// In bytes. Longer patterns are not checked, because the parser takes quadratic time for some.
pub const MAX_PATTERN_BYTES: usize = 4096;
/// Bytes of stack. The parser recurses with each group: this is twice what one takes, measured without
/// optimization. It is address space; memory is only what is used.
const STACK_PER_GROUP: usize = 32 << 10;
const MIN_STACK: usize = 1 << 20;

/// Patterns that are kept for other services and the next lint. Most services have the same few.
const MAX_KEPT: usize = 256;

/// Why a pattern is not a valid regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    pub message: String,
    /// A byte of the pattern.
    pub offset: usize,
}

/// Patterns that were parsed, with their errors.
#[derive(Debug, Default)]
pub struct ParsedPatterns(Mutex<HashMap<Box<str>, Option<PatternError>>>);

impl ParsedPatterns {
    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Option<PatternError>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, patterns: &[&str], errors: &[Option<PatternError>]) {
        let mut kept = self.lock();
        for (&pattern, error) in patterns.iter().zip(errors) {
            // An editor brings ever new ones.
            if kept.len() >= MAX_KEPT {
                kept.clear();
            }
            kept.insert(pattern.into(), error.clone());
        }
    }
}

/// The error of each pattern, if it has one. Those that were parsed before are not parsed again.
///
/// A pattern that is too long to be checked counts as valid, and so do all of them when no thread with
/// enough stack can be started.
pub fn syntax_errors(patterns: &[&str], parsed: Option<&ParsedPatterns>) -> Vec<Option<PatternError>> {
    let mut errors: HashMap<&str, Option<PatternError>> = HashMap::default();
    if let Some(parsed) = parsed {
        let parsed = parsed.lock();
        errors.extend(patterns.iter().filter_map(|&pattern| Some((pattern, parsed.get(pattern)?.clone()))));
    }
    let is_new = |pattern: &&str| pattern.len() <= MAX_PATTERN_BYTES && !errors.contains_key(pattern);
    let mut new: Vec<&str> = patterns.iter().copied().filter(is_new).collect();
    new.sort_unstable();
    new.dedup();
    if let Some(found) = parse(&new) {
        if let Some(parsed) = parsed {
            parsed.keep(&new, &found);
        }
        errors.extend(new.into_iter().zip(found));
    }
    patterns.iter().map(|pattern| errors.get(pattern).cloned().flatten()).collect()
}

/// The error of each pattern; `None` when no thread with enough stack can be started.
fn parse(patterns: &[&str]) -> Option<Vec<Option<PatternError>>> {
    let groups = |pattern: &&str| pattern.bytes().filter(|&byte| byte == b'(').count();
    let max_groups = patterns.iter().map(groups).max().unwrap_or_default();
    let parse = || patterns.iter().map(|pattern| syntax_error(pattern)).collect();
    with_stack(MIN_STACK + max_groups * STACK_PER_GROUP, parse)
}

fn syntax_error(pattern: &str) -> Option<PatternError> {
    let allocator = Allocator::default();
    let error = LiteralParser::new(&allocator, pattern, None, Options::default()).parse().err()?;
    let message = error.message.strip_prefix("Invalid regular expression: ").unwrap_or(&error.message);
    // ECMA-262 does not limit the number in a quantifier; the parser does.
    if message.starts_with("Number is too large") {
        return None;
    }
    let message = match message {
        "Invalid braced quantifier" => "nothing to repeat",
        other => other,
    };
    let offset = error.labels.iter().flatten().next().map_or(0, |label| label.offset());
    Some(PatternError { message: lower_first(message), offset })
}

/// A text whose first letter is in lower case.
pub(super) fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(pattern: &str) -> Option<PatternError> {
        syntax_errors(&[pattern], None).remove(0)
    }

    #[test]
    fn patterns_that_browsers_accept_are_valid() {
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
    fn invalid_patterns_have_an_error_with_its_offset() {
        let unterminated = PatternError { message: "unterminated capturing group".to_owned(), offset: 1 };
        assert_eq!(error("^(a"), Some(unterminated));
        for pattern in ["(", ")", "[", "*", "a**", "a{2,1}", "[z-a]", "\\", "(?i)a", "(?P<n>a)", "(?>a)", "(?<=a)*"] {
            assert!(error(pattern).is_some(), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_were_parsed_are_not_parsed_again() {
        let parsed = ParsedPatterns::default();
        assert_eq!(syntax_errors(&["a", "(", "a"], Some(&parsed)), [None, error("("), None]);
        assert_eq!(parsed.lock().len(), 2);
        let other = PatternError { message: "kept".to_owned(), offset: 0 };
        parsed.keep(&["("], &[Some(other.clone())]);
        assert_eq!(syntax_errors(&["a", "(", "b"], Some(&parsed)), [None, Some(other), None]);
    }

    #[test]
    fn only_so_many_patterns_are_kept() {
        let parsed = ParsedPatterns::default();
        let patterns: Vec<String> = (0..=MAX_KEPT).map(|number| format!("a{number}")).collect();
        for pattern in &patterns {
            syntax_errors(&[pattern], Some(&parsed));
        }
        assert_eq!(parsed.lock().len(), 1);
        syntax_errors(&[&"b".repeat(MAX_PATTERN_BYTES + 1)], Some(&parsed));
        assert_eq!(parsed.lock().len(), 1, "one that is not parsed is not kept");
    }

    #[test]
    fn deep_and_long_patterns_neither_crash_nor_hang() {
        for piece in ["(", "(?:", "(|", "(?=", "(?<a>", "[a", "a{1,2}"] {
            syntax_errors(&[&piece.repeat(MAX_PATTERN_BYTES / piece.len()), &piece.repeat(65_536)], None);
        }
        let balanced = format!("{}{}", "(".repeat(MAX_PATTERN_BYTES / 2), ")".repeat(MAX_PATTERN_BYTES / 2));
        assert_eq!(error(&balanced), None);
        assert_eq!(error(&"(".repeat(65_536)), None, "not checked");
    }
}
