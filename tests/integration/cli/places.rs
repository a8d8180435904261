//! `PATH:LINE` and `PATH:LINE:COLUMN` wherever a file is named.

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FILLER, FINE, READER};

/// Three findings: WF101 at 3:78, twice WF414 at lines 4 and 5.
const MANY: &str = r#"{
  "activities": [
    { "name": "A", "type": "Status", "status": { "isBound": true, "boundTo": "Nobody" } },
    { "name": "B", "type": "Status" },
    { "name": "C", "type": "Status" }
  ],
  "variables": []
}
"#;

fn places(folder: &Folder, args: &[&str]) -> Vec<String> {
    let output = folder.run(&[&["--format", "concise"], args].concat());
    output.out().lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn lint_reports_what_is_on_the_line() {
    let unused = "[[suppress]]\nrule = 'WF110'\nfile = 'a.json'\npointer = ''\nreason = 'x'\n";
    let folder = Folder::with(&[("a.json", MANY), ("b.json", ERROR), ("wflint.toml", unused)]);
    let first = "a.json:3:78: WF101";
    for (args, found) in [
        (&["a.json:3"][..], &[first][..]),
        (&["a.json:3:78"], &[first]),
        (&["a.json:3:1"], &[]),
        (&["a.json:4", "a.json:5"], &["a.json:4:15: WF414", "a.json:5:15: WF414"]),
        (&["a.json:1"], &[]),
        (&["a.json:9"], &[]),
        (&["./a.json:3", "b.json"], &[first, "b.json:2:93: WF101"]),
    ] {
        assert_eq!(places(&folder, args), found, "{args:?}");
    }
    // The whole file, and what else is unused.
    for args in [&["a.json:3", "a.json"], &["a.json:3", "."]] {
        assert!(places(&folder, args).len() >= 4, "{args:?}: {:?}", places(&folder, args));
    }
    let none = folder.run(&["a.json:1"]).expect_code(0);
    assert_eq!(none.out(), "No problems in 1 file (3 not listed).\n");
    folder.run(&["a.json:4"]).expect_code(1);
    let past = folder.run(&["a.json:10"]).expect_code(2);
    assert_eq!(past.err(), "wflint: a.json has no line 10, only 9 lines\n");
    folder.run(&["graph", "a.json:900"]).expect_code(2);
    folder.run(&["a.json:x"]).expect_code(2);
    folder.run(&["none.json:3"]).expect_code(2);
    folder.run(&["a.json:3", "--write-baseline", "--baseline", "b"]).expect_code(2);
}

#[test]
fn file_that_is_named_so_wins() {
    let folder = Folder::with(&[("a.json", MANY), ("a.json:3", FINE)]);
    assert_eq!(folder.run(&["a.json:3"]).expect_code(0).out(), "No problems in 1 file.\n");
    let folder = Folder::with(&[("a:3", MANY), ("a", FINE)]);
    assert_eq!(places(&folder, &["a:3:4"]), ["a:3:4:15: WF414"]);
}

#[test]
fn findings_that_the_line_causes_elsewhere_are_left_out() {
    let folder = Folder::with(&[("order.workflow.json", READER), ("order.form.json", FILLER)]);
    assert!(folder.found(&["order.form.json"]).contains(&"order.workflow.json WF302 error".to_owned()));
    assert_eq!(folder.found(&["order.form.json:1"]), [""; 0]);
}

#[test]
fn only_what_is_there_is_fixed() {
    let fixable = r#"{ "name": "A", "isBound": true, "boundTo": "", "type": "InputText" }"#;
    let form = format!("{{ \"fields\": [\n{fixable},\n{}\n], \"variables\": [] }}\n", fixable.replace('A', "B"));
    let folder = Folder::with(&[("a.form.json", &form)]);
    folder.run(&["--fix", "a.form.json:3", "--select", "WF602"]).expect_code(0);
    assert_eq!(folder.read("a.form.json"), form.replacen("true", "false", 2).replacen("false", "true", 1));
}

#[test]
fn other_commands_take_the_file() {
    let folder = Folder::with(&[("a.workflow.json", MANY)]);
    let drawn = folder.run(&["graph", "a.workflow.json:4"]).expect_code(0);
    assert!(drawn.out().contains("<br/>B<br/>") && !drawn.out().contains("<br/>C<br/>"), "{}", drawn.out());
    let whole = folder.run(&["graph", "a.workflow.json"]).expect_code(0);
    assert_eq!(folder.run(&["graph", "a.workflow.json:7"]).expect_code(0).out(), whole.out());
    folder.run(&["fmt", "--check", "a.workflow.json:3:1"]).expect_code(1);
    let (whole, line) = (folder.run(&["explore", "a.workflow.json"]), folder.run(&["explore", "a.workflow.json:3"]));
    let note = "`wflint explore` takes all of a.workflow.json, not line 3 alone.\n";
    assert_eq!(line.err(), format!("{note}{}", whole.err()));
    assert_eq!(line.out(), whole.out());
    folder.run(&["init", "--scenario", "a.workflow.json:3"]).expect_code(0);
    folder.run(&["simulate", "a.scenario.yaml:2"]).expect_code(0);
    folder.run(&["diff", "a.workflow.json:3", "a.workflow.json:4"]).expect_code(0);
}
