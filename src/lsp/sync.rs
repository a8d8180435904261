//! Applies changes of documents (`contentChanges`).

use std::borrow::Cow;

use gen_lsp_types::{Position, Range};
use serde::Deserialize;
use serde_json::Value;

use super::message::Failure;
use super::position::Encoding;

/// A change of a document: of the whole text, without a range. Read here and not by the types of the protocol: those take a
/// change with an invalid range for one of the whole text.
#[derive(Debug, Clone, Deserialize)]
pub struct Change {
    #[serde(default)]
    range: Option<Range>,
    text: String,
}

impl Change {
    /// Reads `contentChanges`.
    ///
    /// # Errors
    /// When one of them is invalid: then none counts.
    pub fn all(changes: Value) -> Result<Vec<Self>, Failure> {
        serde_json::from_value(changes).map_err(|error| Failure::params(format!("invalid change: {error}")))
    }
}

/// The text after changes, one after the other: the positions of each are those in the text that the changes before it
/// leave.
pub fn apply(text: &str, changes: Vec<Change>, encoding: Encoding) -> String {
    let mut changed = Cow::Borrowed(text);
    for Change { range, text: new } in changes {
        let Some(Range { start, end }) = range else {
            changed = Cow::Owned(new);
            continue;
        };
        let (start, end) = if key(start) <= key(end) { (start, end) } else { (end, start) };
        let (start, end) = encoding.offsets(&changed, start, end);
        let [before, after] = [changed.get(..start), changed.get(end..)].map(Option::unwrap_or_default);
        changed = Cow::Owned([before, &new, after].concat());
    }
    changed.into_owned()
}

const fn key(position: Position) -> u64 {
    ((position.line as u64) << 32) | position.character as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The byte of a position, character by character.
    fn offset(text: &str, position: Position, encoding: Encoding) -> usize {
        let mut at = 0;
        for _ in 0..position.line {
            let Some(end) = text.get(at..).unwrap().find(['\n', '\r']) else { return text.len() };
            at += end + if text.get(at + end..).unwrap().starts_with("\r\n") { 2 } else { 1 };
        }
        let mut units = 0;
        for character in text.get(at..).unwrap().chars().take_while(|character| !['\n', '\r'].contains(character)) {
            units += if encoding == Encoding::Utf8 { character.len_utf8() } else { character.len_utf16() };
            if units > position.character as usize {
                break;
            }
            at += character.len_utf8();
        }
        at
    }

    fn text() -> impl Strategy<Value = String> {
        const PIECES: [&str; 11] =
            ["a", "\"", "\n", "\r", "\r\n", "é", "e\u{301}", "\u{1f600}", "\u{2028}", "\u{feff}", ""];
        prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat())
    }

    fn position() -> impl Strategy<Value = Position> {
        (0..6_u32, 0..10_u32).prop_map(|(line, character)| Position { line, character })
    }

    fn change() -> impl Strategy<Value = Change> {
        let range = prop::option::weighted(0.9, (position(), position()).prop_map(|(start, end)| Range { start, end }));
        (range, text()).prop_map(|(range, text)| Change { range, text })
    }

    proptest! {
        #[test]
        fn changes_do_what_a_plain_model_does(
            start in text(),
            changes in prop::collection::vec(change(), 0..6),
            is_utf8 in any::<bool>(),
        ) {
            let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
            let mut model = start.clone();
            for Change { range, text } in &changes {
                let Some(range) = range else {
                    model.clone_from(text);
                    continue;
                };
                let (a, b) = (offset(&model, range.start, encoding), offset(&model, range.end, encoding));
                model = format!("{}{text}{}", model.get(..a.min(b)).unwrap(), model.get(a.max(b)..).unwrap());
            }
            prop_assert_eq!(apply(&start, changes, encoding), model);
        }
    }
}
