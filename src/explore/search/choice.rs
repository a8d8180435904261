//! Decisions of a run.

use std::rc::Rc;
use std::sync::Arc;

use crate::model::ActivityId;
use crate::simulate::{Instant, SigningAction, Slot};
use crate::synth::LookupAnswer;

/// The choices of one round of a loop.
pub type Round = Vec<Rc<Choice>>;

/// A decision of a run.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The activity that asked; `None` for a field.
    pub activity: Option<ActivityId>,
    /// When it was made.
    pub at: Instant,
    pub decision: SearchDecision,
}

#[derive(Debug, Clone)]
pub enum SearchDecision {
    /// A field of the form, or a variable that is set from outside, has one of its values.
    Field {
        field: usize,
        alternative: usize,
    },
    /// A call has one of its possible results; its number among the calls of its method, and among the results.
    Returns {
        call: u64,
        number: usize,
        result: Rc<PossibleResult>,
    },
    /// A call is made to fail; its number among the calls of its method.
    Fails {
        call: u64,
    },
    Signs {
        mail: Arc<str>,
        asked: Instant,
        case: usize,
        action: SigningAction,
    },
    Answers {
        who: Arc<str>,
        asked: Instant,
        approval: ApprovalRun,
        approves: bool,
    },
}

/// A result of a call.
#[derive(Debug)]
pub struct PossibleResult {
    /// Of a lookup that finds something.
    pub answer: Option<LookupAnswer>,
    /// The outputs without the prefix, or the error.
    pub outputs: Result<Vec<(String, Arc<str>)>, String>,
}

/// One of the runs of an Approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalRun {
    /// Among the runs of all Approvals.
    pub of_all: usize,
    /// Among the runs of this Approval.
    pub own: usize,
}

impl SearchDecision {
    /// Whether a person acts.
    pub const fn is_of_person(&self) -> bool {
        matches!(self, Self::Signs { .. } | Self::Answers { .. })
    }
}

/// The alternatives of what is submitted, by variable.
#[derive(Debug, Clone, Default)]
pub struct FieldChoices {
    /// In the order of the fields.
    pub fields: Vec<Alternatives>,
}

#[derive(Debug, Clone)]
pub struct Alternatives {
    /// `None` of a field that fills no variable.
    pub variable: Option<Slot>,
    /// The first one is what the base scenario submits, whose value may be generated.
    pub values: Vec<Arc<str>>,
    /// Whether each value leaves the field empty.
    pub nothing: Vec<bool>,
}

impl FieldChoices {
    /// The field that decides a variable, and its number.
    pub fn of(&self, variable: Slot) -> Option<(usize, &Alternatives)> {
        self.fields.iter().enumerate().find(|(_, field)| field.variable == Some(variable))
    }
}
