//! `--fix`, `--unsafe-fixes` and `--diff`.

use crate::support::folder::Folder;
use crate::support::run::{Output, format_names, run_cli, without_pages};
use crate::support::samples::{ERROR, FINE};

const VARIABLES: &str = r#""variables": [
    { "name": "Name", "id": 1, "variableType": "String", "isInputParameter": true },
    { "name": "Mail", "id": 2, "variableType": "String", "isInputParameter": true },
    { "name": "Text", "id": 3, "variableType": "String", "isOutputParameter": true }
  ]"#;

/// A workflow of these activities.
pub(super) fn workflow(activities: &[&str]) -> String {
    format!("{{\n  \"activities\": [\n    {}\n  ],\n  {VARIABLES}\n}}\n", activities.join(",\n    "))
}

/// Shows a variable; `more` are further keys of the activity.
pub(super) fn status(name: &str, target: &str, id: u32, more: &str) -> String {
    format!(
        r#"{{ "name": "{name}", "type": "Status"{more}, "status": {{ "isBound": true, "boundTo": "{target}", "boundToId": {id} }} }}"#
    )
}

/// A workflow with a variable for a file.
pub(super) fn with_file(activities: &[&str]) -> String {
    let file = r#""variables": [
    { "name": "File", "id": 4, "variableType": "File", "isInputParameter": true },"#;
    workflow(activities).replace("\"variables\": [", file)
}

/// WF101, whose fix would compare with a file (WF112).
pub(super) fn withheld(name: &str) -> String {
    format!(
        r#"{{ "name": "{name}", "type": "If", "expression": {{
        "type": "EqualityExpression", "operand": "equal",
        "left": {{ "isBound": true, "boundTo": "Old", "boundToId": 4 }}, "right": {{ "isBound": false, "value": "x" }}
      }}, "activities": [{}] }}"#,
        status(&format!("Tell {name}"), "Name", 1, "")
    )
}

/// WF102, with a safe fix: no variable has the id 99.
pub(super) fn safe() -> String {
    workflow(&[&status("Say", "Name", 99, "")])
}

/// WF101, with an unsafe fix: the id identifies the variable.
fn unsafely_fixable() -> String {
    workflow(&[&status("Say", "Nobody", 1, "")])
}

pub(super) fn fixed() -> String {
    workflow(&[&status("Say", "Name", 1, "")])
}

fn stdin(args: &[&str], text: &str) -> Output {
    run_cli(args, Folder::with(&[]).path(), text.as_bytes())
}

#[test]
fn safe_fixes_are_applied_and_what_is_left_is_reported() {
    let folder = Folder::with(&[("a.json", &safe()), ("b.json", &unsafely_fixable())]);
    let report = folder.run(&["--fix", "--format", "json"]).expect_code(1);
    assert_eq!(report.found(), ["b.json WF101 error"]);
    let summary = &report.json()["summary"];
    assert_eq!((&summary["fixed"], &summary["fixable"], &summary["files"]), (&1.into(), &0.into(), &2.into()));
    assert_eq!(folder.read("a.json"), fixed());
    assert_eq!(folder.read("b.json"), unsafely_fixable(), "an unsafe fix is not asked for");
    assert_eq!(folder.names(), ["a.json", "b.json"], "nothing is left behind");
}

#[test]
fn unsafe_fixes_are_applied_on_demand() {
    let folder = Folder::with(&[("a.json", &safe()), ("b.json", &unsafely_fixable())]);
    let output = folder.run(&["--fix", "--unsafe-fixes"]).expect_code(0);
    assert_eq!(output.out(), "Fixed 2 problems in 2 files.\nNo problems in 2 files.\n");
    assert_eq!((folder.read("a.json"), folder.read("b.json")), (fixed(), fixed()));
}

#[test]
fn unsafe_fixes_alone_are_counted_and_not_applied() {
    let folder = Folder::with(&[("b.json", &unsafely_fixable())]);
    let output = folder.run(&["--unsafe-fixes"]).expect_code(1);
    assert!(
        output.out().ends_with("Found 1 error in 1 file (1 fixable with `--fix --unsafe-fixes`).\n"),
        "{}",
        output.out()
    );
    assert_eq!(folder.read("b.json"), unsafely_fixable());
}

#[test]
fn run_without_fixes_changes_nothing() {
    let folder = Folder::with(&[("a.json", ERROR), ("b.json", FINE)]);
    let output = folder.run(&["--fix", "--unsafe-fixes"]).expect_code(1);
    assert!(!output.out().contains("Fixed"), "{}", output.out());
    assert_eq!((folder.read("a.json").as_str(), folder.read("b.json").as_str()), (ERROR, FINE));
}

#[test]
fn diff_is_printed_and_no_file_is_changed() {
    let folder = Folder::with(&[("a.json", &safe()), ("sub/b.json", &unsafely_fixable())]);
    let output = folder.run(&["--diff"]).expect_code(1);
    let before = status("Say", "Name", 99, "");
    let after = status("Say", "Name", 1, "");
    let wanted = format!(
        "--- a.json\n+++ a.json\n@@ -1,6 +1,6 @@\n {{\n   \"activities\": [\n-    {before}\n+    {after}\n   ],\n   \
         \"variables\": [\n     {{ \"name\": \"Name\", \"id\": 1, \"variableType\": \"String\", \"isInputParameter\": true }},\n"
    );
    assert_eq!(output.out(), wanted);
    assert_eq!(output.err(), "Would fix 1 problem in 1 file.\n");
    let both = folder.run(&["--diff", "--unsafe-fixes", "--quiet"]).expect_code(1);
    assert!(both.out().contains("+++ sub/b.json") && both.err().is_empty(), "{}", both.out());
    assert_eq!((folder.read("a.json"), folder.read("sub/b.json")), (safe(), unsafely_fixable()));
}

#[test]
fn empty_diff_exits_with_0_whatever_is_found() {
    let output = Folder::with(&[("a.json", ERROR)]).run(&["--diff"]).expect_code(0);
    assert_eq!((output.out(), output.err()), ("", "No fixes available.\n"));
}

#[test]
fn diff_wins_over_fix_and_is_written_to_the_output_file() {
    let folder = Folder::with(&[("a.json", &safe())]);
    assert_eq!(folder.run(&["--diff", "--fix", "--output", "fixes.patch"]).expect_code(1).out(), "");
    assert!(folder.read("fixes.patch").starts_with("--- a.json\n+++ a.json\n@@ "));
    assert_eq!(folder.read("a.json"), safe());
}

#[test]
fn diff_escapes_control_characters() {
    let text = workflow(&[&status("Say \u{9b}31m\u{202e}", "Name", 99, "")]);
    let folder = Folder::with(&[("a.json", &text)]);
    let output = folder.run(&["--diff"]).expect_code(1);
    assert!(output.out().contains("Say \\u{9b}31m\\u{202e}"), "{}", output.out());
}

#[test]
fn only_selected_rules_are_fixed() {
    let folder = Folder::with(&[("a.json", &safe())]);
    for args in [&["--fix", "--select", "WF104"][..], &["--fix", "--ignore", "WF102"]] {
        folder.run(args).expect_code(0);
        assert_eq!(folder.read("a.json"), safe(), "{args:?}");
    }
    folder.run(&["--fix", "--select", "WF102"]).expect_code(0);
    assert_eq!(folder.read("a.json"), fixed());
}

#[test]
fn suppressed_and_baselined_findings_are_not_fixed() {
    let config = "[[suppress]]\nrule = 'WF102'\nfile = 'a.json'\nactivity = 'Say'\nreason = 'as it should be'\n";
    let folder = Folder::with(&[("wflint.toml", config), ("a.json", &safe())]);
    folder.run(&["--fix"]).expect_code(0);
    folder.run(&["--isolated", "--baseline", "known.json", "--write-baseline"]).expect_code(0);
    folder.run(&["--isolated", "--baseline", "known.json", "--fix"]).expect_code(0);
    assert_eq!(folder.read("a.json"), safe());
}

#[test]
fn only_named_files_are_changed() {
    let folder = Folder::with(&[("a.json", &safe()), ("b.json", &safe())]);
    folder.run(&["--fix", "a.json"]).expect_code(0);
    assert_eq!((folder.read("a.json"), folder.read("b.json")), (fixed(), safe()));
}

/// An Assign that uses `Name`, and lists it with a wrong id, and `Mail` too: two fixes, one inside
/// the bytes of the other.
const OVERLAPPING: &str = r#"{
      "name": "Write",
      "type": "Assign",
      "ownBoundVariables": ["Text", "Name", "Mail", "Gone"],
      "result": { "isBound": true, "boundTo": "Text", "boundToId": 3 },
      "body": "Dear {Name}",
      "assignedVariables": [
        { "isBound": true, "value": null, "boundTo": "Name", "boundToId": 1 },
        { "isBound": true, "value": null, "boundTo": "Mail", "boundToId": 2 }
      ]
    }"#;

#[test]
fn overlapping_fixes_are_applied_in_successive_rounds() {
    let folder = Folder::with(&[("a.json", &workflow(&[OVERLAPPING]))]);
    assert_eq!(folder.found(&["--select", "ALL"]), ["a.json WF111 info", "a.json WF307 warning"]);
    let output = folder.run(&["--fix", "--select", "ALL"]).expect_code(0);
    assert_eq!(output.out(), "Fixed 2 problems in 1 file.\nNo problems in 1 file.\n");
    let fixed = OVERLAPPING.replace(", \"Mail\", \"Gone\"", "");
    let fixed =
        fixed.replace(",\n        { \"isBound\": true, \"value\": null, \"boundTo\": \"Mail\", \"boundToId\": 2 }", "");
    assert_eq!(folder.read("a.json"), workflow(&[&fixed]), "what is not changed keeps its layout");
}

#[test]
fn fix_that_causes_a_new_finding_is_skipped_and_the_others_are_applied() {
    let others = ["A", "B", "C", "D"].map(|name| status(name, "Nobody", 1, ""));
    let skipped = withheld("Skipped");
    let activities = [&others[0], &others[1], &skipped, &others[2], &others[3]];
    let folder = Folder::with(&[("a.json", &with_file(&activities.map(String::as_str)))]);
    let report = folder.run(&["--fix", "--unsafe-fixes", "--select", "WF101", "--format", "json"]).expect_code(1);
    assert_eq!(report.found(), ["a.json WF101 error"]);
    let left = &report.json()["diagnostics"][0];
    assert_eq!(left["activity"], "Skipped");
    let why = "would add WF112 at /activities/2/expression/left/boundTo";
    assert_eq!((&left["fix"], &left["fixWithheld"]), (&serde_json::Value::Null, &why.into()));
    assert_eq!(report.json()["summary"]["fixed"], 4);
    let note = format!("a.json:7:47: no fix for WF101, it {why}\n");
    assert!(folder.run(&["--verbose"]).err().contains(&note), "{}", folder.run(&["--verbose"]).err());
}

#[test]
fn many_fixes_that_cause_new_findings_do_not_block_the_others() {
    let activity = |number: usize| {
        let name = format!("S{number}");
        if number.is_multiple_of(2) { status(&name, "Nobody", 1, "") } else { withheld(&name) }
    };
    let activities: Vec<String> = (0..200).map(activity).collect();
    let activities: Vec<&str> = activities.iter().map(String::as_str).collect();
    let folder = Folder::with(&[("a.json", &with_file(&activities))]);
    let report = folder.run(&["--fix", "--unsafe-fixes", "--select", "WF101", "--format", "json"]).expect_code(1);
    assert_eq!((report.found().len(), &report.json()["summary"]["fixed"]), (100, &100.into()));
}

#[test]
fn new_finding_of_an_unselected_rule_blocks_a_fix() {
    let before = with_file(&[&withheld("If known")]);
    let folder = Folder::with(&[("a.json", &before)]);
    folder.run(&["--fix", "--unsafe-fixes", "--select", "WF101"]).expect_code(1);
    assert_eq!(folder.read("a.json"), before);
}

/// What a fault had hidden is no reason to keep it.
#[test]
fn fix_may_reveal_what_its_finding_hid() {
    let warned = workflow(&[&status("Say", "Name", 99, r#", "displayWarning": true"#)]);
    let folder = Folder::with(&[("a.json", &warned)]);
    let report = folder.run(&["--format", "json"]).json();
    assert_eq!(report["diagnostics"][0]["fix"]["title"], "set `boundToId` to 1; reveals WF009");
    let report = folder.run(&["--fix", "--format", "json"]).expect_code(1);
    assert_eq!(report.found(), ["a.json WF009 warning"]);
    assert_eq!(report.json()["summary"]["fixed"], 1);
}

#[test]
fn fixes_keep_line_ends_indentation_and_byte_order_mark() {
    for (from, to) in [("\n", "\r\n"), ("\n", "\r"), ("  ", "\t"), ("\n", ""), ("{\n", "\u{feff}{\n")] {
        let change = |text: String| {
            if to.starts_with('\u{feff}') { text.replacen(from, to, 1) } else { text.replace(from, to) }
        };
        let folder = Folder::with(&[("a.json", &change(safe()))]);
        folder.run(&["--fix"]).expect_code(0);
        assert_eq!(folder.read("a.json"), change(fixed()), "{to:?}");
    }
}

#[test]
fn broken_file_beside_a_fixed_one_is_unchanged() {
    let folder = Folder::with(&[("a.json", &safe()), ("torn.json", "{ \"activities\": [")]);
    folder.write("odd.json", b"{ \"activities\": \"\xff");
    assert_eq!(folder.run(&["--fix", "--format", "json"]).expect_code(1).found().len(), 2);
    assert_eq!(folder.read("a.json"), fixed());
    assert_eq!(std::fs::read(folder.file("odd.json")).unwrap(), b"{ \"activities\": \"\xff");
}

#[test]
fn fixed_standard_input_is_printed_and_the_report_goes_to_standard_error() {
    let output = stdin(&["-", "--fix"], &safe()).expect_code(0);
    assert_eq!(output.out(), fixed());
    assert_eq!(output.err(), "Fixed 1 problem in 1 file.\nNo problems in 1 file.\n");
    let output = stdin(&["-", "--fix", "--format", "json"], &unsafely_fixable()).expect_code(1);
    assert_eq!(output.out(), unsafely_fixable());
    assert!(output.err().contains("WF101"), "{}", output.err());
}

#[test]
fn standard_input_without_a_document_is_printed_unchanged() {
    for text in ["", "{", "{ \"name\": \"other\" }\n", "[\u{feff}"] {
        assert_eq!(stdin(&["-", "--fix"], text).expect_code(1).out(), text);
        assert_eq!(stdin(&["-", "--fix", "--skip-unrelated", "--quiet"], text).out(), text);
    }
    let output = run_cli(&["-", "--fix"], Folder::with(&[]).path(), b"{\"activities\": \"\xff");
    assert_eq!(output.stdout, b"{\"activities\": \"\xff");
}

#[test]
fn named_standard_input_is_fixed_and_its_file_is_unchanged() {
    let folder = Folder::with(&[("a.json", &unsafely_fixable()), ("b.json", &safe())]);
    let args = ["-", "--stdin-filename", "a.json", "--fix"];
    let output = run_cli(&args, folder.path(), safe().as_bytes()).expect_code(0);
    assert_eq!(output.out(), fixed());
    assert_eq!((folder.read("a.json"), folder.read("b.json")), (unsafely_fixable(), safe()));
    let output = run_cli(&["-", "--diff"], folder.path(), safe().as_bytes()).expect_code(1);
    assert!(output.out().starts_with("--- <stdin>\n"), "{}", output.out());
}

#[test]
fn every_format_reports_remaining_findings() {
    for format in format_names() {
        let folder =
            Folder::with(&[("a.json", &workflow(&[&status("Say", "Name", 99, ""), &status("No", "X", 0, "")]))]);
        let output = folder.run(&["--fix", "--format", &format]).expect_code(1);
        let shown = without_pages(output.out());
        assert!(shown.contains("WF101") && !shown.contains("WF102"), "{format}: {shown}");
    }
}

#[cfg(unix)]
mod on_disk {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn set_mode(folder: &Folder, name: &str, mode: u32) {
        std::fs::set_permissions(folder.file(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn fixes_keep_permissions() {
        let folder = Folder::with(&[("a.json", &safe())]);
        set_mode(&folder, "a.json", 0o640);
        folder.run(&["--fix"]).expect_code(0);
        assert_eq!(std::fs::metadata(folder.file("a.json")).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn fixes_follow_links() {
        let folder = Folder::with(&[("real/a.json", &safe())]);
        symlink("real/a.json", folder.file("link.json")).unwrap();
        folder.run(&["--fix", "link.json"]).expect_code(0);
        assert_eq!(folder.read("real/a.json"), fixed());
        assert!(std::fs::symlink_metadata(folder.file("link.json")).unwrap().is_symlink());
    }

    #[test]
    fn file_named_twice_by_a_link_is_fixed_once() {
        let folder = Folder::with(&[("real/a.json", &safe())]);
        symlink("real/a.json", folder.file("link.json")).unwrap();
        folder.run(&["--fix", "link.json", "real/a.json"]).expect_code(0);
        assert_eq!(folder.read("real/a.json"), fixed());
    }

    #[test]
    fn special_file_is_neither_read_nor_written_to() {
        let folder = Folder::with(&[]);
        let fifo = folder.file("pipe.json");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let output = folder.run(&["--fix", "--format", "json", "pipe.json"]).expect_code(2);
        assert!(output.err().contains("cannot read pipe.json: expected a regular file"), "{}", output.err());
    }

    #[test]
    fn read_only_file_is_an_error_and_the_others_are_fixed() {
        let folder = Folder::with(&[("a/a.json", &safe()), ("b/b.json", &safe())]);
        set_mode(&folder, "a/a.json", 0o444);
        let output = folder.run(&["--fix", "--format", "json"]).expect_code(2);
        assert!(output.err().contains("a/a.json") && output.err().contains("read-only"), "{}", output.err());
        assert_eq!(output.found(), ["a/a.json WF102 error"], "it is still wrong");
        assert_eq!(output.json()["summary"]["fixed"], 1);
        assert_eq!((folder.read("a/a.json"), folder.read("b/b.json")), (safe(), fixed()));
    }
}

#[test]
fn nothing_is_fixed_when_the_report_cannot_be_written() {
    let folder = crate::support::folder::copy_of("examples/broken");
    let before = folder.read("order.workflow.json");
    for place in ["no/such/folder.json", "."] {
        let output = folder.run(&["--fix", "--unsafe-fixes", "--output", place]).expect_code(2);
        assert!(!output.err().contains(".tmp"), "{}", output.err());
    }
    assert_eq!(folder.read("order.workflow.json"), before);
}
