//! What a change means for orders.

use serde_json::{Value, json};

use super::data::report;
use crate::support::folder::{Folder, copy_of};

/// The example with a change of its workflow.
fn changed(example: &str, change: impl Fn(&mut Value)) -> Folder {
    let source = copy_of(example);
    let folder = Folder::with(&[]);
    for name in source.names().iter().filter(|name| source.file(name).is_file()) {
        folder.write(format!("old/{name}"), source.read(name));
        folder.write(format!("new/{name}"), source.read(name));
    }
    let mut workflow: Value = serde_json::from_str(&source.read("order.workflow.json")).unwrap();
    visit(&mut workflow, &change);
    folder.write("new/order.workflow.json", workflow.to_string());
    folder
}

fn visit(value: &mut Value, change: &impl Fn(&mut Value)) {
    if value.get("type").is_some() {
        change(value);
    }
    for activity in value.get_mut("activities").and_then(Value::as_array_mut).into_iter().flatten() {
        visit(activity, change);
    }
}

fn orders(folder: &Folder, args: &[&str]) -> Value {
    let output = folder.run(&[&["diff", "old", "new", "--format", "json"], args].concat()).expect_code(1);
    report(&output)["services"][0]["orders"].clone()
}

#[test]
fn ends_at_renamed_and_moved_activities_are_the_same() {
    let folder = changed("examples/sign-upload", |activity| {
        if activity["type"] != "Event" {
            activity["name"] = json!(format!("New {}", activity["name"].as_str().unwrap()));
        }
    });
    let nothing = json!({ "gone": [], "new": [] });
    assert_eq!(
        orders(&folder, &[]),
        json!({ "complete": true, "same": 6, "gone": [], "new": [], "approvals": nothing, "calls": nothing, "mails": nothing })
    );
    assert_eq!(orders(&folder, &["--no-explore"]), Value::Null);
}

#[test]
fn new_and_gone_ends_are_listed() {
    let folder = changed("examples/sign-upload", |activity| {
        if activity["type"] == "Terminate" {
            activity["type"] = json!("Status");
        }
    });
    let orders = orders(&folder, &[]);
    assert_eq!(
        orders["gone"],
        json!([{ "outcome": "terminated", "activity": "End the order", "status": "Document was rejected" }])
    );
    assert_eq!(orders["new"][0]["outcome"], "endless");
    let text = folder.run(&["diff", "old", "new"]).expect_code(1);
    for line in [
        "  what orders can do\n",
        "    - terminated, \"Document was rejected\", when the signer (Email) anna@example.com rejects\n",
        "    + never ends at `While document is not signed`",
    ] {
        assert!(text.out().contains(line), "{}", text.out());
    }
    assert!(!folder.run(&["diff", "old", "new", "--no-explore"]).out().contains("what orders can do"));
}

#[test]
fn approvals_calls_and_mails_that_are_possible_are_compared() {
    let folder = changed("examples/approval", |activity| {
        if activity["type"] == "Approval" {
            *activity = json!({ "name": "Instead", "type": "Sequence", "activities": [] });
        }
    });
    let orders = orders(&folder, &[]);
    let gone: Vec<&str> =
        orders["approvals"]["gone"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(gone, ["Approval: approved", "Approval: rejected", "Approval: timed-out"]);
    assert_eq!(orders["mails"]["gone"], json!(["approval-request"]));
    assert_eq!(orders["calls"], json!({ "gone": [], "new": [] }));
}

#[test]
fn what_is_not_explored_is_said() {
    let folder = changed("examples/sign-upload", |activity| {
        if activity["type"] == "While" {
            activity["name"] = json!("Loop");
        }
    });
    folder.write("wflint.toml", "[explore]\nmax-states = 3\n");
    let orders = orders(&folder, &[]);
    assert_eq!(orders["complete"], false);
    let text = folder.run(&["diff", "old", "new"]).expect_code(1);
    assert!(text.out().contains("? not explored completely: new/order.workflow.json: stopped at"), "{}", text.out());
}
