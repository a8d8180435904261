//! A string that describes a signing case.

use std::ops::Range;

use super::definite_values::DefiniteValues;
use super::place::Place;
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId, NodeKind, SyntaxError};
use crate::source::Span;

/// A string that should describe a signing case (docs/platform.md, Signing case), parsed.
#[derive(Debug)]
pub struct CaseText {
    /// Name of the parameter, or of the variable that the script sets.
    pub name: String,
    pub text: String,
    /// The text as JSON of any kind.
    pub parsed: Result<Document, SyntaxError>,
    pub file: FileId,
    pub source: CaseSource,
}

/// What gives a case's text.
#[derive(Debug)]
pub enum CaseSource {
    /// The literal of a parameter, and its copy in `allProviderParameters`.
    Literal { node: NodeId, copy: Option<NodeId> },
    /// A script, run on generated values.
    Script {
        node: NodeId,
        script: String,
        definite: DefiniteValues,
        /// Whether the script passes values on without looking into them.
        forwards_parameters: bool,
    },
}

impl CaseText {
    /// The text as JSON, if that is an object.
    pub fn object(&self) -> Option<&Document> {
        self.parsed.as_ref().ok().filter(|document| document.kind(document.root()) == NodeKind::Object)
    }

    /// The place of a byte range in the case; the whole script if a script builds it.
    pub const fn place(&self, part: Span) -> Place {
        match self.source {
            CaseSource::Literal { node, .. } => Place::inside(self.file, node, part.range()),
            CaseSource::Script { node, .. } => Place::value(self.file, node),
        }
    }

    /// The best place known for a value of the case, or for its key; `find` looks for it in a script.
    pub fn place_of(
        &self,
        document: &Document,
        node: NodeId,
        find: fn(&str, &Document, NodeId) -> Option<Range<usize>>,
    ) -> Place {
        match &self.source {
            CaseSource::Literal { .. } => self.place(document.anchor(node)),
            CaseSource::Script { node: script_node, script, .. } => match find(script, document, node) {
                Some(range) => Place::inside(self.file, *script_node, range),
                None => Place::value(self.file, *script_node),
            },
        }
    }
}
