//! The sensitive values that no report shows. Any rule may report a finding at one; the finding then has the place, but
//! not the value.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::finder::{Finder, MAX_TOTAL_LEN, MAX_VALUE_LEN};
use crate::diagnostic::{Diagnostic, FileId, quote};
use crate::document::{Document, NodeId};
use crate::source::{SourceFile, Span};

/// Replaces a sensitive value.
pub const REPLACEMENT: &str = "•••";

/// A secret, or the value of a masked variable, in a string of a document.
#[derive(Debug, Clone)]
pub struct SensitiveValue<'a> {
    pub file: FileId,
    pub document: &'a Document,
    pub node: NodeId,
    /// The sensitive part of the string, in bytes of its unescaped characters; `None` for all of it.
    pub part: Option<Range<usize>>,
}

/// The places and strings that are redacted.
#[derive(Debug, Default)]
pub struct Redactions {
    spans: BTreeMap<FileId, Vec<Span>>,
    /// Finds the values in messages and fixes.
    in_messages: Option<Finder>,
}

impl Redactions {
    /// Redacts values where they are, and their copies anywhere in `files`: tools that write
    /// documents repeat values.
    pub fn new<'a>(
        values: impl IntoIterator<Item = SensitiveValue<'a>>,
        files: impl IntoIterator<Item = (FileId, &'a SourceFile)>,
    ) -> Self {
        let mut redactions = Self::default();
        let mut strings = Strings::default();
        for value in values {
            if let Some(span) = strings.add(&value) {
                redactions.spans.entry(value.file).or_default().push(span);
            }
        }
        if !strings.are_too_long() {
            redactions.add_copies(strings.escaped.iter().map(|&value| value.to_owned()).collect(), files);
            redactions.in_messages = Finder::new(strings.in_messages());
        }
        for spans in redactions.spans.values_mut() {
            merge_overlapping(spans);
        }
        redactions
    }

    fn add_copies<'a>(&mut self, values: Vec<String>, files: impl IntoIterator<Item = (FileId, &'a SourceFile)>) {
        let Some(finder) = Finder::new(values) else { return };
        for (file, source) in files {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let found = finder.find(&source.text).into_iter();
            let spans = found.map(|found| Span::new(offset(found.start), offset(found.end)));
            self.spans.entry(file).or_default().extend(spans);
        }
    }

    /// The places in a file, sorted and disjoint.
    pub fn spans(&self, file: FileId) -> &[Span] {
        self.spans.get(&file).map_or(&[], Vec::as_slice)
    }

    /// Replaces the values in a string.
    pub fn redact_text(&self, text: &mut String) {
        let Some(finder) = &self.in_messages else { return };
        // From the end, so that earlier places stay valid.
        for found in finder.find(text).into_iter().rev() {
            text.replace_range(found, REPLACEMENT);
        }
    }

    /// Replaces the values in all strings of a finding. A fix that would write one is removed.
    pub fn redact(&self, diagnostic: &mut Diagnostic) {
        let Some(finder) = &self.in_messages else { return };
        let redact = |text: &mut String| self.redact_text(text);
        redact(&mut diagnostic.message);
        diagnostic.related.iter_mut().chain(&mut diagnostic.flow).for_each(|label| redact(&mut label.message));
        let is_sensitive = |text: &str| !finder.find(text).is_empty();
        diagnostic.help.iter_mut().filter(|help| is_sensitive(help)).for_each(|help| redact(help.to_mut()));
        // A redacted fix would write the replacement into the document.
        if diagnostic.fix.as_ref().is_some_and(|fix| fix.edits.iter().any(|edit| is_sensitive(&edit.new_text))) {
            diagnostic.fix = None;
        }
        diagnostic.fix.iter_mut().for_each(|fix| redact(&mut fix.title));
    }
}

/// Whether copies of values are redacted, too; false if the values are too long to search for.
pub fn finds_copies<'a>(values: impl IntoIterator<Item = SensitiveValue<'a>>) -> bool {
    let mut strings: Strings<'a> = Strings::default();
    for value in values {
        strings.add(&value);
    }
    !strings.are_too_long() && strings.unescaped.iter().all(|value| value.len() <= MAX_VALUE_LEN)
}

/// The characters of each value, and the bytes of the document, which differ by escapes.
#[derive(Default)]
struct Strings<'a> {
    unescaped: BTreeSet<&'a str>,
    escaped: BTreeSet<&'a str>,
}

impl<'a> Strings<'a> {
    /// The place of the value; `None` of one that is blank.
    fn add(&mut self, value: &SensitiveValue<'a>) -> Option<Span> {
        let text = value.document.string(value.node)?;
        let part = value.part.clone().unwrap_or(0..text.len());
        let string = text.get(part.clone()).filter(|string| !string.trim().is_empty())?;
        let span = value.document.span_inside(value.node, part);
        self.escaped.insert(value.document.slice(span));
        self.unescaped.insert(string);
        Some(span)
    }

    /// The automaton that searches for them grows with them.
    fn are_too_long(&self) -> bool {
        let lengths = self.unescaped.union(&self.escaped).map(|value| value.len());
        lengths.filter(|&length| length <= MAX_VALUE_LEN).sum::<usize>() > MAX_TOTAL_LEN
    }

    /// The forms in which a message or a fix may hold values: in full, cut by [`quote`], as JSON.
    fn in_messages(&self) -> Vec<String> {
        let cut = |value: &&str| Some(quote(value).strip_prefix('`')?.strip_suffix("…`")?.to_owned());
        let cut = self.unescaped.iter().filter_map(cut);
        cut.chain(self.unescaped.union(&self.escaped).map(|&value| value.to_owned())).collect()
    }
}

/// Sorts spans and joins those that overlap.
pub fn merge_overlapping(spans: &mut Vec<Span>) {
    spans.sort_unstable();
    spans.dedup_by(|next, span| {
        let overlaps = next.start < span.end;
        span.end = if overlaps { span.end.max(next.end) } else { span.end };
        overlaps
    });
}
