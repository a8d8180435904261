//! Strings of the document as a drawing shows them.

use std::borrow::Cow;

use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::redaction::{REPLACEMENT, Redactions};
use crate::text::truncate;

/// Longer strings are cut, in characters.
const MAX_LENGTH: usize = 300;

/// Redacts strings of a document, makes their characters visible, and cuts long ones.
pub struct Texts<'a> {
    pub document: &'a Document,
    pub file: FileId,
    pub redactions: &'a Redactions,
    /// Escapes characters that show nothing or change the direction of the text.
    pub visible: fn(&str) -> Cow<'_, str>,
}

impl Texts<'_> {
    /// A string that the value of a node contains or is made from.
    pub fn show(&self, node: NodeId, text: &str) -> String {
        let own = self.document.span(node);
        let is_hidden = |hidden: &crate::source::Span| hidden.start < own.end && own.start < hidden.end;
        if self.redactions.spans(self.file).iter().any(is_hidden) {
            return REPLACEMENT.to_owned();
        }
        let mut text = text.to_owned();
        self.redactions.redact_text(&mut text);
        self.plain(&text)
    }

    /// A string without values of the document, or one that is redacted already.
    pub fn plain(&self, text: &str) -> String {
        let text = text.trim();
        let cut = truncate(text, MAX_LENGTH);
        // An escape makes a text longer.
        truncate(&(self.visible)(&cut), MAX_LENGTH).into_owned()
    }
}
