//! Redaction of the lines of a document that a report shows.

use super::redactions::REPLACEMENT;
use crate::source::{SourceFile, Span};

/// Walks once through a part of a file, and replaces sensitive characters.
pub struct ExcerptRedactor<'s> {
    /// The redacted places that have not been passed yet; sorted, none overlapping.
    spans: &'s [Span],
    /// The place whose replacement was returned last.
    replaced: Option<Span>,
}

impl<'s> ExcerptRedactor<'s> {
    /// Begins at a byte of the file.
    pub fn new(source: &'s SourceFile, start: usize) -> Self {
        let first = source.hidden.partition_point(|span| span.end as usize <= start);
        Self { spans: source.hidden.get(first..).unwrap_or_default(), replaced: None }
    }

    /// The replacement of the character at a byte of the file; `None` if it is not redacted. The offsets of successive
    /// calls must not decrease.
    pub fn replacement(&mut self, offset: usize) -> Option<&'static str> {
        while let [first, rest @ ..] = self.spans
            && first.end as usize <= offset
        {
            self.spans = rest;
        }
        let place = *self.spans.first().filter(|span| span.range().contains(&offset))?;
        // The first character becomes the replacement and the others nothing, so that the length of a secret stays
        // hidden.
        let is_continued = self.replaced.replace(place) == Some(place);
        Some(if is_continued { "" } else { REPLACEMENT })
    }
}
