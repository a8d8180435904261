//! Visual spoofing: characters that make a string look like another one (UTS 39, UAX 9).

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use crate::graph::placeholders;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoofing {
    /// The control, or the word.
    pub range: Range<usize>,
    pub kind: SpoofingKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpoofingKind {
    /// An invisible character that changes the direction of text (UAX 9, property `Bidi_Control`).
    BidiControl(char),
    /// A word with letters of several scripts (UTS 39, section 5.1).
    MixedScripts {
        /// The script of most of its letters.
        most_common: Script,
        /// The first letter of another script.
        foreign: char,
    },
}

impl Spoofing {
    /// The first in a name.
    pub fn in_name(name: &str) -> Option<Self> {
        if is_plain(name) {
            return None;
        }
        control(name).or_else(|| words(name).find_map(|word| mixed(name, word)))
    }

    /// The first in a placeholder of a body, other than placeholders with an excepted name.
    pub fn in_placeholder(body: &str, is_excepted: impl Fn(&str) -> bool) -> Option<Self> {
        if is_plain(body) {
            return None;
        }
        let in_name = placeholders(body, |_| false).find_map(|placeholder| {
            let start = placeholder.range.start + 1;
            let found = Self::in_name(placeholder.name).filter(|_| !is_excepted(placeholder.name))?;
            Some(Self { range: start + found.range.start..start + found.range.end, ..found })
        });
        in_name.or_else(|| Self::in_split_placeholder(body, is_excepted))
    }

    /// The first control without which the text around it would be a placeholder.
    fn in_split_placeholder(body: &str, is_variable: impl Fn(&str) -> bool) -> Option<Self> {
        body.contains(is_control).then_some(())?;
        body.match_indices('{').find_map(|(start, _)| split_placeholder(body, start, &is_variable))
    }

    /// The first in a script.
    pub fn in_script(script: &str) -> Option<Self> {
        if is_plain(script) {
            return None;
        }
        control(script).or_else(|| script_words(script).find_map(|word| mixed(script, word)))
    }

    /// The edits of a text that leave nothing of this in it, as parts with what replaces them: controls are removed, and
    /// letters of another script are replaced by what they look like. `None` if one looks like no letter, or like several.
    fn repair(text: &str, words: impl Iterator<Item = Range<usize>>) -> Option<Vec<(Range<usize>, String)>> {
        let at = |(start, letter): (usize, char)| start..start + letter.len_utf8();
        let controls = text.char_indices().filter(|(_, letter)| is_control(*letter));
        let mut parts: Vec<(Range<usize>, String)> = controls.map(|found| (at(found), String::new())).collect();
        for word in words {
            let Some(Self { kind: SpoofingKind::MixedScripts { most_common, .. }, .. }) = mixed(text, word.clone())
            else {
                continue;
            };
            for (start, letter) in text.get(word.clone())?.char_indices() {
                if !letter.script_extension().contains_script(most_common) {
                    parts.push((at((word.start + start, letter)), look_alike(letter, most_common)?.to_string()));
                }
            }
        }
        parts.sort_by_key(|(part, _)| part.start);
        Some(parts)
    }

    /// A name without spoofing.
    pub fn repaired_name(name: &str) -> Option<String> {
        let mut repaired = name.to_owned();
        for (part, text) in Self::repair(name, words(name))?.into_iter().rev() {
            repaired.replace_range(part, &text);
        }
        (!repaired.is_empty() && Self::in_name(&repaired).is_none()).then_some(repaired)
    }

    /// The parts of a script to be replaced.
    pub fn script_repair(script: &str) -> Option<Vec<(Range<usize>, String)>> {
        Self::repair(script, script_words(script))
    }

    /// Whether a character shows nothing and changes the direction of text.
    pub const fn is_invisible(character: char) -> bool {
        is_control(character)
    }

    /// A name as it looks.
    pub fn without_controls(name: &str) -> String {
        name.replace(is_control, "")
    }
}

/// Whether all letters of a string are Latin, and none of its characters is a control, as in nearly all: ASCII, the other
/// Latin letters and marks of European languages, dashes and quotation marks (UAX 24: Latin or Common).
fn is_plain(text: &str) -> bool {
    text.is_ascii()
        || text
            .chars()
            .all(|letter| letter.is_ascii() || matches!(letter, '\u{a0}'..='\u{24f}' | '\u{2010}'..='\u{2027}'))
}

/// A control inside braces that enclose a valid name once the controls are removed.
fn split_placeholder(body: &str, start: usize, is_variable: impl Fn(&str) -> bool) -> Option<Spoofing> {
    const MAX_BYTES: usize = 256;
    let inside = body.get(start + 1..)?;
    let length = inside.bytes().take(MAX_BYTES).position(|byte| matches!(byte, b'{' | b'}'))?;
    let inside = inside.get(..length)?;
    let found = control(inside)?;
    let without: String = inside.chars().filter(|&letter| !is_control(letter)).collect();
    placeholders(&format!("{{{without}}}"), is_variable).next()?;
    Some(Spoofing { range: start + 1 + found.range.start..start + 1 + found.range.end, ..found })
}

/// The words of a script that can be judged.
fn script_words(script: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = script.as_bytes();
    let is_byte = move |at: Option<usize>, byte: u8| at.and_then(|at| bytes.get(at)) == Some(&byte);
    // What is next to a `-` may be the end of a range in a regular expression: `[a-zа-я]`.
    let is_range = move |word: &Range<usize>| is_byte(word.start.checked_sub(1), b'-') || is_byte(Some(word.end), b'-');
    // The first letter after a backslash belongs to the escape: `\nПривет`.
    let without_escape = move |word: Range<usize>| {
        let first = script.get(word.clone())?.chars().next()?;
        let is_escape = is_byte(word.start.checked_sub(1), b'\\');
        Some(if is_escape { word.start + first.len_utf8()..word.end } else { word })
    };
    words(script).filter(move |word| !is_range(word)).filter_map(without_escape)
}

fn control(text: &str) -> Option<Spoofing> {
    let (start, character) = text.char_indices().find(|(_, character)| is_control(*character))?;
    Some(Spoofing { range: start..start + character.len_utf8(), kind: SpoofingKind::BidiControl(character) })
}

const fn is_control(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The letter of a script that a letter of another one looks like (UTS 39, section 4), if there is one alone.
fn look_alike(letter: char, script: Script) -> Option<char> {
    let skeleton = |letter: char| skeleton(letter.encode_utf8(&mut [0; 4])).collect::<String>();
    let wanted = skeleton(letter);
    let candidates = match script {
        Script::Latin => 'A'..='z',
        Script::Greek => '\u{391}'..='\u{3c9}',
        Script::Cyrillic => '\u{400}'..='\u{45f}',
        _ => return None,
    };
    let is_like = |candidate: &char| {
        candidate.script() == script
            && candidate.is_uppercase() == letter.is_uppercase()
            && skeleton(*candidate) == wanted
    };
    let mut found = candidates.filter(is_like);
    found.next().filter(|_| found.next().is_none())
}

/// The maximal runs of letters, digits and combining marks.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_between = |letter: char| {
        !letter.is_alphanumeric() && (letter.is_ascii() || is_control(letter) || letter.script() != Script::Inherited)
    };
    let mut next = 0;
    text.split_inclusive(is_between).filter_map(move |part| {
        let start = next;
        next += part.len();
        let word = part.strip_suffix(is_between).unwrap_or(part);
        (!word.is_empty()).then(|| start..start + word.len())
    })
}

/// A word that is neither of one script nor of those that are written together, as Japanese and
/// Korean are, with Latin letters or without (UTS 39, section 5.2, "Highly Restrictive").
fn mixed(text: &str, range: Range<usize>) -> Option<Spoofing> {
    let word = text.get(range.clone())?;
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
    // Of several scripts with the same count, the first in the word.
    let count = |wanted: Script| scripts().filter(|script| *script == wanted).count();
    let most_common = scripts().fold(None, |best, script| match best {
        Some(best) if count(best) >= count(script) => Some(best),
        _ => Some(script),
    })?;
    let foreign = word.chars().find(|letter| !letter.script_extension().contains_script(most_common))?;
    Some(Spoofing { range, kind: SpoofingKind::MixedScripts { most_common, foreign } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, found: Option<Spoofing>) -> Option<&str> {
        found.map(|found| text.get(found.range).unwrap())
    }

    fn name(text: &str) -> Option<&str> {
        shown(text, Spoofing::in_name(text))
    }

    #[test]
    fn word_of_two_scripts_is_found() {
        assert_eq!(name("Publish sign\u{435}d"), Some("sign\u{435}d"));
        let kind = Spoofing::in_name("sign\u{435}d").unwrap().kind;
        assert_eq!(kind, SpoofingKind::MixedScripts { most_common: Script::Latin, foreign: '\u{435}' });
        assert_eq!(name("αb"), Some("αb"));
        assert_eq!(name("– “sign\u{435}d”…"), Some("sign\u{435}d"));
    }

    #[test]
    fn letters_are_replaced_by_what_they_look_like() {
        let repaired = |name: &str| Spoofing::repaired_name(name);
        assert_eq!(repaired("sign\u{435}d \u{202e}x").as_deref(), Some("signed x"));
        assert_eq!(repaired("ES\u{456}gn\u{406}d").as_deref(), Some("ESignId"));
        assert_eq!(repaired("с\u{61}йт").as_deref(), Some("сайт"));
        assert_eq!(repaired("Na\u{434}me"), None, "looks like no Latin letter");
        assert_eq!(repaired("\u{202e}"), None);
        let parts = Spoofing::script_repair("p\u{430}y(/[a-zа-я]/)");
        assert_eq!(parts, Some(vec![(1..3, "a".to_owned())]));
    }

    #[test]
    fn plain_text_has_neither_other_letters_nor_controls() {
        assert!(is_plain("Ärende – “café” 5 µm…"));
        for letter in ('\0'..='\u{ffff}').filter(|letter| is_plain(&letter.to_string())) {
            let is_latin = matches!(letter.script(), Script::Latin | Script::Common);
            assert!(is_latin && !is_control(letter), "{letter:?}");
        }
    }

    #[test]
    fn words_of_one_script_and_scripts_written_together_are_fine() {
        for text in [
            "Ärende Åtgärd café", "cafe\u{301}", "SMS рассылка", "SMS-рассылка", "x_имя", "東京タワー", "Tシャツ",
            "한국어ABC", "5кг", "λ1", "Naïve²", "ﬁle", "5 µm",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn control_is_found_anywhere_in_a_name() {
        assert_eq!(name("Publish \u{202e}request"), Some("\u{202e}"));
        assert_eq!(name("a\u{200f}"), Some("\u{200f}"));
    }

    #[test]
    fn placeholder_split_by_a_control_is_found() {
        let found = |body: &'static str| shown(body, Spoofing::in_placeholder(body, |_| false));
        assert_eq!(found("to {N\u{430}me}"), Some("N\u{430}me"));
        assert_eq!(found("to {Na\u{2066}me}"), Some("\u{2066}"));
        assert_eq!(found("\u{2067}שלום\u{2069} {Name}"), None);
        assert_eq!(found("{ \u{2067} }"), None);
        assert_eq!(Spoofing::in_placeholder("to {N\u{430}me}", |name| name == "N\u{430}me"), None);
    }

    #[test]
    fn escapes_and_ranges_of_a_script_are_no_words() {
        let found = |script: &'static str| shown(script, Spoofing::in_script(script));
        assert_eq!(found("var p\u{430}y = 1;"), Some("p\u{430}y"));
        assert_eq!(found("Json = '\\nПривет'; /[a-zа-яА-Я]+/.test(x); // имя: `${name}`"), None);
        assert_eq!(found("/* \u{202e} */"), Some("\u{202e}"));
    }
}
