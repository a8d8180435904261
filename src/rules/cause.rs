//! The causes of findings, by which precedence recognizes that two findings are about one fault.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use crate::collections::RandomState;
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
    /// A status of a case status variable.
    CaseStatus(Box<StatusNames>),
    /// The status that was most likely meant by an unknown one.
    SuggestedStatus(Box<StatusNames>),
    /// A value in a signing case.
    CaseValue(CaseValue),
}

/// The names of a case status variable and of one of its statuses.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatusNames {
    pub variable: String,
    pub status: String,
}

impl Cause {
    pub fn case_status(variable: String, status: String) -> Self {
        Self::CaseStatus(Box::new(StatusNames { variable, status }))
    }

    pub fn suggested_status(variable: String, status: String) -> Self {
        Self::SuggestedStatus(Box::new(StatusNames { variable, status }))
    }
}

/// The hash of a cause: causes are only compared, and there may be very many.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CauseKey(u64);

impl From<&Cause> for CauseKey {
    fn from(cause: &Cause) -> Self {
        static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        Self(HASHER.hash_one(cause))
    }
}

impl From<Cause> for CauseKey {
    fn from(cause: Cause) -> Self {
        Self::from(&cause)
    }
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
