//! What the page shows, as plain data: collected from lint, simulation, exploration and diff, rendered by templates.
//! Every string is redacted already, but nothing is escaped. Texts in backticks are names of the documents.

use std::collections::BTreeSet;

use crate::common::outcomes::OutcomeKind;
use crate::draw::{Drawing, Outline};
use crate::text::diagnostic::Severity;

/// The page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// Those with errors first, then by name.
    pub services: Vec<ServicePage>,
    /// Findings in files that belong to no workflow, with their places.
    pub other_findings: Vec<FindingView>,
    /// What could not be read or was left out, one sentence each.
    pub notes: Vec<String>,
}

/// The section of a workflow with its order form.
#[derive(Debug, Clone)]
pub struct ServicePage {
    /// The folder's name, as far as it is needed to be unique: also the id of the section.
    pub name: String,
    /// The workflow, relative to the folder that names are relative to.
    pub file: String,
    /// The order form.
    pub form: Option<String>,
    /// Or why there is none.
    pub drawing: Result<Drawing, String>,
    /// `None` where there is no drawing.
    pub outline: Option<Outline>,
    pub activities: Vec<ActivityView>,
    pub findings: Vec<FindingView>,
    pub orders: Orders,
    pub scenarios: Scenarios,
    pub laws: Vec<LawView>,
    pub people: Vec<PersonView>,
    pub mails: Vec<MailView>,
    pub unknown: Vec<UnknownView>,
    pub variables: Vec<VariableView>,
    pub forms: Vec<FormView>,
    /// `None` without `--since`.
    pub changes: Option<Changes>,
}

impl ServicePage {
    /// The section of a workflow of which nothing can be shown but its findings, and why it has no drawing.
    pub fn without_workflow(file: String, looked: Looked, why: String) -> Self {
        Self {
            name: String::new(),
            file,
            form: None,
            drawing: Err(why),
            outline: None,
            activities: Vec::new(),
            findings: Vec::new(),
            orders: Orders { looked, ..Orders::default() },
            scenarios: Scenarios::default(),
            laws: Vec::new(),
            people: Vec::new(),
            mails: Vec::new(),
            unknown: Vec::new(),
            variables: Vec::new(),
            forms: Vec::new(),
            changes: None,
        }
    }
}

/// Whether something was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// With `--no-explore` or `--no-scripts`.
    LeftOut(&'static str),
    /// It could not be, for a reason.
    Failed(String),
    Completely,
    /// The first part, with what kept the search from the rest.
    Partly(String),
}

/// What is known of how orders go, from exploring.
#[derive(Debug, Clone)]
pub struct Orders {
    pub looked: Looked,
    pub ends: Vec<EndView>,
    /// Whether there are more than these.
    pub has_more_ends: bool,
    pub statuses: Vec<StatusView>,
    /// What the result assumes, as sentences without a period.
    pub assumptions: Vec<String>,
    /// The numbers of those that decide whether an order can hang.
    pub hang_assumptions: Vec<String>,
}

impl Default for Orders {
    fn default() -> Self {
        Self {
            looked: Looked::LeftOut("not explored"),
            ends: Vec::new(),
            has_more_ends: false,
            statuses: Vec::new(),
            assumptions: Vec::new(),
            hang_assumptions: Vec::new(),
        }
    }
}

/// An activity, for the panel that a click on the drawing shows.
#[derive(Debug, Clone, Default)]
pub struct ActivityView {
    pub pointer: String,
    pub name: String,
    /// The type, in a word.
    pub word: String,
    /// `order.workflow.json:12`.
    pub place: String,
    /// Variables.
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    /// Names with values in words, masked values and secrets covered.
    pub parameters: Vec<(String, String)>,
    /// Codes with severities.
    pub findings: Vec<(Severity, String)>,
    /// How often scenarios began it; `None` without scenarios.
    pub begun: Option<u64>,
    /// The branches that coverage counts, with how often scenarios took them.
    pub branches: Vec<(&'static str, u64)>,
}

#[derive(Debug, Clone)]
pub struct FindingView {
    pub code: String,
    pub name: String,
    pub severity: Severity,
    pub message: String,
    pub help: Option<String>,
    /// Titles of repairs, the likeliest first, and their applicability in a word.
    pub repairs: Vec<(String, &'static str)>,
    /// The JSON Pointer.
    pub pointer: String,
    /// `order.workflow.json:12:5`.
    pub place: String,
    /// The lines of the document, as the human report shows them.
    pub excerpt: String,
    /// The innermost activity around it: pointer and name.
    pub activity: Option<(String, String)>,
    /// The rule's page in short: what it reports, why, what to do.
    pub about: Vec<String>,
}

/// A way in which orders end.
#[derive(Debug, Clone)]
pub struct EndView {
    /// `end-1`: the id of its run.
    pub id: String,
    /// `completed`, `terminated`, `failed`, `waits`, `endless`.
    pub outcome: &'static str,
    /// The last status; `None` if none was published.
    pub status: Option<String>,
    /// What leads there, in words.
    pub reason: String,
    /// The activity at which it ends: pointer and name.
    pub activity: Option<(String, String)>,
    /// How long the order takes, in words.
    pub elapsed: String,
    /// Cases and approvals that are still open.
    pub open: Vec<String>,
    /// Whom it waits for, for an end that waits or is endless.
    pub waits_for: Vec<String>,
    /// Scenarios that end so, by file name; `None` without scenarios.
    pub covered_by: Option<Vec<String>>,
    /// Scenarios that end in the same way, but went another one.
    pub alike: Vec<String>,
}

/// A text that an order can show as its status.
#[derive(Debug, Clone)]
pub struct StatusView {
    /// Literal parts, and gaps with the variable that fills them.
    pub template: Vec<TemplatePart>,
    /// Texts that explored orders show.
    pub seen: Vec<SeenText>,
    /// The activities that publish it: pointer and name.
    pub published_by: Vec<(String, String)>,
    /// Indices of ends that can follow any text; empty if no explored order publishes it.
    pub ends: BTreeSet<usize>,
}

/// A text that explored orders show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenText {
    pub text: String,
    /// Indices of ends that can follow.
    pub ends: BTreeSet<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TemplatePart {
    Text(String),
    /// The variable.
    Gap(String),
}

/// The scenarios of a workflow.
#[derive(Debug, Clone, Default)]
pub struct Scenarios {
    pub scenarios: Vec<ScenarioView>,
    /// Those that could not be run.
    pub not_run: Vec<NotRunView>,
    /// Whether they were not run because no script may.
    pub left_out: bool,
    /// `None` without scenarios.
    pub coverage: Option<CoverageView>,
}

#[derive(Debug, Clone)]
pub struct ScenarioView {
    /// `scenario-1`: the id of its run.
    pub id: String,
    pub name: String,
    pub file: String,
    pub passed: bool,
    pub outcome: OutcomeKind,
    /// In words, why the order ended so, unless it completed or was terminated.
    pub failure: Option<String>,
    /// Expectations in words, and whether they were met; of those that were not, with what happened instead.
    pub checks: Vec<(bool, String)>,
    /// When, where and what.
    pub timeline: Vec<TimelineRow>,
    pub elapsed: String,
}

/// A scenario that could not be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRunView {
    pub file: String,
    /// A sentence each, without a period.
    pub reasons: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineRow {
    /// Since the submission, in words; empty if it is that of the row before.
    pub at: String,
    /// The name of the activity; empty for what happens meanwhile.
    pub activity: String,
    pub text: String,
}

#[derive(Debug, Clone, Default)]
pub struct CoverageView {
    /// Covered, and all.
    pub activities: (usize, usize),
    pub branches: (usize, usize),
    /// With at most two decimals, rounded down.
    pub percent: String,
    /// Names of activities, and branches as `Name (true)`.
    pub missing: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct LawView {
    pub name: String,
    /// What it demands, in a sentence.
    pub demand: String,
    /// `true`, `false`, `accepted`, `unknown`.
    pub holds: &'static str,
    /// What was not looked at, of a law that holds.
    pub unseen: Vec<String>,
    /// Why it is unknown, or a note such as "no run meets `when`".
    pub note: Option<String>,
    pub broken: Vec<BrokenView>,
}

#[derive(Debug, Clone)]
pub struct BrokenView {
    /// `law-1`: the id of its run; `None` if no run can show it.
    pub id: Option<String>,
    pub message: String,
    /// The activity: pointer and name.
    pub activity: Option<(String, String)>,
    pub timeline: Vec<TimelineRow>,
    /// The reason of the `[[suppress]]` that accepts it.
    pub accepted: Option<String>,
}

/// Somebody who is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonView {
    /// "approves" or "signs".
    pub does: &'static str,
    /// The person in words: "the person in `Email`", "the members of `Managers`".
    pub who: String,
    /// The activity that asks: pointer and name.
    pub activity: (String, String),
    /// When, in words, and what follows without an answer.
    pub when: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailView {
    pub to: String,
    pub subject: String,
    pub when: String,
    pub activity: (String, String),
}

/// An activity that may send a mail or ask somebody: what it does is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownView {
    pub activity: (String, String),
    /// The type or the method.
    pub word: String,
    /// The variables that it is given, in backticks.
    pub given: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VariableView {
    pub name: String,
    /// The label of the field that fills it.
    pub label: Option<String>,
    /// The type, in a word.
    pub type_name: String,
    pub is_masked: bool,
    /// Why it counts as personal data: "personal id", "mail address", "name"; `None` if it does not.
    pub personal: Option<&'static str>,
    /// "form field `Mail address`", activity names, "from outside".
    pub filled_by: Vec<String>,
    /// Names of activities.
    pub read_by: Vec<String>,
    /// "`PartySSN` of `Request signature`", "a mail", "the status `…`".
    pub sent_to: Vec<String>,
    /// "whoever ordered (the status of `…`)", "whoever approves (in the approval form)".
    pub seen_by: Vec<String>,
}

/// A form as its users see it, roughly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormView {
    pub file: String,
    /// "Order form", "Approval form".
    pub kind: &'static str,
    pub sections: Vec<FormSectionView>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormSectionView {
    pub title: String,
    pub description: String,
    pub fields: Vec<FormFieldView>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormFieldView {
    pub label: String,
    pub description: String,
    /// In words: "text", "date", "drop-down", "file".
    pub kind: String,
    pub is_required: bool,
    pub is_hidden: bool,
    pub is_readonly: bool,
    /// Whether it is shown, and people may fill it in.
    pub is_asked: bool,
    /// The variable that it fills.
    pub fills: Option<String>,
    pub items: Vec<ItemView>,
    pub default: String,
    /// What its users read when what they enter does not fit its pattern; empty if it has none.
    pub validation: String,
}

/// An item of a drop-down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemView {
    /// What its users see.
    pub label: String,
    /// What conditions compare, if they do and it is not the label.
    pub value: Option<String>,
}

/// What changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The revision that the page compares with.
    pub since: String,
    /// Changes of documents.
    pub number: usize,
    /// Those of what orders can do.
    pub effects: usize,
    pub lines: Vec<ChangeView>,
}

/// A line of what changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeView {
    /// Nesting, from 0.
    pub depth: usize,
    /// "added", "removed", "changed"; empty for a heading, and for a text that says it.
    pub word: &'static str,
    pub text: String,
}
