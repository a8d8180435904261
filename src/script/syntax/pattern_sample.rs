//! Strings that match the regular expressions of a script.

use std::fmt::Write;

use oxc_allocator::Allocator;
use oxc_ast::ast::RegExpLiteral;
use oxc_regular_expression::ast::{
    CharacterClass, CharacterClassContents, CharacterClassEscapeKind, Disjunction, Pattern, Quantifier, Term,
};
use oxc_regular_expression::{LiteralParser, Options};

/// A string that a regular expression matches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PatternSample {
    pub text: String,
    /// The offsets of letters in it that stand for the free text of a capturing group, such as `(.*)`.
    free: Vec<usize>,
    /// Whether nothing may stand before it (`^`).
    pub is_anchored: bool,
}

impl PatternSample {
    /// The string with a number before it, where something may stand there, and in each of its free texts.
    pub fn text_of(&self, number: usize) -> String {
        let mut text = if self.is_anchored { String::new() } else { format!("name{number}") };
        let mut copied = 0;
        for (at, letter) in self.free.iter().zip(('a'..='z').cycle()) {
            text.push_str(self.text.get(copied..*at).unwrap_or_default());
            let _ = write!(text, "name{number:02}{letter}");
            copied = at + 1;
        }
        text.push_str(self.text.get(copied..).unwrap_or_default());
        text
    }
}

/// Longer samples are not made, in bytes.
const MAX_LENGTH: usize = 200;

/// That of a literal.
pub(super) fn of_literal(literal: &RegExpLiteral<'_>) -> Option<PatternSample> {
    sample(literal.regex.pattern.pattern.as_ref()?)
}

/// That of the string that `RegExp` is called with.
pub(super) fn of_text(pattern: &str) -> Option<PatternSample> {
    // The parser takes quadratic time for some longer ones, and its stack is that of the script.
    const MAX_BYTES: usize = 1024;
    const MAX_GROUPS: usize = 16;
    let groups = pattern.bytes().filter(|byte| *byte == b'(').count();
    if pattern.len() > MAX_BYTES || groups > MAX_GROUPS {
        return None;
    }
    let allocator = Allocator::default();
    sample(&LiteralParser::new(&allocator, pattern, None, Options::default()).parse().ok()?)
}

/// `None` if the pattern asks for too much. The sample of an unusual pattern may not match.
fn sample(pattern: &Pattern<'_>) -> Option<PatternSample> {
    let mut making = Making::default();
    making.add_first(&pattern.body)?;
    let Making { text, free, .. } = making;
    let first = pattern.body.body.first().and_then(|alternative| alternative.body.first());
    let is_anchored = matches!(first, Some(Term::BoundaryAssertion(_)));
    Some(PatternSample { text, free, is_anchored }).filter(|sample| !sample.text.is_empty())
}

/// A sample that is being made.
#[derive(Default)]
struct Making {
    text: String,
    free: Vec<usize>,
    is_in_group: bool,
}

impl Making {
    fn add_first(&mut self, alternatives: &Disjunction<'_>) -> Option<()> {
        let first = alternatives.body.first()?;
        first.body.iter().try_for_each(|term| self.add(term))
    }

    fn add(&mut self, term: &Term<'_>) -> Option<()> {
        if self.text.len() > MAX_LENGTH {
            return None;
        }
        match term {
            Term::Character(character) => self.text.push(char::from_u32(character.value)?),
            Term::Dot(_) | Term::UnicodePropertyEscape(_) => self.text.push('a'),
            Term::CharacterClassEscape(escape) => self.text.push(of_escape(escape.kind)),
            Term::CharacterClass(class) => self.text.push(of_class(class)?),
            Term::CapturingGroup(group) => {
                let is_inside = std::mem::replace(&mut self.is_in_group, true);
                self.add_first(&group.body)?;
                self.is_in_group = is_inside;
            }
            Term::IgnoreGroup(group) => self.add_first(&group.body)?,
            Term::Quantifier(quantifier) if self.is_in_group && is_free(quantifier) => {
                self.free.push(self.text.len());
                self.text.push('a');
            }
            Term::Quantifier(quantifier) => {
                // Something rather than nothing, where both match.
                let times = quantifier.min.max(u64::from(quantifier.max != Some(0)));
                for _ in 0..times {
                    self.add(&quantifier.body)?;
                }
            }
            Term::BoundaryAssertion(_)
            | Term::LookAroundAssertion(_)
            | Term::IndexedReference(_)
            | Term::NamedReference(_) => {}
        }
        Some(())
    }
}

/// Whether any lower-case letters and digits match.
fn is_free(quantifier: &Quantifier<'_>) -> bool {
    let is_any = match &quantifier.body {
        Term::Dot(_) => true,
        Term::CharacterClass(class) => {
            let mut letters = ('a'..='z').chain('0'..='9');
            class.negative && letters.all(|letter| !class.body.iter().any(|member| contains(member, letter)))
        }
        _ => false,
    };
    is_any && quantifier.min <= 1 && quantifier.max.is_none()
}

const fn of_escape(kind: CharacterClassEscapeKind) -> char {
    match kind {
        CharacterClassEscapeKind::D => '1',
        CharacterClassEscapeKind::S => ' ',
        CharacterClassEscapeKind::NegativeW => '-',
        CharacterClassEscapeKind::W | CharacterClassEscapeKind::NegativeD | CharacterClassEscapeKind::NegativeS => 'a',
    }
}

fn of_class(class: &CharacterClass<'_>) -> Option<char> {
    if class.negative {
        let is_in = |letter: char| class.body.iter().any(|member| contains(member, letter));
        return ['a', '1', '-', ' ', '_'].into_iter().find(|letter| !is_in(*letter));
    }
    class.body.first().and_then(|member| match member {
        CharacterClassContents::CharacterClassRange(range) => char::from_u32(range.min.value),
        CharacterClassContents::Character(character) => char::from_u32(character.value),
        CharacterClassContents::CharacterClassEscape(escape) => Some(of_escape(escape.kind)),
        CharacterClassContents::UnicodePropertyEscape(_) => Some('a'),
        CharacterClassContents::NestedCharacterClass(class) => of_class(class),
        CharacterClassContents::ClassStringDisjunction(_) => None,
    })
}

fn contains(member: &CharacterClassContents<'_>, letter: char) -> bool {
    match member {
        CharacterClassContents::CharacterClassRange(range) => {
            (range.min.value..=range.max.value).contains(&u32::from(letter))
        }
        CharacterClassContents::Character(character) => character.value == u32::from(letter),
        CharacterClassContents::CharacterClassEscape(escape) => match escape.kind {
            CharacterClassEscapeKind::D => letter.is_ascii_digit(),
            CharacterClassEscapeKind::S => letter == ' ',
            CharacterClassEscapeKind::W => letter.is_ascii_alphanumeric() || letter == '_',
            _ => false,
        },
        _ => false,
    }
}
