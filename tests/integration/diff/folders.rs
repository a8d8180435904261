//! Folders and documents as sides.

use serde_json::{Value, json};

use super::data::report;
use crate::support::folder::{Folder, copy_of};

fn order(seconds: u32, name: &str) -> String {
    json!({ "activities": [
        { "name": "Wait", "type": "While", "iterationDelaySeconds": { "isBound": false, "value": seconds }, "activities": [] },
        { "name": name, "type": "Terminate" }
    ], "variables": [] })
    .to_string()
}

fn services(folder: &Folder, args: &[&str]) -> Vec<String> {
    let report = report(&folder.run(&[&["diff", "--no-explore", "--format", "json"], args].concat()));
    let line = |service: &Value| {
        let from = service["from"].as_str().map(|from| format!(" from {from}")).unwrap_or_default();
        let [name, change] = ["service", "change"].map(|key| service[key].as_str().unwrap());
        format!("{name} {change}{from} {}", service["changes"].as_array().unwrap().len())
    };
    report["services"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn services_are_known_by_their_folder() {
    let folder = Folder::with(&[
        ("old/a/w.json", &order(1, "End")),
        ("old/b/w.json", &order(1, "Stop")),
        ("old/c/w.json", &order(1, "Finish")),
        ("new/a/renamed.json", &order(2, "End")),
        ("new/moved/w.json", &order(3, "Stop")),
        ("new/d/w.json", r#"{ "activities": [{ "name": "Other", "type": "Status" }] }"#),
        ("new/package.json", "{}"),
    ]);
    assert_eq!(services(&folder, &["old", "new"]), ["a changed 1", "c removed 0", "d added 0", "moved moved from b 1"]);
    assert_eq!(services(&folder, &["new", "old"]), ["a changed 1", "b moved from moved 1", "c added 0", "d removed 0"]);
    let text = folder.run(&["diff", "old", "new", "--no-explore"]).expect_code(1);
    assert_eq!(
        text.out(),
        "a (renamed.json)\n  activities\n    ~ `Wait`: iterationDelaySeconds 1 → 2\n- service c (w.json)\n+ service d (w.json)\n\
         » service moved (w.json), moved from b\n  activities\n    ~ `Wait`: iterationDelaySeconds 1 → 3\n"
    );
}

#[test]
fn only_other_bytes_are_noise() {
    let folder = copy_of("examples/sign-upload");
    for name in folder.names().iter().filter(|name| name.ends_with(".json")) {
        let value: Value = serde_json::from_str(&folder.read(name)).unwrap();
        folder.write(format!("new/{name}"), value.to_string());
        folder.write(format!("old/{name}"), folder.read(name));
    }
    let output = folder.run(&["diff", "old", "new"]).expect_code(0);
    assert_eq!(output.out(), "only editor state, ids or the order of members changed in 2 files\n");
    let report = report(&folder.run(&["diff", "old", "new", "--format", "json"]).expect_code(0));
    assert_eq!(report["summary"], json!({ "services": 0, "changes": 0, "noise": 2 }));
    assert_eq!(folder.run(&["diff", "old", "old"]).expect_code(0).out(), "");
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let folder = Folder::with(&[
        ("old/w.json", &order(1, "End")),
        ("new/w.json", "{ \"activities\": [ }"),
        ("new/f.json", r#"{ "fields": [], "variables": [] }"#),
        ("empty/x.txt", ""),
        ("twice/w.json", &order(1, "End").replacen('{', r#"{ "activities": [],"#, 1)),
        ("other.json", "{}"),
    ]);
    for (args, wanted) in [
        (&["old", "new"][..], "cannot read new/w.json: invalid JSON at line 1, column"),
        (&["old/w.json", "new/w.json"], "cannot read new/w.json: invalid JSON"),
        (&["twice", "old"], "cannot read twice/w.json: duplicate key `activities` at line 1, column"),
        (&["old/w.json", "new/f.json"], "cannot compare a workflow with a form"),
        (&["old/w.json", "other.json"], "cannot read other.json: neither a workflow"),
        (&["old", "old/w.json"], "cannot compare a folder with a document"),
        (&["empty", "empty"], "nothing to compare"),
        (&["old"], "only a git revision is compared with the working tree"),
        (&["old", "missing"], "missing"),
    ] {
        let output = folder.run(&[&["diff"], args].concat()).expect_code(2);
        assert!(output.err().contains(wanted), "{args:?}: {}", output.err());
    }
    // The rest is still compared.
    assert!(folder.run(&["diff", "old", "new"]).out().is_empty(), "the broken document was not removed");
}

#[test]
fn names_from_documents_are_escaped() {
    let name = "A\u{1b}[31m\n::error::x \u{202e}";
    let document = |name: &str| {
        json!({ "activities": [{ "id": 5, "name": name, "type": "Status", "x\u{7}": name }], "variables": [] })
            .to_string()
    };
    let folder = Folder::with(&[("old.json", &document("A")), ("new.json", &document(name))]);
    let output = folder.run(&["diff", "old.json", "new.json"]).expect_code(1);
    crate::support::safe_output::assert_safe(&output, "human");
    crate::support::safe_output::assert_nothing_is_forged(&output, "human");
    assert!(output.out().contains("x\\u{7}"), "{}", output.out());
}
