//! Regular expressions of ECMAScript, as `RegExp` parses them without flags: their errors, and strings that they match.

use oxc_allocator::Allocator;
use oxc_regular_expression::ast::{
    CharacterClass, CharacterClassContents, CharacterClassEscapeKind, Disjunction, LookAroundAssertionKind, Quantifier,
    Term,
};
use oxc_regular_expression::{LiteralParser, Options};

use super::with_stack;
use crate::common::collections::HashMap;

/// In bytes. Longer patterns are not checked, because the parser takes quadratic time for some.
pub const MAX_PATTERN_BYTES: usize = 4096;
/// Bytes of stack. The parser recurses with each group: this is twice what one takes, measured without
/// optimization. It is address space; memory is only what is used.
const STACK_PER_GROUP: usize = 32 << 10;
const MIN_STACK: usize = 1 << 20;

/// Why a pattern is not a valid regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    pub message: String,
    /// A byte of the pattern.
    pub offset: usize,
}

/// The error of each pattern, if it has one.
///
/// A pattern that is too long to be checked counts as valid, and so do all of them when no thread with
/// enough stack can be started.
pub fn syntax_errors(patterns: &[&str]) -> Vec<Option<PatternError>> {
    let mut checked: Vec<&str> =
        patterns.iter().copied().filter(|pattern| pattern.len() <= MAX_PATTERN_BYTES).collect();
    checked.sort_unstable();
    checked.dedup();
    let found = parse(&checked).unwrap_or_default();
    let errors: HashMap<&str, Option<PatternError>> = checked.into_iter().zip(found).collect();
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

/// UTF-16 code units of a sample; a longer one is not made.
const MAX_UNITS: usize = 4096;
/// Alternatives at the top of a pattern of which samples are made.
const MAX_ALTERNATIVES: usize = 8;

/// How a sample is made.
#[derive(Clone, Copy, Default)]
struct Variant {
    /// What a `*`, `+` or `{n,}` repeats beyond its minimum, as far as its maximum allows.
    more: u64,
    /// The characters that are chosen first.
    preferred: &'static str,
}

const VARIANTS: [Variant; 5] = [
    Variant { more: 3, preferred: "Aa1" },
    Variant { more: 0, preferred: "Aa1" },
    Variant { more: 1, preferred: "1aA" },
    Variant { more: 8, preferred: "aA1" },
    Variant { more: 16, preferred: "1Aa" },
];

/// Characters to choose from when none of the preferred ones fits.
const USUAL: &str = "aA1 -_.,:;@/+#*!?=%&()[]{}<>'\"$~^|\\`éÄß\n\t";

/// Strings that a pattern is likely to match, in a fixed order, the likeliest first; none for a pattern that is invalid or too long.
/// Lookarounds, boundaries and references are only guessed at: whoever needs a match tries the samples with an engine.
pub fn pattern_samples(pattern: &str) -> Vec<String> {
    if pattern.len() > MAX_PATTERN_BYTES {
        return Vec::new();
    }
    let groups = pattern.bytes().filter(|&byte| byte == b'(').count();
    with_stack(MIN_STACK + groups * STACK_PER_GROUP, || samples(pattern)).unwrap_or_default()
}

fn samples(pattern: &str) -> Vec<String> {
    let allocator = Allocator::default();
    let Ok(parsed) = LiteralParser::new(&allocator, pattern, None, Options::default()).parse() else {
        return Vec::new();
    };
    let mut samples = Vec::new();
    let alternatives = parsed.body.body.len().min(MAX_ALTERNATIVES);
    for variant in VARIANTS {
        for alternative in 0..alternatives {
            let mut sample = Sample { variant, ..Sample::default() };
            if sample.alternative(&parsed.body, alternative).is_none() {
                continue;
            }
            for units in sample.variants() {
                samples.extend(String::from_utf16(&units).ok().filter(|text| !samples.contains(text)));
            }
        }
    }
    samples
}

/// A string that is being made.
#[derive(Default)]
struct Sample {
    variant: Variant,
    /// UTF-16: a pattern without flags matches code units.
    units: Vec<u16>,
    /// The strings that lookaheads demand, each from its position.
    wanted: Vec<Vec<u16>>,
    /// The texts of the groups so far.
    groups: Vec<Vec<u16>>,
}

impl Sample {
    /// The string itself, and with what the lookaheads want in place of its beginning.
    fn variants(self) -> Vec<Vec<u16>> {
        let wanted = self.wanted.concat();
        let with_wanted: Vec<u16> =
            wanted.iter().chain(self.units.get(wanted.len()..).unwrap_or_default()).copied().collect();
        if wanted.is_empty() { vec![self.units] } else { vec![with_wanted, self.units] }
    }

    /// `None` when the string becomes too long, or nothing can match.
    fn alternative(&mut self, body: &Disjunction<'_>, index: usize) -> Option<()> {
        body.body.get(index)?.body.iter().try_for_each(|term| self.term(term))
    }

    fn push(&mut self, character: char) {
        self.units.extend(character.encode_utf16(&mut [0; 2]).iter());
    }

    fn term(&mut self, term: &Term<'_>) -> Option<()> {
        match term {
            Term::BoundaryAssertion(_) | Term::UnicodePropertyEscape(_) => {}
            Term::LookAroundAssertion(assertion) => {
                if assertion.kind == LookAroundAssertionKind::Lookahead {
                    let mut inside = Self { variant: Variant { more: 0, ..self.variant }, ..Self::default() };
                    inside.alternative(&assertion.body, 0)?;
                    self.wanted.push(inside.units);
                }
            }
            Term::Quantifier(quantifier) => self.quantifier(quantifier)?,
            Term::Character(character) => match u16::try_from(character.value) {
                Ok(unit) => self.units.push(unit),
                Err(_) => self.push(char::from_u32(character.value)?),
            },
            Term::Dot(_) => self.push(self.chosen(|_| true)?),
            Term::CharacterClassEscape(escape) => self.push(self.chosen(|one| is_in_escape(escape.kind, one))?),
            Term::CharacterClass(class) => self.class(class)?,
            Term::CapturingGroup(group) => {
                let start = self.units.len();
                self.alternative(&group.body, 0)?;
                self.groups.push(self.units.get(start..).unwrap_or_default().to_vec());
            }
            Term::IgnoreGroup(group) => self.alternative(&group.body, 0)?,
            Term::IndexedReference(reference) => {
                let index = usize::try_from(reference.index).ok()?.checked_sub(1)?;
                self.units.extend(self.groups.get(index).cloned().unwrap_or_default());
            }
            Term::NamedReference(_) => self.units.extend(self.groups.last().cloned().unwrap_or_default()),
        }
        (self.units.len() <= MAX_UNITS).then_some(())
    }

    fn quantifier(&mut self, quantifier: &Quantifier<'_>) -> Option<()> {
        let most = quantifier.max.unwrap_or(u64::MAX);
        let times = quantifier.min.saturating_add(self.variant.more).min(most);
        for _ in 0..times {
            let before = (self.units.len(), self.wanted.len(), self.groups.len());
            self.term(&quantifier.body)?;
            // If an iteration added nothing, no further one will.
            if before == (self.units.len(), self.wanted.len(), self.groups.len()) {
                break;
            }
            if self.groups.len() > MAX_UNITS || self.wanted.len() > MAX_UNITS {
                return None;
            }
        }
        Some(())
    }

    fn class(&mut self, class: &CharacterClass<'_>) -> Option<()> {
        let is_in = |one: char| class.body.iter().any(|part| is_in_part(part, one)) != class.negative;
        if let Some(chosen) = self.chosen(is_in) {
            self.push(chosen);
            return Some(());
        }
        // None of the usual ones: the first that the class names.
        let first = class.body.iter().find_map(|part| match part {
            CharacterClassContents::CharacterClassRange(range) => Some(range.min.value),
            CharacterClassContents::Character(character) => Some(character.value),
            _ => None,
        });
        match first.filter(|_| !class.negative) {
            Some(value) => match u16::try_from(value) {
                Ok(unit) => self.units.push(unit),
                Err(_) => self.push(char::from_u32(value)?),
            },
            None => return None,
        }
        Some(())
    }

    fn chosen(&self, is_in: impl Fn(char) -> bool) -> Option<char> {
        let usual = USUAL.chars().chain('0'..='9').chain('B'..='Z').chain('b'..='z');
        self.variant.preferred.chars().chain(usual).find(|one| is_in(*one))
    }
}

fn is_in_part(part: &CharacterClassContents<'_>, one: char) -> bool {
    let value = u32::from(one);
    match part {
        CharacterClassContents::CharacterClassRange(range) => (range.min.value..=range.max.value).contains(&value),
        CharacterClassContents::CharacterClassEscape(escape) => is_in_escape(escape.kind, one),
        CharacterClassContents::Character(character) => character.value == value,
        _ => false,
    }
}

fn is_in_escape(kind: CharacterClassEscapeKind, one: char) -> bool {
    let is_word = one.is_ascii_alphanumeric() || one == '_';
    match kind {
        CharacterClassEscapeKind::D => one.is_ascii_digit(),
        CharacterClassEscapeKind::NegativeD => !one.is_ascii_digit(),
        CharacterClassEscapeKind::S => one.is_whitespace(),
        CharacterClassEscapeKind::NegativeS => !one.is_whitespace(),
        CharacterClassEscapeKind::W => is_word,
        CharacterClassEscapeKind::NegativeW => !is_word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(pattern: &str) -> Option<PatternError> {
        syntax_errors(&[pattern]).remove(0)
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
    fn deep_and_long_patterns_neither_crash_nor_hang() {
        for piece in ["(", "(?:", "(|", "(?=", "(?<a>", "[a", "a{1,2}"] {
            syntax_errors(&[&piece.repeat(MAX_PATTERN_BYTES / piece.len()), &piece.repeat(65_536)]);
        }
        let balanced = format!("{}{}", "(".repeat(MAX_PATTERN_BYTES / 2), ")".repeat(MAX_PATTERN_BYTES / 2));
        assert_eq!(error(&balanced), None);
        assert_eq!(error(&"(".repeat(65_536)), None, "not checked");
    }

    #[test]
    fn samples_follow_the_pattern() {
        for (pattern, sample) in [
            (r"^\d{8}-?\d{4}$", "11111111-1111"),
            ("^(GET|POST)$", "GET"),
            ("^[^a-zA-Z0-9]{2}$", "  "),
            (r"^(\w)x\1$", "AxA"),
            ("^[\u{4e00}-\u{4eff}]$", "\u{4e00}"),
            ("^😀+$", "😀"),
            (r"^(?=.*\d)(?=.*[A-Z])[A-Za-z\d]{8,}$", "1AAAAAAA"),
            ("", ""),
        ] {
            let samples = pattern_samples(pattern);
            assert!(samples.iter().any(|found| found == sample), "{pattern}: {samples:?}");
        }
        assert_eq!(pattern_samples("("), [""; 0]);
    }

    #[test]
    fn hostile_patterns_end() {
        for pattern in
            ["a{99999999}", "(a{1000}){1000}", "(?:){99999999999}", "((){9999}){9999}", "(?=(?=a){9999}){9999}"]
        {
            pattern_samples(pattern);
        }
        for piece in ["(", "(?:a", "[a-", "a{1,2}"] {
            pattern_samples(&piece.repeat(4096 / piece.len()));
        }
        pattern_samples(&format!("{}{}", "(".repeat(2048), ")".repeat(2048)));
    }
}
