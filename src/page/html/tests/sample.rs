//! Pages made by hand: one as an author would see it, and one with a given text in every place.

use std::collections::BTreeSet;

use crate::common::outcomes::OutcomeKind;
use crate::draw::Drawing;
use crate::draw::outline::{Outline, OutlineStep, Part};
use crate::model::ActivityId;
use crate::page::model::{
    ActivityView, BrokenView, ChangeView, Changes, CoverageView, EndView, FindingView, FormFieldView, FormSectionView,
    FormView, ItemView, LawView, Looked, MailView, NotRunView, Orders, Page, PersonView, ScenarioView, Scenarios,
    SeenText, ServicePage, StatusView, TemplatePart, TimelineRow, VariableView,
};
use crate::text::diagnostic::Severity;

/// Two services: one that asks for a signature, and one that could not be explored.
pub fn sample() -> Page {
    Page {
        title: "examples".to_owned(),
        services: vec![signing(), unexplored()],
        other_findings: Vec::new(),
        notes: vec!["`old/order.workflow.json` could not be read".to_owned()],
    }
}

fn place(pointer: &str, name: &str) -> (String, String) {
    (pointer.to_owned(), name.to_owned())
}

fn seen(text: &str, ends: &[usize]) -> SeenText {
    SeenText { text: text.to_owned(), ends: ends.iter().copied().collect() }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn signing() -> ServicePage {
    ServicePage {
        name: "sign-upload".to_owned(),
        file: "sign-upload/order.workflow.json".to_owned(),
        form: Some("sign-upload/order.form.json".to_owned()),
        drawing: Ok(drawing()),
        outline: Some(outline()),
        activities: activities(),
        findings: findings(),
        orders: orders(),
        scenarios: scenarios(),
        laws: laws(),
        people: vec![PersonView {
            does: "signs",
            who: "the person in `Email`".to_owned(),
            activity: place("/activities/0", "Request signature"),
            when: "at once; reminded after 7 days; the order waits forever without an answer".to_owned(),
        }],
        mails: vec![MailView {
            to: "the person in `Email`".to_owned(),
            subject: "Signature requested: Employment contract".to_owned(),
            when: "at once".to_owned(),
            activity: place("/activities/0", "Request signature"),
        }],
        unknown: Vec::new(),
        variables: variables(),
        forms: vec![form()],
        changes: Some(changes()),
    }
}

fn unexplored() -> ServicePage {
    let (file, why) = ("mailbox/order.workflow.json".to_owned(), "it has more than 10000 activities".to_owned());
    let page = ServicePage::without_workflow(file, Looked::LeftOut("not explored"), why);
    ServicePage { name: "mailbox".to_owned(), ..page }
}

fn drawing() -> Drawing {
    Drawing {
        title: "order.workflow.json".to_owned(),
        summary: "2 activities".to_owned(),
        body: Vec::new(),
        marks: Vec::new(),
        is_part: false,
    }
}

fn step(pointer: &str, name: &str, parts: Vec<Part>, children: Vec<OutlineStep>) -> OutlineStep {
    OutlineStep {
        pointer: pointer.to_owned(),
        activity: Some(ActivityId(0)),
        name: name.to_owned(),
        parts,
        children,
        marks: Vec::new(),
    }
}

fn outline() -> Outline {
    let text = |words: &str| Part::Text(words.to_owned());
    let name = |words: &str| Part::Name(words.to_owned());
    let value = |words: &str| Part::Value(words.to_owned());
    let request = vec![
        name("Request signature"),
        text(": sends a mail to the address in "),
        name("Email"),
        text(" that asks for a signature. Given: name of the document: "),
        value("Employment contract"),
        text("."),
    ];
    let publish = vec![text("Publishes the status "), value("Document was rejected"), text(".")];
    let wait = vec![text("Every 5 minutes, until "), name("ESignStatus"), text(" is "), value("Finished"), text(":")];
    Outline {
        title: "order.workflow.json".to_owned(),
        introduction: vec![vec![
            text("The order form asks for "),
            name("Name"),
            text(" and "),
            name("Document"),
            text(". All are required."),
        ]],
        steps: vec![
            step("/activities/0", "Request signature", request, Vec::new()),
            step(
                "/activities/1",
                "While not signed",
                wait,
                vec![step("/activities/1/activities/0", "Publish", publish, Vec::new())],
            ),
        ],
        conclusion: vec![text("Then the order is completed.")],
        marks: Vec::new(),
    }
}

fn activities() -> Vec<ActivityView> {
    vec![
        ActivityView {
            pointer: "/activities/0".to_owned(),
            name: "Request signature".to_owned(),
            word: "Provider".to_owned(),
            place: "order.workflow.json:12".to_owned(),
            reads: texts(&["Email", "Document"]),
            writes: texts(&["ESignId"]),
            parameters: vec![("DocumentName".to_owned(), "\"Employment contract\"".to_owned())],
            findings: Vec::new(),
            begun: Some(5),
            branches: Vec::new(),
        },
        ActivityView {
            pointer: "/activities/1".to_owned(),
            name: "While not signed".to_owned(),
            word: "While".to_owned(),
            place: "order.workflow.json:140".to_owned(),
            reads: texts(&["ESignStatus"]),
            findings: vec![(Severity::Error, "WF404".to_owned())],
            begun: Some(4),
            branches: vec![("true", 4), ("false", 0)],
            ..ActivityView::default()
        },
    ]
}

fn findings() -> Vec<FindingView> {
    let finding = |severity: Severity, code: &str, name: &str, message: &str| FindingView {
        code: code.to_owned(),
        name: name.to_owned(),
        severity,
        message: message.to_owned(),
        help: Some("add an If for the missing status inside the loop".to_owned()),
        repairs: Vec::new(),
        pointer: "/activities/1".to_owned(),
        place: "order.workflow.json:153:21".to_owned(),
        excerpt: "  ╭─[order.workflow.json:153:21]\n153 │ \"name\": \"While not signed\",\n  ╰────".to_owned(),
        activity: Some(place("/activities/1", "While not signed")),
        about: texts(&[
            "A loop ends for some statuses alone.",
            "The order stays open forever, and nobody is notified.",
        ]),
    };
    vec![
        finding(
            Severity::Error,
            "WF404",
            "endless-loop",
            "loop `While not signed` never ends when `ESignStatus` is `Rejected`",
        ),
        FindingView {
            repairs: vec![("remove the variable".to_owned(), "safe")],
            help: None,
            activity: None,
            ..finding(Severity::Warning, "WF203", "unused-variable", "unused variable `Telephone`")
        },
    ]
}

fn orders() -> Orders {
    let end = |id: &str, outcome: &'static str, status: Option<&str>, reason: &str, covered: &[&str]| EndView {
        id: id.to_owned(),
        outcome,
        status: status.map(str::to_owned),
        reason: reason.to_owned(),
        activity: Some(place("/activities/1", "While not signed")),
        elapsed: "5m".to_owned(),
        open: Vec::new(),
        waits_for: Vec::new(),
        covered_by: Some(texts(covered)),
        alike: Vec::new(),
    };
    let signer = "the signer (`Email`) anna@example.com";
    Orders {
        looked: Looked::Completely,
        ends: vec![
            end(
                "end-1",
                "completed",
                Some("Document status - Finished"),
                &format!("{signer} signs"),
                &["signed.scenario.yaml"],
            ),
            end(
                "end-2",
                "terminated",
                Some("Document was rejected"),
                &format!("{signer} rejects"),
                &["rejected.scenario.yaml"],
            ),
            EndView {
                open: texts(&["the signing case of `Request signature`"]),
                waits_for: vec![signer.to_owned()],
                ..end("end-3", "waits", Some("Document status - Sent"), &format!("forever if {signer} never acts"), &[])
            },
            end("end-4", "failed", None, "`Request signature` fails", &[]),
        ],
        has_more_ends: false,
        statuses: vec![
            StatusView {
                template: vec![
                    TemplatePart::Text("Document status - ".to_owned()),
                    TemplatePart::Gap("ESignStatus".to_owned()),
                ],
                seen: vec![seen("Document status - Finished", &[0]), seen("Document status - Sent", &[0, 1, 2])],
                published_by: vec![place("/activities/1", "While not signed")],
                ends: BTreeSet::from([0, 1, 2]),
            },
            StatusView {
                template: vec![TemplatePart::Text("Document was rejected".to_owned())],
                seen: vec![seen("Document was rejected", &[1])],
                published_by: vec![place("/activities/1", "While not signed")],
                ends: BTreeSet::from([1]),
            },
        ],
        assumptions: texts(&["a status can be published again", "a signing case stays open until somebody acts"]),
        hang_assumptions: texts(&["A20"]),
    }
}

fn scenarios() -> Scenarios {
    let row = |at: &str, activity: &str, text: &str| TimelineRow {
        at: at.to_owned(),
        activity: activity.to_owned(),
        text: text.to_owned(),
    };
    let scenario = |id: &str, name: &str, passed: bool, outcome: OutcomeKind| ScenarioView {
        id: id.to_owned(),
        name: name.to_owned(),
        file: format!("sign-upload/{name}.scenario.yaml"),
        passed,
        outcome,
        failure: None,
        checks: vec![
            (true, "the order is completed".to_owned()),
            (passed, "the last status is `Finished`; it was `Sent`".to_owned()),
        ],
        timeline: vec![
            row("at once", "Request signature", "asks `anna@example.com` to sign"),
            row("after 5m", "", "`anna@example.com` signs"),
            row("", "While not signed", "`ESignStatus` = Finished"),
        ],
        elapsed: "5m".to_owned(),
    };
    Scenarios {
        left_out: false,
        not_run: vec![NotRunView {
            file: "sign-upload/refuses.scenario.yaml".to_owned(),
            reasons: texts(&["line 4: unknown key `submitt`"]),
        }],
        scenarios: vec![
            scenario("scenario-1", "rejected", false, OutcomeKind::Terminated),
            scenario("scenario-2", "signed", true, OutcomeKind::Completed),
        ],
        coverage: Some(CoverageView {
            activities: (12, 13),
            branches: (8, 13),
            percent: "76.92".to_owned(),
            missing: texts(&["Publish", "While not signed (false)"]),
        }),
    }
}

fn laws() -> Vec<LawView> {
    let law = |name: &str, holds: &'static str, demand: &str| LawView {
        name: name.to_owned(),
        demand: demand.to_owned(),
        holds,
        unseen: Vec::new(),
        note: None,
        broken: Vec::new(),
    };
    vec![
        law("no-secret-published", "true", "no status shows a masked value"),
        LawView {
            broken: vec![BrokenView {
                id: Some("law-1".to_owned()),
                message: "an order waits forever for `anna@example.com`".to_owned(),
                activity: Some(place("/activities/1", "While not signed")),
                timeline: vec![TimelineRow {
                    at: "at once".to_owned(),
                    activity: "Request signature".to_owned(),
                    text: "asks `anna@example.com` to sign".to_owned(),
                }],
                accepted: None,
            }],
            ..law("orders-end", "false", "every order ends within 30 days")
        },
        LawView {
            note: Some("no run meets `when`".to_owned()),
            ..law("approved-first", "unknown", "an approval precedes the mailbox")
        },
    ]
}

fn variables() -> Vec<VariableView> {
    vec![
        VariableView {
            name: "PersonalId".to_owned(),
            type_name: "string".to_owned(),
            is_masked: true,
            personal: Some("personal id"),
            filled_by: texts(&["form field `Personal id`"]),
            read_by: texts(&["`Request signature`"]),
            sent_to: texts(&["`PartySSN` of `Request signature`"]),
            seen_by: texts(&["whoever orders (in the order form)"]),
            label: None,
        },
        VariableView {
            name: "ESignStatus".to_owned(),
            type_name: "string".to_owned(),
            filled_by: texts(&["`Get signature status`"]),
            ..VariableView::default()
        },
    ]
}

fn form() -> FormView {
    let field = |label: &str, kind: &str, items: &[&str]| FormFieldView {
        label: label.to_owned(),
        description: "First and last name of the signer".to_owned(),
        kind: kind.to_owned(),
        is_required: true,
        is_hidden: false,
        is_readonly: false,
        is_asked: true,
        fills: Some("Name".to_owned()),
        items: items.iter().map(|label| ItemView { label: (*label).to_owned(), value: None }).collect(),
        validation: String::new(),
        default: String::new(),
    };
    FormView {
        file: "order.form.json".to_owned(),
        kind: "Order form",
        sections: vec![FormSectionView {
            title: "Signer".to_owned(),
            description: "Who signs the document".to_owned(),
            fields: vec![field("Name", "text", &[]), field("Office", "drop-down", &["Oslo", "Bergen"])],
        }],
    }
}

fn changes() -> Changes {
    let change = |depth: usize, word, text: &str| ChangeView { depth, word, text: text.to_owned() };
    let lines = vec![
        change(0, "", "activities"),
        change(1, "changed", "`While not signed`: delay 10 minutes → 5 minutes"),
        change(0, "", "what orders can do"),
        change(1, "added", "waits forever at `While not signed`"),
    ];
    Changes { since: "v1".to_owned(), number: 1, effects: 1, lines }
}

/// Two services that have the text wherever documents can put one.
pub fn every_text(text: &str) -> Page {
    let mut page =
        Page { title: text.to_owned(), notes: vec![text.to_owned()], other_findings: findings(), ..Page::default() };
    page.services = vec![signing(), signing()];
    for (service, number) in page.services.iter_mut().zip(0..) {
        service.name = format!("{text}{number}");
        fill(service, text);
    }
    page.other_findings.iter_mut().for_each(|finding| fill_finding(finding, text));
    page
}

fn fill(service: &mut ServicePage, text: &str) {
    let all = |texts: &mut Vec<String>| texts.iter_mut().for_each(|it| text.clone_into(it));
    service.file = text.to_owned();
    service.form = Some(text.to_owned());
    for activity in &mut service.activities {
        activity.name = text.to_owned();
        activity.place = text.to_owned();
        all(&mut activity.reads);
        all(&mut activity.writes);
        activity.parameters = vec![(text.to_owned(), text.to_owned())];
    }
    service.findings.iter_mut().for_each(|finding| fill_finding(finding, text));
    for end in &mut service.orders.ends {
        end.status = Some(text.to_owned());
        end.reason = text.to_owned();
        end.activity = Some(place("/activities/1", text));
        all(&mut end.open);
        all(&mut end.waits_for);
        end.alike = vec![text.to_owned()];
    }
    for status in &mut service.orders.statuses {
        status.template = vec![TemplatePart::Text(text.to_owned()), TemplatePart::Gap(text.to_owned())];
        status.seen.iter_mut().for_each(|seen| text.clone_into(&mut seen.text));
        status.published_by = vec![place("/activities/0", text)];
    }
    for scenario in &mut service.scenarios.scenarios {
        scenario.name = text.to_owned();
        scenario.file = text.to_owned();
        scenario.failure = Some(text.to_owned());
        scenario.checks.iter_mut().for_each(|check| text.clone_into(&mut check.1));
        scenario.timeline = vec![TimelineRow { at: text.to_owned(), activity: text.to_owned(), text: text.to_owned() }];
    }
    for scenario in &mut service.scenarios.not_run {
        scenario.file = text.to_owned();
        all(&mut scenario.reasons);
    }
    for law in &mut service.laws {
        law.name = text.to_owned();
        law.demand = text.to_owned();
        law.broken.iter_mut().for_each(|broken| text.clone_into(&mut broken.message));
    }
    fill_more(service, text);
}

fn fill_more(service: &mut ServicePage, text: &str) {
    if let Some(outline) = &mut service.outline {
        outline.introduction =
            vec![vec![Part::Text(text.to_owned()), Part::Name(text.to_owned()), Part::Value(text.to_owned())]];
        outline
            .steps
            .iter_mut()
            .for_each(|step| step.parts = vec![Part::Name(text.to_owned()), Part::Value(text.to_owned())]);
    }
    for person in &mut service.people {
        person.who = text.to_owned();
        person.when = text.to_owned();
    }
    for mail in &mut service.mails {
        mail.to = text.to_owned();
        mail.subject = text.to_owned();
    }
    for variable in &mut service.variables {
        variable.name = text.to_owned();
        variable.filled_by = vec![text.to_owned()];
        variable.sent_to = vec![text.to_owned()];
    }
    for field in service.forms.iter_mut().flat_map(|form| &mut form.sections).flat_map(|section| &mut section.fields) {
        field.label = text.to_owned();
        field.default = text.to_owned();
        field.items = vec![ItemView { label: text.to_owned(), value: Some(text.to_owned()) }];
        field.validation = text.to_owned();
    }
    service.changes = Some(Changes {
        since: text.to_owned(),
        lines: vec![ChangeView { depth: 0, word: "", text: text.to_owned() }],
        ..Changes::default()
    });
}

fn fill_finding(finding: &mut FindingView, text: &str) {
    finding.message = text.to_owned();
    finding.excerpt = text.to_owned();
    finding.place = text.to_owned();
    finding.pointer = text.to_owned();
    finding.about = vec![text.to_owned()];
}
