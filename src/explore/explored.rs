//! The results of exploring, as plain data for reports: nothing refers to a run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::SignedDuration;
use serde_json::Value;

use super::ends::{Ending, MAX_ENDS};
use super::state_graph::StateGraph;
use crate::common::outcomes::{Decision, MailKind};
use crate::model::{ActivityId, Assumption, Assumptions};
use crate::redaction::Masker;
use crate::simulate::{Covered, RunEvent};
use crate::text::count;
use crate::text::diagnostic::{Diagnostic, FileId, Location};

/// The results for all services.
#[derive(Debug, Clone, Default)]
pub struct Explored {
    /// Sorted by the workflows' names.
    pub services: Vec<ExploredService>,
    /// The built-in laws first, then those of `wflint.toml` in its order.
    pub laws: Vec<ExploredLaw>,
    /// Services that could not be explored: the workflow, and why.
    pub unexplored: Vec<(FileId, String)>,
    /// `[[suppress]]` entries of laws that accept nothing.
    pub warnings: Vec<Diagnostic>,
}

#[derive(Debug, Clone)]
pub struct ExploredService {
    pub workflow: FileId,
    /// The order form.
    pub form: Option<FileId>,
    /// Different states.
    pub states: usize,
    /// What kept the search from visiting every state.
    pub cut: Option<Cut>,
    /// The cheapest run first, grouped by `ending`.
    pub ends: Vec<ExploredEnd>,
    pub reached: Reached,
    pub possible: Possible,
    /// The assumptions of the result, as sentences without a period.
    pub assumptions: Vec<String>,
    /// Hides secrets, and the values of masked variables in everything but scenarios. Values that are too short to search for are
    /// masked already.
    pub masker: Arc<Masker>,
    /// Candidate runs for `--cover`, the cheapest first. Empty unless requested.
    pub candidates: Vec<CoverRun>,
    /// Empty unless requested.
    pub shown_claims: Vec<ShownClaim>,
    /// The states, for a reader who chooses; `None` unless requested.
    pub graph: Option<StateGraph>,
    /// What Status activities publish, in the order of the text; empty unless events are requested.
    pub published: Vec<PublishedStatus>,
    /// How Approvals are decided; empty unless events are requested.
    pub decisions: Vec<ApprovalDecision>,
}

/// A Status activity that some run publishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedStatus {
    pub activity: ActivityId,
    /// The different texts, the first 20.
    pub texts: Vec<PublishedText>,
    /// Whether there are more.
    pub has_more: bool,
    /// The indices of the ends that can follow any text.
    pub ends: BTreeSet<usize>,
}

/// A text that some run publishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedText {
    /// Masked.
    pub text: String,
    /// The indices of the ends that can follow.
    pub ends: BTreeSet<usize>,
}

/// A decision of an Approval that some run makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalDecision {
    pub activity: ActivityId,
    pub decision: Decision,
    /// The indices of the ends that can follow.
    pub ends: BTreeSet<usize>,
}

impl ExploredService {
    /// Whether every state was visited.
    pub const fn is_complete(&self) -> bool {
        self.cut.is_none()
    }

    /// Whether there are more ends than are listed.
    pub const fn has_more_ends(&self) -> bool {
        self.cut.is_some() && self.ends.len() >= MAX_ENDS
    }
}

/// What keeps a search from visiting every state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    MaxStates,
    /// Runs have built as much text as they may.
    Text,
    /// Too many people can act at once.
    People,
    /// Not all ends are shown.
    Ends,
    /// Up to a deadline a loop makes more calls than a scenario may list.
    ManyCalls,
    /// A limit of the simulator.
    Simulator,
}

impl Cut {
    /// The cause, to follow "not explored completely: "; `states` were visited.
    pub fn reason(self, states: usize) -> String {
        match self {
            Self::MaxStates => format!("stopped at {}", count(states, "state")),
            Self::Text => format!("reached the limit of text at {}", count(states, "state")),
            Self::People => format!("too many people can act at once, at {}", count(states, "state")),
            Self::Ends => "more ends than a report may show".to_owned(),
            Self::ManyCalls => "a loop makes more calls before a deadline than a scenario may list".to_owned(),
            Self::Simulator => "a run exceeds a limit of the simulator".to_owned(),
        }
    }

    /// What lets the search visit more.
    pub const fn help(self) -> Option<&'static str> {
        match self {
            Self::MaxStates => Some("raise `max-states` below `[explore]`"),
            Self::Text | Self::People | Self::Ends | Self::ManyCalls | Self::Simulator => None,
        }
    }
}

/// A run that `--cover` may write.
#[derive(Debug, Clone)]
pub struct CoverRun {
    pub end: ExploredEnd,
    pub reaches: BTreeSet<Covered>,
}

/// A loop that never ends with some final statuses, as lint claims it (WF404).
#[derive(Debug, Clone)]
pub struct ShownClaim {
    pub activity: NamedPlace,
    /// The content of a scenario file, with unmasked values.
    pub scenario: Value,
}

/// An end, with the run that shows it.
#[derive(Debug, Clone)]
pub struct ExploredEnd {
    pub ending: Ending,
    /// The assumption of the simulator without which it may end, if it is `endless`.
    pub assumed: Option<Assumption>,
    /// The assumptions of the simulator that its run relies on.
    pub rests_on: Assumptions,
    /// The activity at which the order ended; for a cycle, its loop or Approval. `None` if the order completed.
    pub activity: Option<NamedPlace>,
    /// The last published status.
    pub status: Option<String>,
    /// The last decision of each Approval, by name: `approved`, `rejected`, `timed-out`.
    pub approvals: BTreeMap<String, String>,
    pub elapsed: SignedDuration,
    /// Cases and approvals that are still open.
    pub open: Vec<String>,
    /// Unusual choices, and those of people, in order.
    pub choices: Vec<ExploredChoice>,
    /// Of a loop without an end: the call in it that it depends on.
    pub repeated: Option<RepeatedCall>,
    /// The content of a scenario file, with unmasked values.
    pub scenario: Value,
    /// The run, masked; of a cycle up to where it closes. Empty unless requested.
    pub events: Vec<RunEvent>,
}

/// An activity by its name and place.
#[derive(Debug, Clone)]
pub struct NamedPlace {
    pub name: String,
    pub location: Location,
}

/// A call that keeps having the same result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedCall {
    /// The name of the activity.
    pub at: String,
    /// `None` for the usual result.
    pub result: Option<ChoiceKind>,
}

/// A choice made in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExploredChoice {
    /// The activity that asked, or the field.
    pub at: String,
    /// Its subject: a mail address, a field, a method.
    pub what: String,
    /// The field or variable that holds the address of a person.
    pub role: Option<String>,
    pub by: Chooser,
    pub choice: ChoiceKind,
}

/// Who or what makes a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chooser {
    /// An assignee of an Approval.
    Approver,
    /// A party of a signing case.
    Signer,
    /// A provider call: its success, what a lookup returns, an output.
    Call,
    /// A field of the form, or a variable that is set from outside.
    Field,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceKind {
    Approve,
    Reject,
    Sign,
    /// Somebody who was asked does not act before the run ends.
    Never,
    /// A call fails.
    Fail,
    /// A lookup finds an entry without the properties; a field is not filled in.
    Empty,
    /// A lookup of members finds two.
    Two,
    /// Of a field, or of an output.
    Value(String),
}

impl ExploredLaw {
    /// The runs that break it, without those that a `[[suppress]]` accepts.
    pub fn broken(&self) -> impl Iterator<Item = &BrokenLaw> {
        self.broken.iter().filter(|broken| broken.accepted.is_none())
    }

    /// Whether some run breaks it that no `[[suppress]]` accepts.
    pub fn is_broken(&self) -> bool {
        !self.unlisted.is_empty() || self.broken().next().is_some()
    }
}

impl ChoiceKind {
    /// As in JSON.
    pub fn word(&self) -> &str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Sign => "sign",
            Self::Never => "never",
            Self::Fail => "fail",
            Self::Empty => "empty",
            Self::Two => "two",
            Self::Value(value) => value,
        }
    }
}

/// How many activities and branches some run took.
#[derive(Debug, Clone, Default)]
pub struct Reached {
    pub activities: usize,
    pub activities_of: usize,
    pub unreached: Vec<NamedPlace>,
    /// The pointers of those that may be reached although no run does so, which breaks no law.
    pub excused: BTreeSet<String>,
    pub branches: usize,
    pub branches_of: usize,
    pub unreached_branches: Vec<UnreachedBranch>,
}

/// What some run does.
#[derive(Debug, Clone, Default)]
pub struct Possible {
    /// Approvals with how they are decided, in the order of the text.
    pub approvals: Vec<(NamedPlace, Decision)>,
    /// The methods that are called.
    pub calls: BTreeSet<String>,
    pub mails: BTreeSet<MailKind>,
}

#[derive(Debug, Clone)]
pub struct UnreachedBranch {
    pub activity: NamedPlace,
    /// The outcome of the condition that no run has.
    pub branch: bool,
    /// Whether the condition depends on sampled values, so that this breaks no law.
    pub is_sampled: bool,
}

#[derive(Debug, Clone)]
pub struct ExploredLaw {
    pub name: String,
    /// Whether no run breaks it, except those that a `[[suppress]]` accepts; `None` if the search was cut off before.
    pub holds: Option<bool>,
    pub broken: Vec<BrokenLaw>,
    /// By workflow, further runs that break it, which are only counted, without those that a `[[suppress]]` accepts.
    pub unlisted: BTreeMap<FileId, usize>,
    /// Whether some run meets its `when`; true for a law without one.
    pub is_met: bool,
    /// Where `wflint.toml` has it; `None` for a built-in law.
    pub declared: Option<Location>,
    /// Whether no service has a name that it uses, which is an error of the configuration.
    pub has_unknown_names: bool,
}

impl ExploredLaw {
    /// Whether it holds only as no run meets its `when`.
    pub fn is_unmet(&self) -> bool {
        !self.is_met && self.holds == Some(true)
    }
}

/// A law that a run of a service breaks.
#[derive(Debug, Clone)]
pub struct BrokenLaw {
    pub workflow: FileId,
    /// The activity at fault.
    pub location: Location,
    /// How the run breaks the law, in one line.
    pub message: String,
    /// `None` if no run can show it, as for an unreached activity.
    pub scenario: Option<Value>,
    /// The run up to the break.
    pub timeline: Arc<[TimelineLine]>,
    /// The run, masked; of a cycle up to where it closes. Empty unless requested.
    pub events: Vec<RunEvent>,
    /// The reason of the `[[suppress]]` that accepts it.
    pub accepted: Option<String>,
}

/// A step of the run that breaks a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineLine {
    /// Since the start.
    pub at: SignedDuration,
    pub activity: Option<String>,
    /// What changed: `ESignStatus = Sent`, `status: Waiting`, `anna@example.com rejects`, `back to While not signed`.
    pub text: String,
    /// Whether it is the decisive choice.
    pub is_deciding: bool,
}
