//! A text that describes a signing case.

use std::ops::Range;

use super::certainty::Certainty;
use super::place::Place;
use crate::diagnostic::FileId;
use crate::document::{Document, Kind, NodeId, SyntaxError};
use crate::source::Span;

/// A text that should describe a case (reference, `Json`), read.
#[derive(Debug)]
pub struct CaseText {
    /// Name of the parameter, or of the variable that the script sets.
    pub name: String,
    /// The text.
    pub text: String,
    /// The JSON that it is; any value.
    pub parsed: Result<Document, SyntaxError>,
    pub file: FileId,
    pub origin: Origin,
}

/// Where a text comes from.
#[derive(Debug)]
pub enum Origin {
    /// It is the literal of a parameter, and the same one in `allProviderParameters`.
    Literal { node: NodeId, copy: Option<NodeId> },
    /// A script built it, run on made-up values.
    Script { node: NodeId, script: String, certainty: Certainty, forwards_parameters: bool },
}

impl CaseText {
    /// The JSON that it is, unless that is no object.
    pub fn object(&self) -> Option<&Document> {
        self.parsed.as_ref().ok().filter(|document| document.kind(document.root()) == Kind::Object)
    }

    /// The place of some bytes of it; of a text that a script builds, the script.
    pub const fn place(&self, part: Span) -> Place {
        match self.origin {
            Origin::Literal { node, .. } => Place::inside(self.file, node, part.range()),
            Origin::Script { node, .. } => Place::value(self.file, node),
        }
    }

    /// The best place known for a value of the case, or for the name of a member.
    pub fn part(
        &self,
        document: &Document,
        node: NodeId,
        of: fn(&str, &Document, NodeId) -> Option<Range<usize>>,
    ) -> Place {
        match &self.origin {
            Origin::Literal { .. } => self.place(document.anchor(node)),
            Origin::Script { node: script_node, script, .. } => match of(script, document, node) {
                Some(range) => Place::inside(self.file, *script_node, range),
                None => Place::value(self.file, *script_node),
            },
        }
    }
}
