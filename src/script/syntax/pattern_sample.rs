//! Strings that match the regular expressions of a script.

use oxc_allocator::Allocator;
use oxc_ast::ast::RegExpLiteral;
use oxc_regular_expression::ast::{
    CharacterClass, CharacterClassContents, CharacterClassEscapeKind, Disjunction, Pattern, Term,
};
use oxc_regular_expression::{LiteralParser, Options};

/// A string that a regular expression matches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PatternSample {
    pub text: String,
    /// Whether nothing may stand before it (`^`).
    pub is_anchored: bool,
}

impl PatternSample {
    /// The string with a number before it, where something may stand there.
    pub fn text_of(&self, number: usize) -> String {
        if self.is_anchored { self.text.clone() } else { format!("name{number}{}", self.text) }
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
    let mut text = String::new();
    add_first(&pattern.body, &mut text)?;
    let first = pattern.body.body.first().and_then(|alternative| alternative.body.first());
    let is_anchored = matches!(first, Some(Term::BoundaryAssertion(_)));
    Some(PatternSample { text, is_anchored }).filter(|sample| !sample.text.is_empty())
}

fn add_first(alternatives: &Disjunction<'_>, text: &mut String) -> Option<()> {
    let first = alternatives.body.first()?;
    first.body.iter().try_for_each(|term| add(term, text))
}

fn add(term: &Term<'_>, text: &mut String) -> Option<()> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    match term {
        Term::Character(character) => text.push(char::from_u32(character.value)?),
        Term::Dot(_) | Term::UnicodePropertyEscape(_) => text.push('a'),
        Term::CharacterClassEscape(escape) => text.push(of_escape(escape.kind)),
        Term::CharacterClass(class) => text.push(of_class(class)?),
        Term::CapturingGroup(group) => add_first(&group.body, text)?,
        Term::IgnoreGroup(group) => add_first(&group.body, text)?,
        Term::Quantifier(quantifier) => {
            // Something rather than nothing, where both match.
            let times = quantifier.min.max(u64::from(quantifier.max != Some(0)));
            for _ in 0..times {
                add(&quantifier.body, text)?;
            }
        }
        Term::BoundaryAssertion(_)
        | Term::LookAroundAssertion(_)
        | Term::IndexedReference(_)
        | Term::NamedReference(_) => {}
    }
    Some(())
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
