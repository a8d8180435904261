//! Changes to a document, such as a typing mistake or a broken tool causes.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::strategies::any_json;
use super::tree::Tree;

/// A change to one or two keys or elements.
#[derive(Debug, Clone)]
pub enum Change {
    Remove(Index),
    Duplicate(Index),
    Retype(Index, Tree),
    Wrap(Index),
    Swap(Index, Index),
    Copy(Index, Index),
    /// Renames a key to another one.
    Rename(Index, Index),
    /// Shortens or changes a string.
    Retouch(Index, Index),
}

/// One to four changes.
pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    let one = || any::<Index>();
    let change = prop_oneof![
        one().prop_map(Change::Remove),
        one().prop_map(Change::Duplicate),
        (one(), any_json()).prop_map(|(at, value)| Change::Retype(at, value)),
        one().prop_map(Change::Wrap),
        (one(), one()).prop_map(|(a, b)| Change::Swap(a, b)),
        (one(), one()).prop_map(|(from, to)| Change::Copy(from, to)),
        (one(), one()).prop_map(|(from, to)| Change::Rename(from, to)),
        (one(), one()).prop_map(|(at, cut)| Change::Retouch(at, cut)),
    ];
    vec(change, 1..=4)
}

impl Change {
    /// Changes a document; one that has nothing to change stays unchanged.
    pub fn apply(&self, document: &mut Tree) {
        let number = document.slots();
        if number == 0 {
            return;
        }
        let value = |document: &mut Tree, at: &Index| {
            let (holder, index) = document.slot(at.index(number))?;
            holder.child(index).cloned()
        };
        let set = |document: &mut Tree, at: &Index, value: Tree| {
            let slot = document.slot(at.index(number));
            if let Some(child) = slot.and_then(|(holder, index)| holder.child(index)) {
                *child = value;
            }
        };
        match self {
            Self::Remove(at) => with_slot(document, at.index(number), |items, index| drop(items.remove(index))),
            Self::Duplicate(at) => {
                with_slot(document, at.index(number), |items, index| items.insert(index, items[index].clone()));
            }
            Self::Retype(at, with) => set(document, at, with.clone()),
            Self::Wrap(at) => {
                if let Some(wrapped) = value(document, at) {
                    set(document, at, Tree::List(vec![wrapped]));
                }
            }
            Self::Swap(a, b) => {
                if let (Some(first), Some(second)) = (value(document, a), value(document, b)) {
                    set(document, a, second);
                    // The first may have lain inside the second, and be gone.
                    if document.slots() > b.index(number) {
                        set(document, b, first);
                    }
                }
            }
            Self::Copy(from, to) => {
                if let Some(copied) = value(document, from) {
                    set(document, to, copied);
                }
            }
            Self::Rename(from, to) => {
                let name = key_of(document, from.index(number)).map(|key| key.clone());
                if let (Some(name), Some(key)) = (name, key_of(document, to.index(number))) {
                    *key = name;
                }
            }
            Self::Retouch(at, cut) => {
                if let Some(Tree::Text(text)) = value(document, at) {
                    let mut characters: Vec<char> = text.chars().collect();
                    let place = cut.index(characters.len() + 1);
                    if place + 1 < characters.len() {
                        characters.swap(place, place + 1);
                    } else {
                        characters.truncate(place / 2);
                    }
                    set(document, at, Tree::Text(characters.into_iter().collect()));
                }
            }
        }
    }
}

/// Changes the keys or elements among which a slot is.
fn with_slot(document: &mut Tree, number: usize, change: impl FnOnce(&mut Vec<(String, Tree)>, usize)) {
    let Some((holder, index)) = document.slot(number) else { return };
    match holder {
        Tree::Object(members) => change(members, index),
        Tree::List(items) => {
            let mut unnamed = items.drain(..).map(|item| (String::new(), item)).collect();
            change(&mut unnamed, index);
            items.extend(unnamed.into_iter().map(|(_, item)| item));
        }
        Tree::Plain(_) | Tree::Text(_) => {}
    }
}

fn key_of(document: &mut Tree, number: usize) -> Option<&mut String> {
    match document.slot(number)? {
        (Tree::Object(members), index) => members.get_mut(index).map(|(key, _)| key),
        _ => None,
    }
}

/// A change to bytes, regardless of their meaning.
#[derive(Debug, Clone)]
pub enum Edit {
    Delete(Index, usize),
    Insert(Index, Vec<u8>),
    Replace(Index, u8),
    CutOff(Index),
    Repeat(Index, usize),
}

/// One to three edits.
pub fn edits() -> impl Strategy<Value = Vec<Edit>> {
    const PIECES: [&[u8]; 14] = [
        b"\"", b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n", b"\r", b"\xff", b"\xc3\xa4", b"\\ud83d\\ude00",
        b"\xef\xbb\xbf",
    ];
    let at = || any::<Index>();
    let piece = prop_oneof![proptest::sample::select(&PIECES[..]).prop_map(<[u8]>::to_vec), vec(any::<u8>(), 1..4)];
    let edit = prop_oneof![
        (at(), 1..30usize).prop_map(|(at, length)| Edit::Delete(at, length)),
        (at(), piece).prop_map(|(at, bytes)| Edit::Insert(at, bytes)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Edit::Replace(at, byte)),
        at().prop_map(Edit::CutOff),
        (at(), 1..200usize).prop_map(|(at, length)| Edit::Repeat(at, length)),
    ];
    vec(edit, 1..=3)
}

impl Edit {
    pub fn apply(&self, text: &mut Vec<u8>) {
        let (Self::Delete(at, _) | Self::Insert(at, _) | Self::Replace(at, _) | Self::CutOff(at) | Self::Repeat(at, _)) =
            self;
        if text.is_empty() {
            return;
        }
        let at = at.index(text.len());
        let end = |length: &usize| (at + length).min(text.len());
        match self {
            Self::Delete(_, length) => drop(text.drain(at..end(length))),
            Self::Insert(_, bytes) => drop(text.splice(at..at, bytes.iter().copied())),
            Self::Replace(_, byte) => text[at] = *byte,
            Self::CutOff(_) => text.truncate(at),
            Self::Repeat(_, length) => {
                let repeated = text[at..end(length)].to_vec();
                text.splice(at..at, repeated);
            }
        }
    }
}
