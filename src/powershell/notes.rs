//! Notes about a module, with their places.

use crate::text::source::SourceFile;

/// A part of a module that has no place in a catalog, or a syntax error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// `file:line:column`.
    pub place: String,
    pub message: String,
    pub is_error: bool,
}

/// Notes about one file, with their offsets.
#[derive(Debug)]
pub(super) struct Notes<'f> {
    source: &'f SourceFile,
    found: Vec<(usize, Note)>,
}

impl<'f> Notes<'f> {
    pub fn new(source: &'f SourceFile) -> Self {
        Self { source, found: Vec::new() }
    }

    pub fn add(&mut self, at: usize, message: impl Into<String>) {
        self.push(at, message.into(), false);
    }

    pub fn push(&mut self, at: usize, message: String, is_error: bool) {
        let position = self.source.position(u32::try_from(at).unwrap_or(u32::MAX));
        let place = format!("{}:{}:{}", self.source.name, position.line, position.column);
        self.found.push((at, Note { place, message, is_error }));
    }

    /// In the order of the file.
    pub fn into_sorted(mut self) -> Vec<Note> {
        self.found.sort_by_key(|(at, _)| *at);
        self.found.into_iter().map(|(_, note)| note).collect()
    }
}
