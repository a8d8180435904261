//! Every Terminate, Assign and condition of the examples matters: without it orders end differently, or break a law.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::folder::copy_of;

const EXAMPLES: [&str; 3] = ["approval", "mailbox", "sign-upload"];

#[test]
fn what_is_taken_away_from_the_examples_is_missed() {
    let folder = copy_of("examples");
    let mut expected = BTreeSet::new();
    for example in EXAMPLES {
        let workflow: Value = serde_json::from_str(&folder.read(format!("{example}/order.workflow.json"))).unwrap();
        let form = folder.read(format!("{example}/order.form.json"));
        for (number, (what, document)) in without_one(&workflow).into_iter().enumerate() {
            let service = format!("{example}-{number:02}");
            std::fs::create_dir(folder.file(&service)).unwrap();
            folder.write(format!("{service}/order.workflow.json"), document.to_string());
            folder.write(format!("{service}/order.form.json"), &form);
            expected.insert((example, service, what));
        }
    }
    let services = expected.iter().map(|(_, service, _)| service.as_str()).chain(EXAMPLES);
    let arguments: Vec<&str> = ["explore", "--format", "json", "--isolated"].into_iter().chain(services).collect();
    let report = folder.run(&arguments).json();
    let missed: Vec<&String> = expected
        .iter()
        .filter(|(example, service, _)| result(&report, example) == result(&report, service))
        .map(|(_, _, what)| what)
        .collect();
    assert!(expected.len() > 20, "{expected:#?}");
    assert!(missed.is_empty(), "{missed:#?}");
}

/// The ends of a service, and how often it breaks each law.
fn result(report: &Value, service: &str) -> Value {
    let file = format!("{service}/order.workflow.json");
    let explored =
        report["services"].as_array().unwrap().iter().find(|explored| explored["file"] == file.as_str()).unwrap();
    let ends = explored["ends"].as_array().unwrap().iter();
    let ends: BTreeSet<String> =
        ends.map(|end| json!([end["outcome"], end["activity"], end["status"]]).to_string()).collect();
    let laws = report["laws"].as_array().unwrap().iter();
    let broken: Vec<usize> = laws
        .map(|law| law["broken"].as_array().unwrap().iter().filter(|broken| broken["file"] == file.as_str()).count())
        .collect();
    json!([ends, broken])
}

/// The workflow without one Terminate, Assign or If, or with what is in an If or While instead of it.
pub(super) fn without_one(workflow: &Value) -> Vec<(String, Value)> {
    let mut changed = Vec::new();
    for (parent, index) in places(workflow, "/activities") {
        let activity = &workflow.pointer(&parent).unwrap()[index];
        let (kind, name) = (activity["type"].as_str().unwrap(), &activity["name"]);
        let inside = activity["activities"].as_array().cloned().unwrap_or_default();
        let mut replace = |what: &str, by: Vec<Value>| {
            let mut document = workflow.clone();
            let siblings = document.pointer_mut(&parent).unwrap().as_array_mut().unwrap();
            siblings.splice(index..=index, by);
            changed.push((format!("{what} {kind} {name}"), document));
        };
        if ["Terminate", "Assign", "If"].contains(&kind) {
            replace("without", Vec::new());
        }
        if ["If", "While"].contains(&kind) {
            replace("only what is inside", inside);
        }
    }
    changed
}

/// Where the activities are: the list and the index in it.
fn places(workflow: &Value, list: &str) -> Vec<(String, usize)> {
    let activities = workflow.pointer(list).and_then(Value::as_array).map_or(0, Vec::len);
    (0..activities)
        .flat_map(|index| {
            let inside = places(workflow, &format!("{list}/{index}/activities"));
            std::iter::once((list.to_owned(), index)).chain(inside)
        })
        .collect()
}
