//! Results of exploring, made by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::SignedDuration;
use serde_json::{Value, json};
use wflint::explore::{
    BrokenLaw, ChoiceKind, Chooser, Cut, Ending, Explored, ExploredChoice, ExploredEnd, ExploredLaw, ExploredService,
    NamedPlace, Reached, TimelineLine, UnreachedBranch,
};
use wflint::lint::Outcome;
use wflint::model::{Assumption, Assumptions};
use wflint::redaction::Masker;
use wflint::report::{ExplorationReport, Report, RunFormat, Style};
use wflint::text::diagnostic::{FileId, Location};
use wflint::text::source::{SourceFile, Span};

pub const WORKFLOW: &str = "examples/sign-upload/order.workflow.json";
pub const ALL_FORMATS: [RunFormat; 6] =
    [RunFormat::Human, RunFormat::Concise, RunFormat::Json, RunFormat::Github, RunFormat::Junit, RunFormat::Markdown];

/// Results, and the files that they are about.
pub struct Found {
    pub explored: Explored,
    pub outcome: Outcome,
}

impl Found {
    pub fn new(explored: Explored, files: &[(&str, &str)]) -> Self {
        let sources = (0..).zip(files).map(|(id, (name, text))| {
            (FileId(id), SourceFile::new((*name).into(), (*name).to_owned(), (*text).into()))
        });
        Self { explored, outcome: Outcome { sources: sources.collect(), ..Outcome::default() } }
    }

    /// The results of one service.
    pub fn of(service: ExploredService, laws: Vec<ExploredLaw>) -> Self {
        let text = include_str!("../../../examples/sign-upload/order.workflow.json");
        Self::new(
            Explored { services: vec![service], laws, unexplored: Vec::new(), warnings: Vec::new() },
            &[(WORKFLOW, text)],
        )
    }

    pub fn report(&self, format: RunFormat, style: Style) -> String {
        let report = Report { outcome: &self.outcome, style };
        let mut out = Vec::new();
        ExplorationReport { explored: &self.explored, report }.write(format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    pub fn plain(&self, format: RunFormat) -> String {
        self.report(format, Style::default())
    }
}

pub fn place(pointer: &str, text: &str) -> Location {
    let source = include_str!("../../../examples/sign-upload/order.workflow.json");
    let start = u32::try_from(source.find(text).unwrap_or(0)).unwrap();
    let end = start + u32::try_from(text.len()).unwrap();
    Location { file: FileId(0), pointer: pointer.to_owned(), span: Span { start, end } }
}

pub fn activity(name: &str) -> NamedPlace {
    NamedPlace { name: name.to_owned(), location: place("/activities/1", name) }
}

pub fn choice(at: &str, what: &str, by: Chooser, choice: ChoiceKind) -> ExploredChoice {
    ExploredChoice { at: at.to_owned(), what: what.to_owned(), role: None, by, choice }
}

pub fn end(ending: Ending, at: Option<&str>, status: Option<&str>, choices: Vec<ExploredChoice>) -> ExploredEnd {
    ExploredEnd {
        ending,
        assumed: None,
        rests_on: Assumptions::default(),
        activity: at.map(activity),
        status: status.map(str::to_owned),
        approvals: BTreeMap::new(),
        elapsed: SignedDuration::from_secs(300),
        open: Vec::new(),
        choices,
        repeated: None,
        scenario: scenario(),
        events: Vec::new(),
    }
}

pub fn scenario() -> Value {
    json!({ "workflow": "order.workflow.json", "form": "order.form.json", "expect": { "outcome": "completed" } })
}

/// The service of the example in the contract of the command.
pub fn sign_upload() -> ExploredService {
    let signer = |kind| vec![choice("Request signature", "anna@example.com", Chooser::Signer, kind)];
    let call = |at| vec![choice(at, "Get-ZPESignDocumentSignatureStatus", Chooser::Call, ChoiceKind::Fail)];
    let requested = Some("Request-ZPESignDocumentSignature: completed");
    ExploredService {
        workflow: FileId(0),
        form: None,
        states: 41,
        cut: None,
        ends: vec![
            end(Ending::Completed, None, Some("Document status - Finished"), signer(ChoiceKind::Sign)),
            end(Ending::Terminated, Some("End the order"), Some("Document was rejected"), signer(ChoiceKind::Reject)),
            end(Ending::Waits, Some("Wait for the signature"), requested, signer(ChoiceKind::Never)),
            end(Ending::Failed, Some("Request signature"), None, call("Request signature")),
            end(Ending::Failed, Some("Get signature status"), requested, call("Get signature status")),
            end(Ending::Failed, Some("Get signature status again"), requested, call("Get signature status again")),
        ],
        reached: Reached { activities: 13, activities_of: 13, branches: 6, branches_of: 6, ..Reached::default() },
        possible: wflint::explore::Possible::default(),
        assumptions: Vec::new(),
        masker: Arc::new(Masker::default()),
        candidates: Vec::new(),
        shown_claims: Vec::new(),
        graph: None,
        published: Vec::new(),
        decisions: Vec::new(),
    }
}

pub fn law(name: &str, broken: Vec<BrokenLaw>) -> ExploredLaw {
    ExploredLaw {
        name: name.to_owned(),
        holds: Some(broken.is_empty()),
        broken,
        unlisted: BTreeMap::new(),
        is_met: true,
        declared: None,
        has_unknown_names: false,
    }
}

pub fn line(at: i64, activity: &str, text: &str, is_deciding: bool) -> TimelineLine {
    let activity = (!activity.is_empty()).then(|| activity.to_owned());
    TimelineLine { at: SignedDuration::from_secs(at), activity, text: text.to_owned(), is_deciding }
}

pub fn broken(message: &str) -> BrokenLaw {
    BrokenLaw {
        workflow: FileId(0),
        location: place("/activities/2", "\"Get signature status\""),
        message: message.to_owned(),
        scenario: Some(scenario()),
        timeline: [
            line(0, "Request signature", "called Request-ZPESignDocumentSignature", false),
            line(0, "Request signature", "ESignId = 00000000-0000-4000-8000-000000000001", false),
            line(1, "Request signature", "anna@example.com rejects", true),
            line(300, "Get signature status", "ESignStatus = Rejected", false),
            line(300, "Wait for the signature", "back to Wait for the signature", false),
        ]
        .into(),
        events: Vec::new(),
        accepted: None,
    }
}

/// Laws of each kind, and a service that was cut off.
pub fn mixed() -> Found {
    let mut service = sign_upload();
    service.cut = Some(Cut::MaxStates);
    service.reached.activities = 11;
    service.reached.unreached = vec![activity("End the order"), activity("Publish rejection")];
    service.reached.branches = 4;
    let branch = |name, branch, is_sampled| UnreachedBranch { activity: activity(name), branch, is_sampled };
    service.reached.unreached_branches = vec![branch("If rejected", true, false), branch("If even", false, true)];
    service.assumptions = vec!["a case without a verdict has the status `Sent`".to_owned()];
    service.ends.push(ExploredEnd {
        assumed: Some(Assumption::Expired),
        ..end(Ending::Endless, Some("Wait for the signature"), Some(""), Vec::new())
    });
    let accepted = BrokenLaw { accepted: Some("the portal asks again".to_owned()), ..broken("nothing ends it") };
    let unreached = BrokenLaw { scenario: None, timeline: Arc::default(), ..broken("no run takes `End the order`") };
    let laws = vec![
        law("ends", vec![broken("loop `Wait for the signature` never ends when `ESignStatus` is `Rejected`")]),
        law("no-fault", Vec::new()),
        law("reached", vec![unreached]),
        ExploredLaw { holds: None, ..law("it's told", Vec::new()) },
        ExploredLaw { holds: Some(true), ..law("orders end", vec![accepted]) },
        ExploredLaw { is_met: false, declared: Some(place("", "activities")), ..law("rare", Vec::new()) },
    ];
    let mut found = Found::of(service, laws);
    found.explored.unexplored.push((FileId(1), "2 order forms, and none is named `order`".to_owned()));
    let source = SourceFile::new("b.json".into(), "examples/b.json".to_owned(), "{}".into());
    found.outcome.sources.insert(FileId(1), source);
    found
}
