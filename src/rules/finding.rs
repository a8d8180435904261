//! Findings, with what decides which of them stay.

use std::collections::BTreeMap;

use crate::document::NodeId;
use crate::facts::{CaseValue, Evidence, Part, Place};
use crate::text::diagnostic::{Diagnostic, FileId, Severity};

/// What the reporter adds to each finding of a rule, so that a rule cannot mislabel itself.
#[derive(Debug, Clone, Copy)]
pub struct RuleIdentity {
    pub code: &'static str,
    pub name: &'static str,
    pub severity: Severity,
}

/// The findings of one rule in one service.
#[derive(Debug)]
pub struct RuleFindings {
    pub rule: RuleIdentity,
    pub findings: Vec<Finding>,
    /// How many more there are.
    pub omitted: BTreeMap<(FileId, Severity), usize>,
}

/// A finding. Its severity and its other details are in the diagnostic.
#[derive(Debug)]
pub struct Finding {
    pub file: FileId,
    /// `None` in a file that contains no document.
    pub node: Option<NodeId>,
    /// Its place, and what else it is about.
    pub causes: Vec<Cause>,
    pub in_run: Option<InRun>,
    pub diagnostic: Box<Diagnostic>,
}

/// A finding in a run of a script.
#[derive(Debug)]
pub struct InRun {
    pub evidence: Evidence,
    /// What runs have to agree on, if the message depends on their values.
    pub claim: Option<String>,
    /// Whether it only shows that a run agrees, and is not reported.
    pub only_agrees: bool,
}

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A value in a document: a binding, a parameter, an activity, a script.
    Node(FileId, NodeId),
    /// The part of a string that starts at this byte, without escapes: a placeholder, a word of a script.
    Part(FileId, NodeId, usize),
    /// A name that a value lacks or uses: a missing key of an object, a missing parameter of an activity, a placeholder,
    /// a variable of a condition.
    Name(FileId, NodeId, String),
    /// A variable of the service, by name, declared or not.
    Variable(String),
    /// A status of a case status variable, by their names.
    Status(String, String),
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

impl RuleFindings {
    pub const fn new(rule: RuleIdentity) -> Self {
        Self { rule, findings: Vec::new(), omitted: BTreeMap::new() }
    }
}
