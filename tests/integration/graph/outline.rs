//! The outline in words: the tree, and what it says.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use wflint::draw::outline::{OutlineStep, Part};
use wflint::draw::{Outline, Texts};
use wflint::facts::{AnalyzedService, Context};
use wflint::project::{self, Buffer, ConfigSource, File, Request, ServiceModel};
use wflint::redaction::Redactions;
use wflint::report::visible;
use wflint::text::suggest::Suggester;

use crate::support::cases;
use crate::support::folder::{Folder, copy_of};
use crate::support::strategies::workflow;
use crate::support::tree::Layout;

/// The outlines of the workflows among some documents, each with the pointers of its activities.
fn outlines(files: &[(&str, &[u8])]) -> Vec<(Outline, Vec<String>)> {
    let buffers = files.iter().map(|&(name, bytes)| Buffer::new(Some(name.into()), bytes)).collect();
    let request = Request {
        current: std::env::temp_dir(),
        buffers,
        in_memory: true,
        config: ConfigSource::Isolated,
        ..Request::default()
    };
    let project = project::find(&request).unwrap();
    let mut found = Vec::new();
    for service in &project.services {
        let contents = project.contents(service);
        let read = project.read(service, &contents);
        let files: Vec<&File> = read.files.iter().collect();
        let (config, suggester) = (&project.configs[service.config], Suggester::default());
        let model = ServiceModel::new(&files, config);
        let analyzed = AnalyzedService::new(files.clone(), config, &model, &suggester, None);
        let sources = files.iter().map(|file| (file.id, &file.source));
        let redactions = Redactions::new(Context::new(&analyzed).sensitive_values(), sources);
        for analysis in &analyzed.workflows {
            let texts = Texts {
                document: analysis.document,
                file: analysis.file,
                redactions: &redactions,
                masked: None,
                visible,
            };
            let outline = Outline::new("a.json", &analyzed, analysis, None, std::iter::empty(), &texts).unwrap();
            let activities = &analysis.workflow.activities;
            let pointers = activities.iter().map(|activity| analysis.document.pointer(activity.node)).collect();
            found.push((outline, pointers));
        }
    }
    found
}

/// All steps, each before those in it.
fn steps(steps: &[OutlineStep]) -> Vec<&OutlineStep> {
    steps.iter().flat_map(|step| std::iter::once(step).chain(self::steps(&step.children))).collect()
}

/// Every activity is one step, and the text has a line for each step.
#[track_caller]
fn assert_whole(outline: &Outline, pointers: &[String]) {
    let steps = steps(&outline.steps);
    let of_activities: Vec<&String> =
        steps.iter().filter(|step| step.activity.is_some()).map(|step| &step.pointer).collect();
    assert_eq!(of_activities, pointers.iter().collect::<Vec<_>>());
    let text = outline.text();
    let numbered = text.lines().filter(|line| line.trim_start().starts_with(|letter: char| letter.is_ascii_digit()));
    let title = usize::from(outline.title.starts_with(|letter: char| letter.is_ascii_digit()));
    assert_eq!(numbered.count(), steps.len() + title, "{text}");
    for step in &steps {
        assert!(step.text().ends_with(['.', ':']), "{step:?}");
        let is_empty = |part: &Part| matches!(part, Part::Text(words) if words.is_empty());
        assert!(!step.parts.is_empty() && !step.parts.iter().any(is_empty), "{step:?}");
    }
}

/// The steps of a workflow as lines of text, without title, introduction and conclusion.
fn said(activities: &Value, others: &[(&str, &Value)]) -> String {
    said_of(activities, &json!([]), others)
}

fn said_of(activities: &Value, variables: &Value, others: &[(&str, &Value)]) -> String {
    let folder = Folder::with(&[("a.json", &json!({ "activities": activities, "variables": variables }).to_string())]);
    for (name, document) in others {
        folder.write(name, document.to_string());
    }
    let output = folder.run(&["graph", "a.json", "--format", "text", "--isolated"]).expect_code(0);
    let is_step = |line: &&str| line.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
    output.out().lines().filter(is_step).collect::<Vec<_>>().join("\n")
}

fn bound(name: &str) -> Value {
    json!({ "isBound": true, "boundTo": name })
}

fn literal(value: impl Into<Value>) -> Value {
    json!({ "isBound": false, "value": value.into() })
}

#[test]
fn every_activity_of_the_examples_and_the_corpus_is_a_step() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut services: BTreeMap<String, Vec<(String, Vec<u8>)>> = BTreeMap::new();
    for folder in ["examples", "tests/corpus"] {
        let mut open = vec![root.join(folder)];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|extension| extension == "json") {
                    let name = path.file_name().unwrap().to_string_lossy().into_owned();
                    let service = path.parent().unwrap().display().to_string();
                    services.entry(service).or_default().push((name, std::fs::read(path).unwrap()));
                }
            }
        }
    }
    let mut number = 0;
    for files in services.values() {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        for (outline, pointers) in outlines(&files) {
            assert_whole(&outline, &pointers);
            number += 1;
        }
    }
    assert!(number > 30, "{number} workflows");
}

#[test]
fn loops_say_what_ends_them() {
    let while_of = |operand: &str, inside: Value| {
        let expression =
            json!({ "type": "EqualityExpression", "operand": operand, "left": bound("S"), "right": literal("Done") });
        json!([{ "name": "W", "type": "While", "expression": expression, "iterationDelaySeconds": literal(5400),
                 "activities": inside }])
    };
    let variables = json!([{ "name": "S", "id": 1 }]);
    let assign = json!([{ "name": "A", "type": "Assign", "result": bound("S"), "body": "Done" }]);
    let first =
        |operand, inside| said_of(&while_of(operand, inside), &variables, &[]).lines().next().unwrap().to_owned();
    assert!(first("notEqual", assign.clone()).starts_with("1. Every 1 hour 30 minutes, until `S` is \"Done\""));
    assert!(!first("notEqual", assign.clone()).contains("nothing in it changes"));
    assert!(first("equal", assign).starts_with("1. Every 1 hour 30 minutes, as long as `S` is \"Done\""));
    let say = json!([{ "name": "A", "type": "Status", "statusTranslations": { "en-US": "x" } }]);
    assert!(first("notEqual", say).contains("until `S` is \"Done\", which nothing in it changes"));
    let unknown = json!([{ "name": "A", "type": "Foo" }]);
    assert!(!first("notEqual", unknown).contains("nothing in it changes"));
}

#[test]
fn approvals_say_who_decides_and_what_happens_without_an_event_or_an_answer() {
    let event = |event: &str| json!({ "name": "E", "type": "Event", "event": event, "activities": [] });
    let approval = |timeout: u32, events: Value| {
        json!([{ "name": "Ask", "type": "Approval", "required": "one", "onTimeout": "approve",
                 "timeout": literal(timeout), "assignees": [{ "type": "Parameter", "parameter": bound("Boss") }],
                 "activities": events }])
    };
    let form = json!({ "fields": [{ "name": "Boss", "type": "InputText", "boundTo": "Boss",
                                    "displayName": { "sv-SE": "Chef", "en-US": "Your manager" } }],
                       "variables": [{ "name": "Boss", "id": 1 }] });
    let variables = json!([{ "name": "Boss", "id": 1 }]);
    let of = |timeout, events| said_of(&approval(timeout, events), &variables, &[("order.form.json", &form)]);
    let shown = of(259_200, json!([event("OnForeachApprove")]));
    for part in [
        "1. Ask: asks the person whose mail address is in `Your manager` to approve the order. One approval is enough.",
        "1.1. Whenever somebody approves: nothing in particular.",
        "1.2. Whenever somebody rejects: nothing in particular.",
        "1.3. If nobody decides within 3 days: the order counts as approved.",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let shown = of(0, json!([event("OnForeachApprove"), event("OnOther")]));
    assert!(shown.contains("1.2. On the event \"OnOther\": nothing in particular"), "{shown}");
    assert!(!shown.contains("rejects"), "the other event may be this one: {shown}");
    assert!(shown.contains("If nobody decides, the order waits here: there is no time limit."), "{shown}");
}

#[test]
fn unknown_types_and_methods_are_said_to_be_unknown() {
    let shown = said(
        &json!([
            { "name": "Do it", "type": "Foo", "x": bound("A"), "activities": [{ "name": "T", "type": "Terminate" }] },
            { "name": "Call", "type": "Provider", "method": "Do-Thing", "stopOnError": false,
              "providerParameters": [{ "name": "Who", "value": { "state": "static", "value": "me" } },
                                     { "name": "Prefix", "value": { "state": "static", "value": "Out" } }] }
        ]),
        &[],
    );
    for part in [
        "1. Do it: an activity of the unknown type \"Foo\": what it does is not known. It uses `A`. \
         Whether the steps inside it run is not known",
        "1.1. The order ends here",
        "2. Call: calls \"Do-Thing\", whose effect is not described. Given: `Who`: \"me\". \
         May fill any variable whose name begins with `Out`. If it fails, the order goes on",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn what_no_order_reaches_and_where_orders_end_is_said() {
    let end = json!({ "name": "End", "type": "Terminate" });
    let say = json!({ "name": "Say", "type": "Status", "statusTranslations": { "sv-SE": "Klart", "en-US": "Done" } });
    let text = json!({ "activities": [say, end, say], "variables": [] }).to_string();
    let folder = Folder::with(&[("a.json", &text)]);
    let output = folder.run(&["graph", "a.json", "--format", "text", "--isolated"]).expect_code(0);
    let shown = output.out();
    assert!(shown.contains("1. Publishes the status \"Done\", in sv-SE \"Klart\"."), "{shown}");
    assert!(shown.contains("2. The order ends here.") || shown.contains("2. The order ends here ("), "{shown}");
    assert!(shown.contains("3. Publishes the status \"Done\", in sv-SE \"Klart\" (no order gets here)"), "{shown}");
    assert!(shown.ends_with("An order ends only where a step above says so.\n"), "{shown}");
}

#[test]
fn findings_are_named_at_their_steps() {
    let output = copy_of("examples/broken").run(&["graph", "order.workflow.json", "--format", "text"]);
    assert!(output.out().contains("until `ESignStatus` is \"Finished\" (error WF404):\n"), "{}", output.out());
}

#[test]
fn script_that_builds_a_case_says_who_signs() {
    let folder = copy_of("examples/sign-directory");
    let output = folder.run(&["graph", "order.workflow.json", "--format", "text"]).expect_code(0);
    let signers = "Fills `Json` with a signing case, which `RequesterDisplayName` (mail address in `RequesterMail`) and \
                   `ManagerDisplayName` (mail address in `ManagerMail`) are to sign, one after the other, with \
                   \"sms\".";
    assert!(output.out().contains(signers), "{}", output.out());
    let output = folder.run(&["graph", "order.workflow.json", "--format", "text", "--no-scripts"]).expect_code(0);
    assert!(!output.out().contains("a signing case, which"), "{}", output.out());
}

#[test]
fn lines_are_wrapped_for_a_terminal_alone() {
    let folder = copy_of("examples/approval");
    let piped = folder.run(&["graph", "order.workflow.json", "--format", "text"]).expect_code(0);
    assert!(piped.out().lines().any(|line| line.len() > 200));
    let part = ["graph", "order.workflow.json", "--activity", "Approval", "--output", "a.txt"];
    folder.run(&part).expect_code(0);
    assert!(folder.read("a.txt").starts_with("Approval in order.workflow.json\n\n1. Approval: asks the members"));
    assert!(!folder.read("a.txt").contains("Then the order"));
}

/// A value of a masked variable.
const MASKED: &str = "hunter2-hunter2";

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_activity_of_any_workflow_is_a_step_and_masked_values_are_not_shown(workflow in workflow()) {
        let text = workflow.write(Layout::PLAIN);
        for (outline, pointers) in outlines(&[("a.json", text.as_bytes())]) {
            assert_whole(&outline, &pointers);
        }
        let masked = text.replace("\"Finished\"", &format!("\"{MASKED}\""));
        let Ok(mut document) = serde_json::from_str::<Value>(&masked) else { return Ok(()) };
        let hidden = json!({ "name": "Hidden", "id": 77, "value": MASKED, "shouldHide": true });
        if let Some(variables) = document.get_mut("variables").and_then(Value::as_array_mut) {
            variables.push(hidden);
            for (outline, _) in outlines(&[("a.json", document.to_string().as_bytes())]) {
                prop_assert!(!format!("{outline:?}").contains(MASKED), "{}", outline.text());
            }
        }
    }
}

#[test]
fn what_a_masked_variable_is_compared_with_is_not_shown() {
    let branch = |name: &str, left: &Value, right: &Value| {
        let expression = json!({ "left": left, "right": right, "operand": "equal" });
        json!({ "name": name, "type": "If", "expression": expression, "activities": [] })
    };
    let (hidden, open, value) = (bound("Pin"), bound("Open"), literal(MASKED));
    let text = json!({
        "activities": [branch("A", &hidden, &value), branch("B", &value, &hidden), branch("C", &open, &literal("a value that all may see"))],
        "variables": [{ "name": "Pin", "id": 1, "shouldHide": true }, { "name": "Open", "id": 2 }]
    });
    let folder = Folder::with(&[("a.json", &text.to_string())]);
    let output = folder.run(&["graph", "a.json", "--format", "text", "--isolated"]).expect_code(0);
    let shown = output.out();
    assert_eq!(shown.matches("`Pin` is \"•••\"").count(), 2, "{shown}");
    assert!(shown.contains("`Open` is \"a value that all may see\""), "{shown}");
    assert!(!shown.contains(MASKED), "{shown}");
}
