//! Places in documents, by node. The reporter of the rules finds the bytes.

use std::ops::Range;

use crate::document::NodeId;
use crate::facts::cases::script_run::Origin;
use crate::graph::{Analysis, Read};
use crate::text::diagnostic::FileId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub file: FileId,
    pub node: NodeId,
    pub part: Part,
    /// The value in a signing case that is at this place.
    pub case_value: Option<CaseValue>,
    /// The evidence, if a run of a script shows the finding: which site of the script makes it.
    pub evidence: Option<Evidence>,
}

/// A run of a script in which something is found. It is reported only if every run that passes the origin and the
/// holder agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// Index among the texts of cases of the service.
    pub text: usize,
    /// The site that makes the value.
    pub origin: Origin,
    /// The literal of the object that holds the value, to which it may be copied.
    pub holder: Origin,
    pub about: EvidenceAbout,
}

/// The subject of a finding in a run. Runs agree if they have the same findings there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceAbout {
    /// The whole text: which character of it is wrong may differ, and so may the message.
    Text,
    /// A key: which other keys there are may differ, and so may the message.
    Key,
    /// A value.
    Value,
}

/// A value in a signing case. If a script builds the case, many values have the same place, the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseValue {
    /// Index among the service's cases.
    pub case: usize,
    /// In the document of the case.
    pub node: NodeId,
}

/// The part of a node that a place is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Value,
    Key,
    /// A byte range of the unescaped string.
    Inside(Range<usize>),
}

impl Place {
    pub const fn value(file: FileId, node: NodeId) -> Self {
        Self { file, node, part: Part::Value, case_value: None, evidence: None }
    }

    /// The key of a value.
    pub const fn key(file: FileId, node: NodeId) -> Self {
        Self { file, node, part: Part::Key, case_value: None, evidence: None }
    }

    /// `part` is a byte range of the unescaped string.
    pub const fn inside(file: FileId, string: NodeId, part: Range<usize>) -> Self {
        Self { file, node: string, part: Part::Inside(part), case_value: None, evidence: None }
    }

    /// The `activities` of a workflow: for what concerns it as a whole.
    pub fn of_activities(analysis: &Analysis<'_>) -> Self {
        let root = analysis.document.root();
        Self::value(analysis.file, analysis.document.member(root, "activities").unwrap_or(root))
    }

    #[must_use]
    pub fn of_case_value(self, value: CaseValue) -> Self {
        Self { case_value: Some(value), ..self }
    }

    #[must_use]
    pub const fn with_evidence(mut self, evidence: Evidence) -> Self {
        self.evidence = Some(evidence);
        self
    }

    /// The name in a binding, or the placeholder in a string.
    pub fn of_read(file: FileId, read: &Read) -> Self {
        match &read.part {
            Some(part) => Self::inside(file, read.node, part.clone()),
            None => Self::value(file, read.node),
        }
    }
}
