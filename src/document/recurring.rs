//! Keys that recur. Objects of one kind have the same keys in the same order, in one document and in the next. So what
//! comes before a value (white space, a key and its colon) is nearly always, to the byte, what came there in an object
//! before, and is compared with that instead of read.

use std::cell::Cell;

use super::key::MemberKey;
use super::key_code::KeyCode;
use super::node::{flag, to_u32};

const SLOTS: usize = 1024;

/// The most bytes that are remembered; longer ones are rare. With the other fields, they fill a line of a cache.
const MAX_BYTES: usize = 56;

thread_local! {
    /// Those of the document that the thread has parsed last. Results do not depend on them.
    static OF_THREAD: Cell<Option<RecurringKeys>> = const { Cell::new(None) };
}

/// What came last at each place of an object. Some places share a slot.
pub(super) struct RecurringKeys(Box<[Lead]>);

/// Where a key may be: after another one, or first in an object. Places are told apart by what is before them, and by
/// the depth, on which the white space depends.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);

/// All that comes before a value; without bytes if nothing is known.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lead {
    bytes: [u8; MAX_BYTES],
    code: KeyCode,
    len: u8,
    /// Bytes before the opening quote of the key.
    indent: u8,
    /// Bytes of the key's characters, which have no escapes.
    key_len: u8,
}

impl Lead {
    const NONE: Self = Self { bytes: [0; MAX_BYTES], code: KeyCode::NONE, len: 0, indent: 0, key_len: 0 };
}

impl Place {
    #[inline]
    pub fn after(key: KeyCode, depth: usize) -> Self {
        Self(number(key, depth))
    }

    /// In an object that is the value of a key, if it has one.
    #[inline]
    pub fn first(of: KeyCode, depth: usize) -> Self {
        Self(number(of, depth).wrapping_add(SLOTS / 2 + 1))
    }
}

/// Known keys have small numbers, which the depth must not make equal.
#[inline]
fn number(key: KeyCode, depth: usize) -> usize {
    (key.low_bits() as usize).wrapping_add(depth.wrapping_mul(61))
}

impl RecurringKeys {
    /// Those that the thread has kept.
    pub fn take() -> Self {
        OF_THREAD.take().unwrap_or_else(|| Self(vec![Lead::NONE; SLOTS].into_boxed_slice()))
    }

    pub fn keep(self) {
        OF_THREAD.set(Some(self));
    }

    /// The key that comes at a place and the offset after its colon, if the same bytes came there before.
    #[inline]
    pub fn find(&self, place: Place, bytes: &[u8], at: usize) -> Option<(MemberKey, usize)> {
        let lead = self.0.get(place.0 % SLOTS)?;
        let end = at + usize::from(lead.len);
        if lead.len == 0 || bytes.get(at..end)? != lead.bytes.get(..usize::from(lead.len))? {
            return None;
        }
        let start = to_u32(at + usize::from(lead.indent));
        let flags = u16::from(flag::KEYED);
        Some((MemberKey { start, code: lead.code, len: u16::from(lead.key_len), flags }, end))
    }

    /// Remembers a key without escapes at a place, and the bytes from before it until after its colon, which begin at
    /// the offset `at`.
    pub fn remember(&mut self, place: Place, key: MemberKey, bytes: &[u8], at: usize) {
        let Some(lead) = self.0.get_mut(place.0 % SLOTS) else { return };
        let (Some(copy), Ok(len)) = (lead.bytes.get_mut(..bytes.len()), u8::try_from(bytes.len())) else { return };
        copy.copy_from_slice(bytes);
        // Both are parts of it.
        let [indent, _, _, _] = (key.start - to_u32(at)).to_le_bytes();
        let [key_len, _] = key.len.to_le_bytes();
        (lead.code, lead.len, lead.indent, lead.key_len) = (key.code, len, indent, key_len);
    }
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, Limits};

    /// The result of parsing, in this thread.
    fn parsed(text: &str) -> String {
        format!("{:?}", Document::parse(text, Limits::default()))
    }

    fn parsed_alone(text: &str) -> String {
        std::thread::scope(|scope| scope.spawn(|| parsed(text)).join().unwrap_or_default())
    }

    #[test]
    fn result_does_not_depend_on_what_was_parsed_before() {
        let text = "{\n  \"a\": {\n    \"b\": [1, 2],\n    \"a\" :\t{ \"\\u0061\": 3, \"b\": 4, \"b\":5 }\n  },\n  \"a\": 6\n}";
        let like_it =
            [text.replace('\n', "\r\n"), text.replace('b', "bb"), text.replace(": ", ":"), text.replace('1', "\"")];
        for other in like_it.iter().map(String::as_str).chain([text]) {
            for end in (1..=other.len()).filter(|&end| other.is_char_boundary(end)) {
                let part = other.get(..end).unwrap_or_default();
                parsed(text);
                assert_eq!(parsed(part), parsed_alone(part), "{part}");
            }
        }
    }
}
