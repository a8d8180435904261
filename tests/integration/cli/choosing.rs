//! Selecting rules, and the findings that fail a run.

use crate::support::folder::Folder;
use crate::support::samples::{BROKEN, ERROR, FINE, INFO, WARNING};

/// One finding of each severity: WF101, WF414, WF007.
fn all() -> Folder {
    Folder::with(&[("e.json", ERROR), ("i.json", INFO), ("w.json", WARNING)])
}

fn codes(folder: &Folder, args: &[&str]) -> Vec<String> {
    folder.found(args).iter().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn rules_are_selected_by_code_prefix_name_group_and_all() {
    for (word, found) in [
        ("WF101", &["WF101"][..]),
        ("WF1", &["WF101"]),
        ("unknown-variable", &["WF101"]),
        ("binding", &["WF101"]),
        ("flow", &["WF414"]),
        ("document", &["WF007"]),
        ("WF0,WF4", &["WF007", "WF414"]),
        ("ALL", &["WF101", "WF007", "WF414"]),
        ("WF6", &[]),
    ] {
        assert_eq!(codes(&all(), &["--select", word]), found, "{word}");
    }
}

#[test]
fn rules_are_ignored_by_the_same_selectors() {
    for (word, found) in [
        ("WF101", &["WF007", "WF414"][..]),
        ("WF4", &["WF101", "WF007"]),
        ("empty-status", &["WF101", "WF007"]),
        ("document,binding", &["WF414"]),
        ("document,binding,flow", &[]),
    ] {
        assert_eq!(codes(&all(), &["--ignore", word]), found, "{word}");
    }
}

#[test]
fn selections_add_up_and_the_option_may_be_repeated() {
    assert_eq!(codes(&all(), &["--select", "WF101", "--select", "WF414"]), ["WF101", "WF414"]);
    assert_eq!(codes(&all(), &["--ignore", "WF101", "--ignore", "WF414"]), ["WF007"]);
}

#[test]
fn last_selector_that_matches_a_rule_wins() {
    assert_eq!(codes(&all(), &["--select", "ALL", "--ignore", "WF4"]), ["WF101", "WF007"]);
    assert_eq!(codes(&all(), &["--ignore", "WF4", "--select", "ALL"]), ["WF101", "WF007", "WF414"]);
    assert_eq!(codes(&all(), &["--select", "ALL", "--ignore", "WF", "--select", "WF414"]), ["WF414"]);
    assert_eq!(codes(&all(), &["--ignore", "ALL", "--select", "WF414"]), ["WF414"]);
}

#[test]
fn selector_from_the_middle_of_a_code_is_rejected() {
    for word in ["101", "F101", "WF1011", "wflint", "*"] {
        all().run(&["--select", word]).expect_code(2);
    }
}

#[test]
fn options_that_leave_no_rule_are_an_error() {
    for (config, args) in [
        ("", &["--ignore", "ALL"][..]),
        ("", &["--select", "WF1", "--ignore", "WF1"]),
        ("", &["--ignore", "WF1", "--select", "WF101", "--ignore", "binding"]),
        ("select = ['WF1']", &["--ignore", "WF1"]),
        ("ignore = ['WF2', 'WF3']", &["--select", "WF2", "--ignore", "WF2"]),
        ("select = ['WF1', 'WF2']\nignore = ['WF2']", &["--ignore", "binding"]),
    ] {
        let folder = all();
        folder.write("wflint.toml", config);
        for command in [&["."][..], &["--show-settings"], &["--format", "json", "."]] {
            let output = folder.run(&[args, command].concat()).expect_code(2);
            assert_eq!(output.out(), "", "{args:?}");
            assert!(output.err().contains("no rule"), "{config} {args:?}: {}", output.err());
        }
    }
    let folder = all();
    folder.write("wflint.toml", "ignore = ['WF1', 'WF4']");
    assert_eq!(codes(&folder, &["--select", "WF4"]), ["WF414"]);
}

#[test]
fn broken_document_is_reported_by_options_that_leave_no_rule() {
    let almost = r#"{ "Activities": [], "variables": [] }"#;
    let folder = Folder::with(&[("broken.json", BROKEN), ("e.json", ERROR)]);
    // Infos about other files do not make up for the rules.
    let other = Folder::with(&[("almost.json", almost), ("e.json", ERROR)]);
    for args in [&["--ignore", "ALL"][..], &["--select", "WF1", "--ignore", "WF1"]] {
        assert_eq!(codes(&folder, args), ["WF001"]);
        folder.run(args).expect_code(1);
        folder.run(&[args, &["e.json"]].concat()).expect_code(2);
        other.run(args).expect_code(2);
    }
}

#[test]
fn unselected_findings_do_not_fail_the_run() {
    all().run(&["--select", "WF6"]).expect_code(0);
    all().run(&["--ignore", "WF101,WF414"]).expect_code(0);
}

#[test]
fn fail_on_sets_the_lowest_severity_that_fails() {
    for (text, codes) in [(FINE, [0, 0, 0, 0]), (INFO, [0, 0, 1, 0]), (WARNING, [0, 1, 1, 0]), (ERROR, [1, 1, 1, 0])] {
        let folder = Folder::with(&[("a.json", text)]);
        for (word, code) in ["error", "warning", "info", "never"].into_iter().zip(codes) {
            folder.run(&["--fail-on", word]).expect_code(code);
        }
    }
}

#[test]
fn severity_below_fail_on_is_still_reported() {
    assert_eq!(codes(&all(), &["--fail-on", "never"]), ["WF101", "WF007", "WF414"]);
}

#[test]
fn fail_on_never_still_exits_with_2_on_errors() {
    all().run(&["--exit-zero"]).expect_code(0);
    all().run(&["--exit-zero", "--fail-on", "error"]).expect_code(2);
    all().run(&["--exit-zero", "missing.json"]).expect_code(2);
    all().run(&["--fail-on", "never", "missing.json"]).expect_code(2);
}
