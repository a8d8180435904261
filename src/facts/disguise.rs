//! Characters that make a text look like another one.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;

use crate::graph::placeholders;

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disguise {
    /// The characters.
    pub part: Range<usize>,
    /// What they are.
    pub kind: DisguiseKind,
}

/// How a text looks like another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisguiseKind {
    /// A character that turns the direction of the text around it (UAX 9, property `Bidi_Control`).
    Control(char),
    /// A word with letters of several scripts (UTS 39, section 5.1), by one that is not of the script
    /// of the others.
    Mixed {
        /// The script of most of its letters.
        usual: Script,
        /// The letter.
        odd: char,
    },
}

/// What first is wrong with a name.
pub fn of_name(name: &str) -> Option<Disguise> {
    control(name).or_else(|| words(name).find_map(|word| mixed(name, word)))
}

/// What first is wrong with a placeholder of a body whose name is not told elsewhere.
pub fn of_placeholder(body: &str, is_told: impl Fn(&str) -> bool) -> Option<Disguise> {
    if body.is_ascii() {
        return None;
    }
    let in_name = placeholders(body).find_map(|placeholder| {
        let start = placeholder.range.start + 1;
        let found = of_name(placeholder.name).filter(|_| !is_told(placeholder.name))?;
        Some(Disguise { part: start + found.part.start..start + found.part.end, ..found })
    });
    in_name.or_else(|| of_split_placeholder(body))
}

/// What would be a placeholder if there were no invisible character in it.
fn of_split_placeholder(body: &str) -> Option<Disguise> {
    body.contains(is_control).then_some(())?;
    body.match_indices('{').find_map(|(start, _)| split_placeholder(body, start))
}

/// A control within braces that hold a placeholder but for it.
fn split_placeholder(body: &str, start: usize) -> Option<Disguise> {
    const LONGEST: usize = 256;
    let inside = body.get(start + 1..)?;
    let length = inside.bytes().take(LONGEST).position(|byte| matches!(byte, b'{' | b'}'))?;
    let inside = inside.get(..length)?;
    let found = control(inside)?;
    let without: String = inside.chars().filter(|&letter| !is_control(letter)).collect();
    placeholders(&format!("{{{without}}}")).next()?;
    Some(Disguise { part: start + 1 + found.part.start..start + 1 + found.part.end, ..found })
}

/// What first is wrong with a script.
pub fn of_script(script: &str) -> Option<Disguise> {
    if script.is_ascii() {
        return None;
    }
    control(script).or_else(|| {
        // What follows a backslash is no letter of the word, and what stands beside a `-` may be the
        // end of a range in a regular expression: `[a-zа-я]`.
        let bytes = script.as_bytes();
        let is_range = |word: &Range<usize>| {
            word.start > 0 && bytes.get(word.start - 1) == Some(&b'-') || bytes.get(word.end) == Some(&b'-')
        };
        let after_escape = |word: Range<usize>| {
            let is_escape = word.start > 0 && bytes.get(word.start - 1) == Some(&b'\\');
            let first = script.get(word.clone())?.chars().next()?;
            Some(if is_escape { word.start + first.len_utf8()..word.end } else { word })
        };
        words(script).filter(|word| !is_range(word)).filter_map(after_escape).find_map(|word| mixed(script, word))
    })
}

fn control(text: &str) -> Option<Disguise> {
    let (start, character) = text.char_indices().find(|(_, character)| is_control(*character))?;
    Some(Disguise { part: start..start + character.len_utf8(), kind: DisguiseKind::Control(character) })
}

const fn is_control(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Runs of letters, digits and the marks on them.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |letter: char| {
        letter.is_alphanumeric() || !letter.is_ascii() && !is_control(letter) && letter.script() == Script::Inherited
    };
    let mut at = 0;
    text.split(move |letter| !is_part(letter)).filter_map(move |word| {
        let start = text.get(at..)?.find(word)? + at;
        at = start + word.len();
        (!word.is_empty()).then_some(start..start + word.len())
    })
}

/// A word that is neither of one script nor of those that are written together, as Japanese and
/// Korean are, with Latin letters or without (UTS 39, section 5.2, "Highly Restrictive").
fn mixed(text: &str, part: Range<usize>) -> Option<Disguise> {
    let word = text.get(part.clone())?;
    if word.is_ascii() || !AugmentedScriptSet::for_str(word).is_empty() {
        return None;
    }
    let is_latin = |letter: &char| letter.script_extension().contains_script(Script::Latin);
    let others: String = word.chars().filter(|letter| !is_latin(letter)).collect();
    let others = AugmentedScriptSet::for_str(&others);
    if others.hanb || others.jpan || others.kore {
        return None;
    }
    let scripts = || {
        word.chars()
            .map(|letter| letter.script())
            .filter(|script| !matches!(script, Script::Common | Script::Inherited))
    };
    // The first of those that come as often.
    let count = |wanted: Script| scripts().filter(|script| *script == wanted).count();
    let usual = scripts().fold(None, |best, script| match best {
        Some(best) if count(best) >= count(script) => Some(best),
        _ => Some(script),
    })?;
    let odd = word.chars().find(|letter| !letter.script_extension().contains_script(usual))?;
    Some(Disguise { part, kind: DisguiseKind::Mixed { usual, odd } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, found: Option<Disguise>) -> Option<&str> {
        found.map(|found| text.get(found.part).unwrap())
    }

    fn name(text: &str) -> Option<&str> {
        shown(text, of_name(text))
    }

    #[test]
    fn a_word_of_two_scripts_is_told() {
        assert_eq!(name("Publish sign\u{435}d"), Some("sign\u{435}d"));
        let kind = of_name("sign\u{435}d").unwrap().kind;
        assert_eq!(kind, DisguiseKind::Mixed { usual: Script::Latin, odd: '\u{435}' });
        assert_eq!(name("αb"), Some("αb"));
    }

    #[test]
    fn words_of_one_script_each_and_what_is_written_together_are_fine() {
        for text in [
            "Ärende Åtgärd café",
            "cafe\u{301}",
            "SMS рассылка",
            "SMS-рассылка",
            "x_имя",
            "東京タワー",
            "Tシャツ",
            "한국어ABC",
            "5кг",
            "λ1",
            "Naïve²",
            "ﬁle",
            "5 µm",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn a_control_is_told_wherever_it_is_in_a_name() {
        assert_eq!(name("Publish \u{202e}request"), Some("\u{202e}"));
        assert_eq!(name("a\u{200f}"), Some("\u{200f}"));
    }

    #[test]
    fn a_placeholder_is_told_even_when_a_control_makes_it_none() {
        let told = |body: &'static str| shown(body, of_placeholder(body, |_| false));
        assert_eq!(told("to {N\u{430}me}"), Some("N\u{430}me"));
        assert_eq!(told("to {Na\u{2066}me}"), Some("\u{2066}"));
        assert_eq!(told("\u{2067}שלום\u{2069} {Name}"), None);
        assert_eq!(told("{ \u{2067} }"), None);
        assert_eq!(of_placeholder("to {N\u{430}me}", |name| name == "N\u{430}me"), None);
    }

    #[test]
    fn in_a_script_escapes_and_ranges_are_no_words() {
        let told = |script: &'static str| shown(script, of_script(script));
        assert_eq!(told("var p\u{430}y = 1;"), Some("p\u{430}y"));
        assert_eq!(told("Json = '\\nПривет'; /[a-zа-яА-Я]+/.test(x); // имя: `${name}`"), None);
        assert_eq!(told("/* \u{202e} */"), Some("\u{202e}"));
    }
}
