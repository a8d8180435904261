//! The causes of findings, by which precedence recognizes that two findings are about one fault.

use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::facts::{CaseValue, Part, Place};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// A value in a document: a binding, a parameter, an activity, a script.
    Node(FileId, NodeId),
    /// The part of a string that starts at this byte, without escapes: a placeholder, a word of a script.
    Part(FileId, NodeId, usize),
    /// The placeholders of a name in a body.
    Placeholder(FileId, NodeId, String),
    /// A missing key of an object, or a missing parameter of an activity.
    Absent(FileId, NodeId, String),
    /// A variable of the service, by name, declared or not.
    Variable(String),
    /// A loop that never ends.
    Loop(FileId, NodeId),
    /// A status of a case status variable, by the names of both.
    CaseStatus { variable: String, status: String },
    /// The status that was most likely meant by an unknown one, by the names of variable and status.
    SuggestedStatus { variable: String, status: String },
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
