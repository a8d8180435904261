//! Properties of all documents, however malformed. `PROPTEST_CASES` sets the number of cases.

use std::collections::BTreeSet;

use crate::support::cases;
use crate::support::deep::{Deep, depth_of, documents};
use crate::support::example_services::EXAMPLE_SERVICES;
use crate::support::fixing::Texts;
use crate::support::folder::Folder;
use crate::support::invariants::check;
use crate::support::linted::lint_texts;
use crate::support::mutation::{Change, changes, edits};
use crate::support::requests::signing_case;
use crate::support::run::{format_names, process};
use crate::support::schema_oracle::is_valid;
use crate::support::strategies::{any_json, form, layout, pieces, workflow};
use crate::support::tree::{Layout, Tree};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use wflint::rules::REGISTRY;

fn assert_invariants(files: &[(&str, &[u8])]) -> Result<(), TestCaseError> {
    check(files).map_err(TestCaseError::fail)
}

/// A service of the examples in which one document is changed.
fn with_changed(service: &Texts, at: usize, change: impl FnOnce(&str) -> Vec<u8>) -> Vec<(&str, Vec<u8>)> {
    let mut files: Vec<(&str, Vec<u8>)> =
        service.iter().map(|(name, text)| (name.as_str(), text.clone().into_bytes())).collect();
    let at = at % files.len();
    files[at].1 = change(&service[files[at].0]);
    files
}

fn changed(text: &str, changes: &[Change], layout: Layout) -> Vec<u8> {
    let mut document = Tree::parse(text);
    for change in changes {
        change.apply(&mut document);
    }
    document.write(layout).into_bytes()
}

/// The linter and its schemas agree on a document. A duplicate key is reported instead, and a
/// mistyped key or type by the rule that knows more about it.
fn hold_to_schema(text: &str) -> Result<(), TestCaseError> {
    let linted = lint_texts(&[("a.json", text.as_bytes())], 1);
    let codes: Vec<&str> = linted.findings().iter().map(|finding| finding.code).collect();
    let Some(is_valid) = is_valid(text).filter(|_| !codes.contains(&"WF005")) else { return Ok(()) };
    let is_reported = codes.iter().any(|code| matches!(*code, "WF004" | "WF006" | "WF007" | "WF702"));
    prop_assert!(is_valid || is_reported, "its schema refuses {}, and nothing says so: {:?}", text, codes);
    prop_assert!(!is_valid || !codes.contains(&"WF004"), "its schema takes {}, and WF004 does not", text);
    Ok(())
}

fn borrowed<'f>(files: &'f [(&'f str, Vec<u8>)]) -> Vec<(&'f str, &'f [u8])> {
    files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn any_bytes_are_linted_without_failure(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        assert_invariants(&[("a.json", &bytes)])?;
    }

    #[test]
    fn any_pieces_of_json_are_linted_without_failure(bytes in pieces()) {
        assert_invariants(&[("a.json", &bytes)])?;
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn any_json_is_linted_without_failure(json in any_json(), layout in layout()) {
        assert_invariants(&[("a.json", json.write(layout).as_bytes())])?;
    }

    #[test]
    fn any_activities_fields_and_variables_are_linted_without_failure(
        mark in select(&["activities", "fields", "Parties"][..]), list in any_json(), variables in any_json(),
    ) {
        let json = Tree::object([(mark, Tree::List(vec![list.clone(), list])), ("variables", variables)]);
        assert_invariants(&[("a.json", json.write(Layout::PLAIN).as_bytes())])?;
    }

    #[test]
    #[ignore = "slow: `.ci/full slow`"]
    fn any_service_is_linted_without_failure(
        workflow in workflow(), form in form(), case in signing_case(), layout in layout(),
    ) {
        let (workflow, form, case) = (workflow.write(layout), form.write(Layout::PLAIN), case.write(layout));
        assert_invariants(&[
            ("order.workflow.json", workflow.as_bytes()),
            ("order.form.json", form.as_bytes()),
            ("case.json", case.as_bytes()),
        ])?;
    }

    #[test]
    fn generated_document_violates_exactly_when_the_schema_says_so(
        document in prop_oneof![workflow(), form(), signing_case(), any_json()], layout in layout(),
    ) {
        hold_to_schema(&document.write(layout))?;
    }

    #[test]
    fn changed_example_violates_exactly_when_the_schema_says_so(
        service in select(&EXAMPLE_SERVICES[..]), at in 0..4usize, changes in changes(),
    ) {
        let files = with_changed(&service, at, |text| changed(text, &changes, Layout::PLAIN));
        for (_, bytes) in files {
            hold_to_schema(std::str::from_utf8(&bytes).unwrap())?;
        }
    }

    #[test]
    #[ignore = "slow: `.ci/full slow`"]
    fn two_workflows_of_one_service_are_linted_without_failure(first in workflow(), second in workflow()) {
        let (first, second) = (first.write(Layout::PLAIN), second.write(Layout::PLAIN));
        assert_invariants(&[("a.json", first.as_bytes()), ("b.json", second.as_bytes())])?;
    }

    #[test]
    fn examples_with_changed_keys_are_linted_without_failure(
        service in select(&EXAMPLE_SERVICES[..]), at in 0..4usize, changes in changes(), layout in layout(),
    ) {
        let files = with_changed(&service, at, |text| changed(text, &changes, layout));
        assert_invariants(&borrowed(&files))?;
    }

    #[test]
    fn examples_with_edited_bytes_are_linted_without_failure(service in select(&EXAMPLE_SERVICES[..]), at in 0..4usize, edits in edits()) {
        let files = with_changed(&service, at, |text| {
            let mut bytes = text.as_bytes().to_vec();
            for edit in &edits {
                edit.apply(&mut bytes);
            }
            bytes
        });
        assert_invariants(&borrowed(&files))?;
    }
}

#[test]
fn unchanged_examples_satisfy_every_invariant() {
    assert!(EXAMPLE_SERVICES.len() >= 6);
    for service in EXAMPLE_SERVICES.iter() {
        let files: Vec<(&str, &[u8])> = service.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
        check(&files).unwrap();
    }
}

const MAX_DEPTH: usize = 256;

/// A folder with one deep document, within the depth limit.
fn deep_folder(deep: &Deep) -> Folder {
    let text = &deep.text;
    assert!((MAX_DEPTH - 2..=MAX_DEPTH).contains(&depth_of(text)), "{}: {}", deep.name, depth_of(text));
    Folder::with(&[("wflint.toml", "[limits]\nmax-depth = 256\n"), ("a.json", text)])
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn deepest_documents_overflow_no_stack() {
    for deep in documents(MAX_DEPTH) {
        for format in format_names() {
            for jobs in ["1", "4"] {
                let output = deep_folder(&deep).run(&["--format", &format, "--jobs", jobs, "a.json"]);
                assert!(output.code < 2, "{}: {output:?}", deep.name);
                assert!(!output.out().contains("WF002"), "{} is no deeper than is allowed", deep.name);
            }
        }
    }
}

#[test]
fn deepest_documents_overflow_no_stack_of_a_process() {
    for deep in documents(MAX_DEPTH) {
        let output = process(deep_folder(&deep).path()).args(["--format", "json", "a.json"]).output().unwrap();
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 1)), "{}: {code:?} {}", deep.name, String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn documents_far_over_the_depth_limit_are_rejected() {
    for deep in documents(100_000) {
        let folder = Folder::with(&[("a.json", &deep.text)]);
        assert_eq!(folder.found(&["a.json"]), ["a.json WF002 error"], "{}", deep.name);
    }
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn generated_documents_trigger_most_rules() {
    let mut runner = TestRunner::deterministic();
    let mut found = BTreeSet::new();
    for _ in 0..250 {
        let (workflow, form, case) = (workflow(), form(), signing_case()).new_tree(&mut runner).unwrap().current();
        let texts = [workflow, form, case].map(|document| document.write(Layout::PLAIN));
        let files: Vec<(&str, &[u8])> =
            ["a.json", "b.json", "c.json"].into_iter().zip(texts.iter().map(String::as_bytes)).collect();
        let linted = lint_texts(&files, 1);
        found.extend(linted.findings().iter().map(|finding| finding.code.to_owned()));
    }
    let silent: Vec<&str> = REGISTRY.iter().map(|rule| rule.code).filter(|code| !found.contains(*code)).collect();
    assert!(found.len() * 4 > REGISTRY.len() * 3, "never found: {silent:?}");
}

#[test]
fn finding_far_from_the_line_start_is_reported_like_any_other() {
    let head = r#"{ "activities": [{ "name": "Say", "type": "Status" }], "variables": []"#;
    for filler in [" ", "\n", "\t", "ä"] {
        let filler = filler.repeat(150_000);
        let value = if filler.starts_with('ä') { format!("\"{filler}\"") } else { format!("{filler}1") };
        let before = format!(r#"{{ "more": {value}, {}}}"#, head.trim_start_matches('{'));
        let after = format!("{head}, \"more\": {value} }}");
        for text in [before, after] {
            check(&[("a.json", text.as_bytes())]).unwrap();
            let linted = lint_texts(&[("a.json", text.as_bytes())], 1);
            assert_eq!(linted.findings().iter().map(|finding| finding.code).collect::<Vec<_>>(), ["WF414"]);
        }
    }
}
