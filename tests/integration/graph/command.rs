//! The command: its arguments, parts, and files.

use serde_json::json;

use crate::support::folder::{Folder, copy_of};
use crate::support::run::run_cli;
use crate::support::samples::{BROKEN, ERROR, FILLER, FINE, UNRELATED};

#[test]
fn what_is_no_workflow_is_refused_with_a_clear_word() {
    let folder = Folder::with(&[
        ("form.json", FILLER),
        ("other.json", UNRELATED),
        ("broken.json", BROKEN),
        ("case.json", r#"{"Parties": [], "Name": "x"}"#),
        ("sub/a.json", FINE),
    ]);
    for (file, reason) in [
        ("form.json", "cannot draw form.json: expected a workflow, found a form"),
        ("case.json", "cannot draw case.json: expected a workflow, found a signing case"),
        ("other.json", "cannot draw other.json: not a workflow"),
        ("broken.json", "cannot draw broken.json: invalid JSON; `wflint broken.json` shows where"),
        ("missing.json", "cannot read missing.json: "),
    ] {
        let output = folder.run(&["graph", file]).expect_code(2);
        assert!(output.out().is_empty() && output.err().starts_with(&format!("wflint: {reason}")), "{}", output.err());
    }
}

#[test]
fn a_part_is_named_by_its_activity_or_its_pointer() {
    let folder = copy_of("examples/sign-upload");
    let part = |wanted: &str| folder.run(&["graph", "order.workflow.json", "--activity", wanted]);
    let by_name = part("If status has changed").expect_code(0);
    assert!(by_name.out().contains("Describe status") && !by_name.out().contains("Request signature"));
    let pointer = "/activities/2/activities/2/activities/1";
    assert_eq!(by_name.out(), part(pointer).expect_code(0).out());
    assert!(by_name.out().contains("a2_2_1{{"), "the ids are those of the whole drawing: {}", by_name.out());
    let error = part("If status has chnged").expect_code(2);
    assert_eq!(error.err(), "wflint: unknown activity `If status has chnged`; did you mean `If status has changed`?\n");
    assert_eq!(part("/activities").expect_code(2).err(), "wflint: unknown activity `/activities`\n");
}

#[test]
fn a_name_of_several_activities_names_none() {
    let step = json!({ "name": "Say", "type": "Status", "statusTranslations": { "en-US": "x" } });
    let folder = Folder::with(&[("a.json", &json!({ "activities": [step, step], "variables": [] }).to_string())]);
    let output = folder.run(&["graph", "a.json", "--activity", "Say"]).expect_code(2);
    let wanted = "wflint: 2 activities are named `Say`; name one by its pointer: /activities/0 or /activities/1\n";
    assert_eq!(output.err(), wanted);
    folder.run(&["graph", "a.json", "--activity", "/activities/1"]).expect_code(0);
}

#[test]
fn format_follows_from_the_output() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for (file, start) in [("a.svg", "<svg "), ("a.dot", "digraph "), ("a.mmd", "flowchart "), ("a.txt", "a.json\n")] {
        let output = folder.run(&["graph", "a.json", "--output", file]).expect_code(0);
        assert_eq!((output.out(), output.err()), ("", ""));
        assert!(folder.read(file).starts_with(start), "{file}");
    }
    let output = folder.run(&["graph", "a.json", "--output", "a.md"]).expect_code(2);
    assert!(output.err().contains("unknown format of a.md"), "{}", output.err());
    folder.run(&["graph", "a.json", "--output", "a.md", "--format", "text"]).expect_code(0);
}

#[test]
fn a_file_that_is_read_is_not_overwritten() {
    let folder = Folder::with(&[("a.json", FINE), ("wflint.toml", "")]);
    for target in ["a.json", "wflint.toml"] {
        let output = folder.run(&["graph", "a.json", "--format", "svg", "--output", target]).expect_code(2);
        assert!(output.err().contains("choose another file"), "{}", output.err());
    }
    assert_eq!(folder.read("a.json"), FINE);
}

#[test]
fn standard_input_is_drawn_in_place_of_its_file() {
    let folder = Folder::with(&[("a.json", FINE)]);
    let run = |args: &[&str]| run_cli(args, folder.path(), ERROR.as_bytes()).expect_code(0);
    let named = run(&["graph", "-", "--stdin-filename", "a.json"]);
    assert!(named.out().contains("accTitle: a.json") && named.out().contains("WF101"), "{}", named.out());
    assert!(run(&["graph", "-"]).out().contains("accTitle: #60;stdin#62;"));
}

#[test]
fn a_thousand_activities_are_drawn_and_far_too_many_refused() {
    let workflow = |number: usize| {
        let step = r#"{"name":"Say","type":"Status","statusTranslations":{"en-US":"x"}}"#;
        format!(r#"{{"activities":[{}],"variables":[]}}"#, vec![step; number].join(","))
    };
    let folder = Folder::with(&[("a.json", &workflow(1000)), ("many.json", &workflow(20_001))]);
    let svg = folder.run(&["graph", "a.json", "--format", "svg", "--isolated"]).expect_code(0);
    assert_eq!(svg.out().matches("class=\"wf-status\"").count(), 1000);
    let output = folder.run(&["graph", "many.json"]).expect_code(2);
    assert!(output.err().contains("20001 activities, the limit is 20000"), "{}", output.err());
    folder.run(&["graph", "many.json", "--activity", "/activities/7"]).expect_code(0);
}
