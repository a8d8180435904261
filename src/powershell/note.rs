//! Notes about a module, with their places.

use crate::source::SourceFile;
use crate::text::count;

/// A part of a module that has no place in a catalog, or a syntax error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// `file:line:column`.
    pub place: String,
    pub message: String,
    pub is_error: bool,
}

/// Notes that are not errors, of one file. More are counted.
const MAX_NOTES: usize = 5000;

/// Notes about one file.
#[derive(Debug)]
pub(super) struct Notes<'f> {
    source: &'f SourceFile,
    /// With their offsets.
    found: Vec<(usize, Note)>,
    /// The offset of the first one that is only counted, and their number.
    more: Option<(usize, usize)>,
}

impl<'f> Notes<'f> {
    pub fn new(source: &'f SourceFile) -> Self {
        Self { source, found: Vec::new(), more: None }
    }

    pub fn add(&mut self, at: usize, message: impl Into<String>) {
        if self.found.len() < MAX_NOTES {
            self.found.push((at, self.note(at, message.into(), false)));
        } else {
            self.more.get_or_insert((at, 0)).1 += 1;
        }
    }

    pub fn error(&mut self, at: usize, message: impl Into<String>) {
        self.found.push((at, self.note(at, message.into(), true)));
    }

    fn note(&self, at: usize, message: String, is_error: bool) -> Note {
        let position = self.source.position(u32::try_from(at).unwrap_or(u32::MAX));
        let place = format!("{}:{}:{}", self.source.name, position.line, position.column);
        Note { place, message, is_error }
    }

    /// In the order of the file; last how many more there are.
    pub fn into_sorted(mut self) -> Vec<Note> {
        self.found.sort_by_key(|(at, _)| *at);
        let more = self.more.map(|(at, number)| self.note(at, count(number, "more note"), false));
        self.found.into_iter().map(|(_, note)| note).chain(more).collect()
    }
}
