//! Collects the occurrences of names.

use super::name::{Access, NameKind, VariableName};
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::graph::placeholders;
use crate::model::{ActivityId, Variable};
use crate::source::Span;

/// The names that were found.
#[derive(Default)]
pub(super) struct Names<'a>(Vec<VariableName<'a>>);

impl<'a> Names<'a> {
    /// A string that is a name.
    pub fn add(&mut self, at: &Site<'a>, node: NodeId, name: &'a str, kind: NameKind, access: Access) {
        if !name.is_empty() {
            let span = at.document.span_inside(node, 0..name.len());
            self.0.push(VariableName { file: at.file, name, span, kind, access, activity: at.activity });
        }
    }

    /// A name that stands for a variable.
    pub fn alias(&mut self, at: &Site<'a>, name: &'a str, span: Span) {
        let (file, activity, kind) = (at.file, at.activity, NameKind::ScriptParameter);
        self.0.push(VariableName { file, name, span, kind, access: Access::None, activity });
    }

    /// The placeholders of a string.
    pub fn placeholders(&mut self, at: &Site<'a>, node: NodeId, text: &'a str, access: Access) {
        for found in placeholders(text) {
            let inside = found.range.start + 1..found.range.end - 1;
            let span = at.document.span_inside(node, inside);
            let (file, activity) = (at.file, at.activity);
            self.0.push(VariableName { file, name: found.name, span, kind: NameKind::Placeholder, access, activity });
        }
    }

    pub fn declarations<'v>(
        &mut self,
        file: FileId,
        document: &'a Document,
        list: impl Iterator<Item = &'v Variable<'a>>,
        kind: NameKind,
    ) where
        'a: 'v,
    {
        let at = Site { file, document, activity: None };
        for (node, &name) in list.filter_map(|variable| variable.name.known()) {
            self.add(&at, node, name, kind, Access::None);
        }
    }

    /// Of several at one place, the one that reads or writes.
    pub fn into_sorted(mut self) -> Vec<VariableName<'a>> {
        self.0.sort_by_key(|found| (found.file, found.span, found.access == Access::None));
        self.0.dedup_by_key(|found| (found.file, found.span));
        self.0
    }
}

/// Where names are.
pub(super) struct Site<'a> {
    pub file: FileId,
    pub document: &'a Document,
    pub activity: Option<ActivityId>,
}
