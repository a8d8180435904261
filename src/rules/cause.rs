//! What findings are about, beyond their place: how one finding knows that another names its cause.

use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::facts::{CaseValue, Part, Place};

/// Something that can be at fault.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// A value in a document: a binding, a parameter, an activity, a script.
    Node(FileId, NodeId),
    /// The part of a string that starts at this byte of its unescaped text: a placeholder, a word of a script.
    Part(FileId, NodeId, usize),
    /// A key that an object lacks, or a parameter that an activity lacks.
    Absent(FileId, NodeId, String),
    /// A variable of the service by name, declared or not.
    Variable(String),
    /// That this loop never ends.
    Loop(FileId, NodeId),
    /// A status of a case status variable, by the names of both.
    CaseStatus { variable: String, status: String },
    /// A status that an unknown one is most likely meant to be, by the names of variable and status.
    MeantStatus { variable: String, status: String },
    /// A value in a signing case.
    CaseValue(CaseValue),
}

impl From<&Place> for Cause {
    fn from(place: &Place) -> Self {
        match (place.case_value, &place.part) {
            (Some(value), _) => Self::CaseValue(value),
            (None, Part::Value | Part::Key) => Self::Node(place.file, place.node),
            (None, Part::Inside(part)) => Self::Part(place.file, place.node, part.start),
        }
    }
}
