//! A string that describes a signing case.

use std::sync::Arc;

use crate::document::{Document, NodeId, NodeKind, SyntaxError};
use crate::facts::cases::script_run::{Aspect, Origin, ScriptRun};
use crate::facts::place::{Evidence, EvidenceAbout, Place};
use crate::text::diagnostic::FileId;
use crate::text::source::Span;

/// A string that should describe a signing case (docs/platform-methods.md, Signing case), parsed.
#[derive(Debug)]
pub struct CaseText {
    /// Index among the service's.
    pub number: usize,
    /// Name of the parameter, or of the variable that the script sets.
    pub name: String,
    pub text: Arc<str>,
    /// The text as JSON of any kind.
    pub parsed: Result<Document, SyntaxError>,
    pub file: FileId,
    pub source: CaseSource,
}

/// The source of the text.
#[derive(Debug)]
pub enum CaseSource {
    /// The literal of a parameter, and its copy in `allProviderParameters`.
    Literal { node: NodeId, copy: Option<NodeId> },
    /// A script; the string that holds it, and one run of it.
    Script { node: NodeId, run: ScriptRun },
}

impl CaseText {
    /// The text as JSON, if that is an object.
    pub fn object(&self) -> Option<&Document> {
        self.parsed.as_ref().ok().filter(|document| document.kind(document.root()) == NodeKind::Object)
    }

    pub const fn run(&self) -> Option<&ScriptRun> {
        match &self.source {
            CaseSource::Literal { .. } => None,
            CaseSource::Script { run, .. } => Some(run),
        }
    }

    /// The place of a fault of the whole text, at a byte range; what makes the text if a script builds it.
    pub fn place(&self, part: Span) -> Place {
        match &self.source {
            CaseSource::Literal { node, .. } => Place::inside(self.file, *node, part.range()),
            CaseSource::Script { node, run } => {
                let place = match run.range_of_text() {
                    Some(range) => Place::inside(self.file, *node, range),
                    None => Place::value(self.file, *node),
                };
                let origin = run.origin_of_text();
                let (text, holder) = (self.number, Origin::Unknown);
                place.with_evidence(Evidence { text, origin, holder, about: EvidenceAbout::Text })
            }
        }
    }

    /// The best place known for a value of the case, or for its key.
    pub fn place_of(&self, document: &Document, node: NodeId, aspect: Aspect) -> Place {
        match &self.source {
            CaseSource::Literal { node: literal, .. } => {
                let key = document.key_span(node).filter(|_| aspect == Aspect::Key);
                Place::inside(self.file, *literal, key.unwrap_or_else(|| document.anchor(node)).range())
            }
            CaseSource::Script { node: script, run } => {
                let place = match run.range(document, node, aspect) {
                    Some(range) => Place::inside(self.file, *script, range),
                    None => Place::value(self.file, *script),
                };
                let origin = run.origin(document, node, aspect);
                let about = if aspect == Aspect::Key { EvidenceAbout::Key } else { EvidenceAbout::Value };
                let holder = run.origin_of_holder(document, node);
                place.with_evidence(Evidence { text: self.number, origin, holder, about })
            }
        }
    }
}
