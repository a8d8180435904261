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
        ("strict", &["WF101", "WF007", "WF414"]),
        ("recommended", &["WF101", "WF414"]),
        ("WF4,recommended", &["WF101", "WF414"]),
        ("recommended,WF007", &["WF101", "WF007", "WF414"]),
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
        assert_eq!(codes(&all(), &["--select", "ALL", "--ignore", word]), found, "{word}");
    }
}

/// What somebody can act on. `[severity]` raises other infos into it.
#[test]
fn recommended_rules_are_the_default() {
    for (config, found) in [
        ("", &["WF101", "WF414"][..]),
        ("select = ['recommended']", &["WF101", "WF414"]),
        ("select = ['strict']", &["WF101", "WF007", "WF414"]),
        ("select = ['recommended', 'document']", &["WF101", "WF007", "WF414"]),
        ("[severity]\nWF007 = 'warning'", &["WF101", "WF007", "WF414"]),
        ("[severity]\nALL = 'info'", &["WF101", "WF414"]),
        ("select = ['ALL']\nignore = ['recommended']", &[]),
    ] {
        let folder = all();
        folder.write("wflint.toml", config);
        assert_eq!(codes(&folder, &[]), found, "{config}");
    }
    let folder = Folder::with(&[(
        "terminate.json",
        r#"{ "activities": [
        { "name": "Ask", "type": "Approval", "approvalResult": { "isBound": false, "boundTo": "" }, "activities": [],
          "assignees": [{ "type": "Parameter", "parameter": { "isBound": false, "value": "a@example.com" } }] },
        { "name": "End", "type": "Terminate" }], "variables": [] }"#,
    )]);
    assert_eq!(folder.found(&[]), ["terminate.json WF413 info"]);
    assert_eq!(folder.found(&["--select", "strict"]), ["terminate.json WF505 info", "terminate.json WF413 info"]);
    folder.write("wflint.toml", "[severity]\nWF505 = 'warning'");
    assert_eq!(folder.found(&[]), ["terminate.json WF505 warning", "terminate.json WF413 info"]);
}

/// What is not selected is not judged; what has no finding at all is, even if infos would not be reported.
#[test]
fn entries_for_infos_that_are_not_recommended_are_left_alone() {
    let folder = Folder::with(&[("i.json", INFO), ("a.json", FINE)]);
    let suppress = |file: &str| format!("[[suppress]]\nrule = 'WF007'\nfile = '{file}'\nreason = 'x'\npointer = ''\n");
    for (config, problems) in [
        (suppress("i.json"), 0),
        (suppress("a.json"), 0),
        (suppress("gone.json"), 1),
        ("[per-file-ignores]\n'i.json' = ['WF007']".to_owned(), 0),
        ("[per-file-ignores]\n'i.json' = ['WF0']".to_owned(), 0),
        ("[per-file-ignores]\n'a.json' = ['WF2']".to_owned(), 1),
        ("[per-file-ignores]\n'gone.json' = ['WF2']".to_owned(), 1),
        ("[per-file-ignores]\n'a.json' = ['WF505']".to_owned(), 0),
    ] {
        folder.write("wflint.toml", &config);
        assert_eq!(codes(&folder, &[]).len(), problems, "{config}");
    }
}

#[test]
fn selections_add_up_and_the_option_may_be_repeated() {
    assert_eq!(codes(&all(), &["--select", "WF101", "--select", "WF414"]), ["WF101", "WF414"]);
    assert_eq!(codes(&all(), &["--select", "ALL", "--ignore", "WF101", "--ignore", "WF414"]), ["WF007"]);
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
            folder.run(&["--select", "ALL", "--fail-on", word]).expect_code(code);
        }
    }
}

#[test]
fn severity_below_fail_on_is_still_reported() {
    assert_eq!(codes(&all(), &["--fail-on", "never", "--select", "ALL"]), ["WF101", "WF007", "WF414"]);
}

#[test]
fn fail_on_never_still_exits_with_2_on_errors() {
    all().run(&["--exit-zero"]).expect_code(0);
    all().run(&["--exit-zero", "--fail-on", "error"]).expect_code(2);
    all().run(&["--exit-zero", "missing.json"]).expect_code(2);
    all().run(&["--fail-on", "never", "missing.json"]).expect_code(2);
}
