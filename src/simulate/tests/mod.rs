//! What runs hold, and what they share.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use super::memory::Memory;
use super::run::{run, run_within, run_without_trace};
use super::{Request, Session, load};
use crate::boundary::Boundary;
use crate::config::Config;
use crate::lint::pool;
use crate::project::ConfigSource;
use crate::read::Unsaved;
use crate::script::Sandbox;
use crate::suggest::Suggester;

/// A workflow whose variables have these names.
fn workflow(activities: &str, variables: &[String]) -> String {
    let variables = variables.iter().enumerate();
    let variables =
        variables.map(|(id, name)| format!(r#"{{ "name": "{name}", "id": {id}, "variableType": "String" }}"#));
    let variables: Vec<String> = variables.collect();
    format!(r#"{{ "activities": [{activities}], "variables": [{}] }}"#, variables.join(","))
}

/// Calls a function with the session of a folder with these files.
fn with_session(files: &[(String, String)], test: impl FnOnce(&Session<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let current = folder.path().canonicalize().unwrap();
    let (config, boundary, unsaved) = (ConfigSource::Isolated, Boundary::default(), Unsaved::default());
    let loaded = load(&Request { paths: vec![current.clone()], current, config, boundary, unsaved }).unwrap();
    assert!(loaded.problems.is_empty() && loaded.unreadable.is_empty());
    let (suggester, fallback) = (Suggester::default(), Config::default());
    test(&Session::new(&loaded, &suggester, &fallback));
}

fn scenario(name: &str, workflow: &str) -> (String, String) {
    (format!("{name}.scenario.yaml"), format!("workflow: {workflow}\n"))
}

#[test]
fn plans_of_one_workflow_share_what_is_prepared() {
    let empty = workflow("", &[]);
    let mut files = vec![("a.json".to_owned(), empty.clone()), ("b.json".to_owned(), empty)];
    files.extend((0..300).map(|at| scenario(&format!("s{at}"), if at % 2 == 0 { "a.json" } else { "b.json" })));
    with_session(&files, |session| {
        let batches = session.batches();
        assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [128, 128, 44]);
        let order: Vec<_> = batches.iter().flatten().map(|scenario| scenario.file).collect();
        assert_eq!(order, session.scenarios().iter().map(|scenario| scenario.file).collect::<Vec<_>>());
        let plans = session.plans(&batches[0], &pool(Some(1)).unwrap());
        assert_eq!(plans.len(), 128);
        let mut programs: Vec<_> = plans.iter().map(|plan| Arc::as_ptr(&plan.program)).collect();
        programs.sort_unstable();
        programs.dedup();
        assert_eq!(programs.len(), 2);
    });
}

#[test]
fn pairs_of_large_documents_are_prepared_one_after_the_other() {
    // Each form is a pair of its own with the large workflow.
    let names: Vec<String> = (0..15_000).map(|at| format!("x{at}")).collect();
    let mut files = vec![("a.json".to_owned(), workflow("", &names))];
    for at in 0..4 {
        files.push((format!("f{at}.form.json"), r#"{ "fields": [], "variables": [] }"#.to_owned()));
        let (name, mut text) = scenario(&format!("s{at}"), "a.json");
        writeln!(text, "form: f{at}.form.json").unwrap();
        files.push((name, text));
    }
    with_session(&files, |session| {
        assert_eq!(session.batches().iter().map(Vec::len).collect::<Vec<_>>(), [1; 4]);
    });
}

#[test]
fn large_run_is_given_up_on_a_share_of_the_memory() {
    // Each round changes the variable, so none is skipped.
    let add = r#"{ "name": "Add", "type": "Assign", "result": { "isBound": true, "boundTo": "A" }, "body": "{A}a" }"#;
    let publish = r#"{ "name": "Show", "type": "Status", "status": { "isBound": true, "boundTo": "A" } }"#;
    let activities = format!(
        r#"{{ "name": "Loop", "type": "While", "expression": {{ "type": "EqualityExpression", "operand": "notEqual",
            "left": {{ "isBound": true, "boundTo": "A" }}, "right": {{ "isBound": false, "value": "b" }} }},
            "activities": [{add}, {publish}] }}"#
    );
    let files = [("a.json".to_owned(), workflow(&activities, &["A".to_owned()])), scenario("s", "a.json")];
    with_session(&files, |session| {
        let batches = session.batches();
        let plans = session.plans(&batches[0], &pool(Some(1)).unwrap());
        let sandbox = RefCell::new(Sandbox::new(PathBuf::from("none")));
        let memory = Memory::default();
        assert!(run_within(&plans[0], &sandbox, &memory.share()).is_none());
        let whole = run(&plans[0], &sandbox);
        assert!(whole.failure().unwrap().message.starts_with("exceeded the limit of 32 MiB of text"));
        assert!(whole.record.entries.len() > 10_000);
        let traceless = run_without_trace(&plans[0], &sandbox, None).unwrap();
        assert_eq!((traceless.record.entries.len(), traceless.record.sides.len()), (0, 0));
        assert_eq!(traceless.record.entries_len(), whole.record.entries.len());
        assert_eq!(traceless.record.statuses, whole.record.statuses);
        assert_eq!((traceless.stop, traceless.steps), (whole.stop, whole.steps));
    });
}
