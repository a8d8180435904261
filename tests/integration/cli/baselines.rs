//! `--baseline` and `--write-baseline`.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FINE, WARNING};

const WRITE: [&str; 3] = ["--baseline", "known.json", "--write-baseline"];
const USE: [&str; 2] = ["--baseline", "known.json"];

/// A workflow of Status activities without a status (WF414), with these names.
fn silent(names: &[&str]) -> String {
    let activities: Vec<String> =
        names.iter().map(|name| format!("{{ \"name\": \"{name}\", \"type\": \"Status\" }}")).collect();
    format!("{{ \"activities\": [{}], \"variables\": [] }}\n", activities.join(", "))
}

/// A folder with a baseline of its findings.
fn known(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(files);
    folder.run(&WRITE).expect_code(0);
    folder
}

#[test]
fn findings_in_the_baseline_are_not_reported() {
    let folder = Folder::with(&[("a.json", ERROR), ("sub/b.json", WARNING)]);
    let output = folder.run(&WRITE).expect_code(0);
    assert_eq!(output.out(), "No problems in 2 files (2 known).\n");
    let wanted = r#"{
  "version": 1,
  "findings": [
    { "rule": "WF101", "file": "a.json", "around": ["Say"], "member": "status/boundTo", "count": 1 },
    { "rule": "WF414", "file": "sub/b.json", "around": ["Say"], "member": "", "count": 1 }
  ]
}
"#;
    assert_eq!(folder.read("known.json"), wanted);
    let report = folder.run(&[&USE[..], &["--format", "json"]].concat()).expect_code(0).json();
    assert_eq!((&report["summary"]["baselined"], &report["summary"]["errors"]), (&2.into(), &0.into()));
}

#[test]
fn finding_matches_the_baseline_after_edits_elsewhere() {
    let folder = known(&[("a.json", &silent(&["A", "B"]))]);
    folder.write("a.json", silent(&["New", "B", "A"]).replace(", ", ",\n\n"));
    let output = folder.run(&[&USE[..], &["--format", "json"]].concat()).expect_code(1);
    assert_eq!(output.found(), ["a.json WF414 warning"]);
    assert_eq!(output.json()["diagnostics"][0]["activity"], "New");
}

#[test]
fn siblings_with_equal_names_match_by_their_ordinal() {
    let folder = known(&[("a.json", &silent(&["A", "A"]))]);
    assert!(folder.read("known.json").contains("[\"A#2\"]"));
    folder.write("a.json", silent(&["A", "A", "A"]));
    assert_eq!(folder.found(&USE), ["a.json WF414 warning"]);
}

#[test]
fn findings_beyond_the_baseline_count_are_reported() {
    let bound = |names: &[&str]| {
        let list: Vec<String> =
            names.iter().map(|name| format!(r#"{{ "isBound": true, "boundTo": "{name}" }}"#)).collect();
        format!(
            r#"{{ "activities": [{{ "name": "W", "type": "Assign", "body": "x", "assignedVariables": [{}],
            "result": {{ "isBound": true, "boundTo": "T" }} }}],
            "variables": [{{ "name": "T", "id": 1, "variableType": "String", "isOutputParameter": true }}] }}"#,
            list.join(", ")
        )
    };
    let folder = known(&[("a.json", &bound(&["Nobody", "Noone"]))]);
    assert!(folder.read("known.json").contains("\"member\": \"assignedVariables/boundTo\", \"count\": 2"));
    folder.write("a.json", bound(&["Nobody", "Noone", "Nothing"]));
    let report = folder.run(&[&USE[..], &["--format", "json"]].concat()).expect_code(1);
    assert_eq!(report.found(), ["a.json WF101 error"]);
    assert_eq!(report.json()["diagnostics"][0]["pointer"], "/activities/0/assignedVariables/2/boundTo");
}

#[test]
fn files_are_relative_to_the_baseline() {
    let folder = Folder::with(&[("a.json", ERROR), ("ci/keep", "")]);
    folder.run(&["--baseline", "ci/known.json", "--write-baseline"]).expect_code(0);
    assert!(folder.read("ci/known.json").contains("\"../a.json\""));
    crate::support::run::run_cli(&["--baseline", "known.json", ".."], &folder.file("ci"), b"").expect_code(0);
}

#[test]
fn stale_baseline_entry_is_reported() {
    let folder = known(&[("a.json", ERROR), ("b.json", WARNING)]);
    folder.write("a.json", FINE);
    let output = folder.run(&[&USE[..], &["--format", "concise"]].concat()).expect_code(0);
    let wanted = "known.json:4:5: WF000 info stale baseline entry: WF101 at `Say` in `a.json` no longer occurs\n";
    assert_eq!(output.out(), wanted);
    assert_eq!(folder.found(&[&USE[..], &["b.json"]].concat()), [""; 0], "nobody asked about a.json");
    assert_eq!(folder.found(&[&USE[..], &["--ignore", "WF101"]].concat()), [""; 0]);
    std::fs::remove_file(folder.file("a.json")).unwrap();
    assert_eq!(folder.found(&USE), ["known.json WF000 info"], "the file is gone too");
}

#[test]
fn rewriting_drops_stale_entries_and_keeps_those_of_other_files() {
    let folder = known(&[("a.json", ERROR), ("b.json", WARNING), ("c.json", &silent(&["C"]))]);
    folder.write("a.json", FINE);
    folder.write("c.json", FINE);
    folder.run(&[&WRITE[..], &["a.json", "b.json"]].concat()).expect_code(0);
    let text = folder.read("known.json");
    let baseline: Value = serde_json::from_str(&text).unwrap();
    let files: Vec<&str> =
        baseline["findings"].as_array().unwrap().iter().map(|finding| finding["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["b.json", "c.json"], "{text}");
    folder.run(&[&WRITE[..], &["a.json", "b.json"]].concat()).expect_code(0);
    assert_eq!(folder.read("known.json"), text, "the same findings give the same bytes");
}

#[test]
fn suppressed_findings_are_not_written_to_the_baseline() {
    let config = "[[suppress]]\nrule = 'WF101'\nfile = 'a.json'\nactivity = 'Say'\nreason = 'as agreed'\n";
    let folder = known(&[("wflint.toml", config), ("a.json", ERROR)]);
    assert!(folder.read("known.json").ends_with("\"findings\": []\n}\n"), "{}", folder.read("known.json"));
}

#[test]
fn baseline_in_a_linted_folder_is_not_linted() {
    let folder = known(&[("a.json", ERROR)]);
    let report = folder.run(&[&USE[..], &["--format", "json"]].concat()).json();
    assert_eq!((&report["summary"]["files"], &report["summary"]["skipped"]), (&1.into(), &1.into()));
}

#[test]
fn invalid_baseline_is_rejected_and_not_overwritten() {
    for text in ["", "{", FINE, "{ \"version\": 2, \"findings\": [] }", "\u{1b}"] {
        let folder = Folder::with(&[("a.json", ERROR), ("known.json", text)]);
        for args in [&USE[..], &WRITE] {
            let output = folder.run(args).expect_code(2);
            assert_eq!(output.out(), "");
            assert!(output.err().contains("known.json") && output.err().lines().count() == 1, "{}", output.err());
        }
        assert_eq!(folder.read("known.json"), text);
    }
}

#[test]
fn missing_or_unwritable_baseline_is_an_error() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    assert!(folder.run(&USE).expect_code(2).err().contains("known.json"));
    let output = folder.run(&["--baseline", "none/known.json", "--write-baseline"]).expect_code(2);
    assert!(output.err().contains("known.json"), "{}", output.err());
    folder.run(&["--write-baseline"]).expect_code(2);
    for other in ["--diff", "--fix"] {
        folder.run(&[&WRITE[..], &[other]].concat()).expect_code(2);
    }
    assert_eq!(folder.names(), ["a.json"]);
}

#[test]
fn baseline_of_the_configuration_is_relative_to_it() {
    let folder =
        Folder::with(&[("wflint.toml", "baseline = 'ci/known.json'\n"), ("sub/a.json", ERROR), ("ci/keep", "")]);
    let missing = folder.run(&["."]).expect_code(2);
    assert!(missing.err().ends_with("wflint.toml:1:12: cannot read the baseline `ci/known.json`: no such file\n"));
    let output = folder.run(&["--write-baseline"]).expect_code(0);
    assert_eq!(output.err(), "Wrote 1 finding to ci/known.json.\n");
    assert!(folder.read("ci/known.json").contains("\"../sub/a.json\""));
    folder.run(&["."]).expect_code(0);
    crate::support::run::run_cli(&["."], &folder.file("sub"), b"").expect_code(0);
    folder.run(&["--isolated"]).expect_code(1);
    // The option comes after the configuration.
    let output = folder.run(&["--baseline", "other.json", "--write-baseline"]).expect_code(0);
    assert!(output.err().contains("other.json"), "{}", output.err());
}

#[test]
fn configurations_have_baselines_of_their_own() {
    let folder = Folder::with(&[("a/a.json", ERROR), ("b/b.json", WARNING), ("c/c.json", WARNING)]);
    folder.write("a/wflint.toml", "baseline = 'known.json'");
    folder.write("b/wflint.toml", "baseline = 'known.json'");
    folder.run(&["--write-baseline"]).expect_code(1);
    assert!(folder.read("a/known.json").contains("WF101") && folder.read("b/known.json").contains("WF414"));
    assert_eq!(folder.found(&["."]), ["c/c.json WF414 warning"]);
    folder.write("b/b.json", FINE);
    assert_eq!(folder.found(&["."]), ["b/known.json WF000 info", "c/c.json WF414 warning"]);
}

#[test]
fn existing_baseline_loses_entries_and_gains_none() {
    let folder = known(&[("a.json", ERROR), ("b.json", WARNING)]);
    folder.write("b.json", FINE);
    folder.write("c.json", WARNING);
    assert_eq!(folder.found(&USE), ["c.json WF414 warning", "known.json WF000 info"]);
    let strict = [&USE[..], &["--strict-baseline"]].concat();
    assert_eq!(folder.found(&strict), ["c.json WF414 warning", "known.json WF000 error"]);
    let output = folder.run(&[&WRITE[..], &["--format", "json"]].concat()).expect_code(1);
    assert_eq!(output.found(), ["c.json WF414 warning"]);
    assert_eq!(output.err(), "Wrote 1 finding to known.json, 1 removed.\n");
    assert_eq!(folder.found(&strict), ["c.json WF414 warning"]);
}

#[test]
fn entry_that_occurs_less_often_is_reported() {
    let nameless = |number: usize| {
        let activities = vec![r#"{ "type": "Status" }"#; number].join(", ");
        format!("{{ \"activities\": [{activities}], \"variables\": [] }}")
    };
    let folder = known(&[("a.json", &nameless(3))]);
    assert!(folder.read("known.json").contains("\"count\": 3"), "{}", folder.read("known.json"));
    folder.write("a.json", nameless(1));
    let output = folder.run(&[&USE[..], &["--format", "concise", "--strict-baseline"]].concat()).expect_code(1);
    assert!(output.out().contains("occurs 1 time, not 3"), "{}", output.out());
    folder.run(&WRITE).expect_code(0);
    assert_eq!(folder.run(&[&USE[..], &["--strict-baseline"]].concat()).expect_code(0).err(), "");
}

#[test]
fn write_baseline_needs_a_baseline() {
    let output = Folder::with(&[("a.json", ERROR)]).run(&["--write-baseline"]).expect_code(2);
    assert!(output.err().contains("`--baseline FILE`"), "{}", output.err());
}
