//! The settings of `wflint.toml`: rules, files, types and limits.

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FINE, INFO, WARNING};

/// A workflow with one activity and no variables.
fn workflow(activity: &str) -> String {
    format!("{{ \"activities\": [{activity}], \"variables\": [] }}\n")
}

/// The findings in one workflow with a configuration, without the name of the file.
fn found(config: &str, text: &str) -> Vec<String> {
    let folder = Folder::with(&[("wflint.toml", config), ("a.json", text)]);
    let found = folder.found(&["."]);
    found.iter().map(|line| line.strip_prefix("a.json ").unwrap().to_owned()).collect()
}

#[test]
fn select_and_ignore_choose_rules_and_ignore_wins() {
    let files = [("e.json", ERROR), ("i.json", INFO), ("w.json", WARNING)];
    let found = |config: &str, args: &[&str]| {
        let folder = Folder::with(&files);
        folder.write("wflint.toml", config);
        folder.found(args).iter().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("select = ['WF1', 'flow']", &[]), ["WF101", "WF414"]);
    assert_eq!(found("select = ['ALL']\nignore = ['WF1']", &[]), ["WF007", "WF414"]);
    assert_eq!(found("ignore = ['unknown-variable', 'WF0']", &[]), ["WF414"]);
    // The options come after the configuration.
    assert_eq!(found("ignore = ['WF1']", &["--select", "WF101"]), ["WF101"]);
    assert_eq!(found("select = ['WF1']", &["--select", "WF4"]), ["WF414"]);
    assert_eq!(found("select = ['WF1', 'WF4']", &["--ignore", "WF1"]), ["WF414"]);
}

#[test]
fn fail_on_applies_to_the_files_below_and_the_option_wins() {
    let folder = Folder::with(&[("wflint.toml", "fail-on = 'error'"), ("a.json", WARNING)]);
    folder.run(&["."]).expect_code(0);
    folder.run(&["--fail-on", "warning"]).expect_code(1);
    let folder = Folder::with(&[
        ("strict/wflint.toml", "fail-on = 'info'"),
        ("strict/a.json", FINE),
        ("lax/wflint.toml", "fail-on = 'never'"),
        ("lax/a.json", ERROR),
    ]);
    folder.run(&["--select", "ALL"]).expect_code(0);
    folder.write("strict/a.json", INFO);
    folder.run(&["--select", "ALL"]).expect_code(1);
}

#[test]
fn of_two_severities_of_a_rule_that_of_fewer_rules_counts() {
    for exact in ["WF414", "empty-status"] {
        for general in ["WF4", "flow", "ALL"] {
            let config = format!("[severity]\n{general} = 'info'\n{exact} = 'error'\n");
            let folder = Folder::with(&[("wflint.toml", &config), ("a.json", WARNING)]);
            assert_eq!(folder.found(&[]), ["a.json WF414 error"], "{config}");
        }
    }
}

#[test]
fn a_severity_is_changed_by_code_and_by_name_and_counts_for_the_exit_code() {
    let folder = Folder::with(&[("wflint.toml", "[severity]\nWF101 = 'info'\nempty-status = 'error'\n")]);
    folder.write("a.json", ERROR);
    folder.run(&["."]).expect_code(0);
    folder.write("b.json", WARNING);
    assert_eq!(folder.found(&["."]), ["a.json WF101 info", "b.json WF414 error"]);
    folder.run(&["--fail-on", "error"]).expect_code(1);
}

#[test]
fn excluded_files_are_linted_only_when_named() {
    let config = "exclude = ['archive/**', 'old-*.json', '**/scratch', 'trash/']";
    let folder = Folder::with(&[
        ("wflint.toml", config),
        ("a.json", FINE),
        ("archive/a.json", ERROR),
        ("archive/deep/a.json", ERROR),
        ("old-a.json", ERROR),
        ("sub/scratch/a.json", ERROR),
        ("sub/old-a.json", ERROR),
        ("trash/deep/a.json", ERROR),
    ]);
    assert_eq!(folder.found(&["."]), ["sub/old-a.json WF101 error"], "a pattern is relative to its configuration");
    assert_eq!(folder.found(&["archive/a.json"]), ["archive/a.json WF101 error"]);
    assert_eq!(folder.found(&["--isolated", "old-a.json", "archive"]).len(), 3);
}

#[test]
fn walk_of_an_excluded_folder_finds_nothing_to_lint() {
    let folder = Folder::with(&[("wflint.toml", "exclude = ['archive/**']"), ("archive/a.json", ERROR)]);
    folder.run(&["archive"]).expect_code(2);
}

#[test]
fn per_file_ignores_apply_to_the_files_of_their_pattern() {
    let folder = Folder::with(&[
        ("wflint.toml", "[per-file-ignores]\n'legacy/**' = ['WF1', 'empty-status']\n'*.json' = ['WF007']\n"),
        ("legacy/deep/e.json", ERROR),
        ("legacy/w.json", WARNING),
        ("legacy/i.json", INFO),
        ("e.json", ERROR),
        ("i.json", INFO),
    ]);
    let all = ["--select", "ALL", "."];
    assert_eq!(folder.found(&all), ["e.json WF101 error", "legacy/i.json WF007 info"]);
}

#[test]
fn per_file_ignores_are_relative_to_their_configuration() {
    let folder =
        Folder::with(&[("wflint.toml", "[per-file-ignores]\n'legacy/**' = ['WF1']\n"), ("legacy/sub/e.json", ERROR)]);
    let inside = crate::support::run::run_cli(&["e.json"], &folder.file("legacy/sub"), b"");
    inside.expect_code(0);
}

#[test]
fn per_file_ignores_that_name_a_folder_apply_to_everything_in_it() {
    let folder = Folder::with(&[("team/sub/e.json", ERROR), ("e.json", ERROR)]);
    for (pattern, ignores) in [
        ("team", true),
        ("team/", true),
        ("./team/sub", true),
        ("**/sub", true),
        ("tea", false),
        ("tea*", false),
        ("team/*", false),
    ] {
        folder.write("wflint.toml", format!("[per-file-ignores]\n'{pattern}' = ['WF101']\n"));
        let mut expected = vec!["e.json WF101 error"];
        if !ignores {
            expected.extend(["team/sub/e.json WF101 error", "wflint.toml WF000 warning"]);
        }
        assert_eq!(folder.found(&["."]), expected, "{pattern}");
    }
    for pattern in [".", "", "./"] {
        folder.write("wflint.toml", format!("[per-file-ignores]\n'{pattern}' = ['WF101']\n"));
        assert_eq!(folder.found(&["."]), [""; 0], "{pattern}");
    }
    // As for files: a folder without any, and a rule without findings there.
    std::fs::create_dir(folder.file("none")).unwrap();
    folder.write("wflint.toml", "[per-file-ignores]\n'none' = ['WF101']\n'team' = ['WF101', 'WF414']\n");
    assert_eq!(folder.found(&["."]), ["e.json WF101 error", "wflint.toml WF000 warning", "wflint.toml WF000 warning"]);
    assert_eq!(folder.found(&["e.json"]), ["e.json WF101 error"], "other runs may find something there");
}

#[test]
fn declared_activity_types_are_accepted() {
    let text = workflow(r#"{ "name": "Mail", "type": "SendEmail" }"#);
    assert_eq!(found("", &text), ["WF006 info"]);
    assert_eq!(found("[types]\nactivities = { SendEmail = 'leaf' }", &text), [""; 0]);
    let text = workflow(r#"{ "name": "Both", "type": "Parallel", "activities": [{ "name": "A", "type": "Status" }] }"#);
    assert_eq!(found("[types]\nactivities = { Parallel = 'container' }", &text), ["WF414 warning"]);
}

#[test]
fn declared_field_types_are_accepted() {
    let text = r#"{
      "fields": [
        { "name": "A", "displayName": { "en-US": "A" }, "type": "TextArea", "isBound": true, "boundTo": "A" }
      ],
      "variables": [{ "name": "A", "id": 1, "variableType": "File" }]
    }"#;
    let found = found("[types]\nfields = ['TextArea']", text);
    assert!(!found.iter().any(|line| line.starts_with("WF603") || line.starts_with("WF620")), "{found:?}");
}

#[test]
fn system_variables_need_no_declaration() {
    let text = workflow(r#"{ "name": "Say", "type": "Status", "status": { "isBound": true, "boundTo": "OrderId" } }"#);
    assert_eq!(found("", &text), ["WF101 error"]);
    assert_eq!(found("system-variables = ['OrderId']", &text), [""; 0]);
}

const CATALOG: &str = "plugin = 'mail'\n\n[[methods]]\nname = 'New-Mailbox'\n\n\
    [[methods.parameters]]\nname = 'Owner'\ntype = 'string'\nrequired = true\n";

#[test]
fn catalogs_add_methods() {
    let text = workflow(
        r#"{ "name": "Order a mailbox", "type": "Provider", "method": "New-Mailbox", "providerParameters": [] }"#,
    );
    assert_eq!(found("select = ['ALL']", &text), ["WF202 info"]);
    for pattern in ["plugins/mail.toml", "plugins/*.toml", "**/mail.toml"] {
        let folder = Folder::with(&[("plugins/mail.toml", CATALOG), ("a.json", &text)]);
        folder.write("wflint.toml", format!("catalogs = ['{pattern}']"));
        assert_eq!(folder.found(&["."]), ["a.json WF201 error"], "{pattern}");
    }
}

#[test]
fn catalogs_change_built_in_methods() {
    let activity = r#"{ "name": "Find", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [] }"#;
    let folder = Folder::with(&[("a.json", &workflow(activity))]);
    let codes = |folder: &Folder| folder.found(&["--select", "WF201,WF202"]);
    assert_eq!(codes(&folder), [""; 0]);
    folder.write("wflint.toml", "catalogs = ['own.toml']");
    folder.write("own.toml", CATALOG.replace("New-Mailbox", "Get-ZPADUser"));
    assert_eq!(codes(&folder), ["a.json WF201 error"]);
}

#[test]
fn invalid_catalog_is_rejected_with_its_place() {
    let refused = |catalog: Option<&str>| {
        let folder = Folder::with(&[("a.json", FINE), ("wflint.toml", "catalogs = ['mail.toml']")]);
        if let Some(catalog) = catalog {
            folder.write("mail.toml", catalog);
        }
        let output = folder.run(&["."]).expect_code(2);
        assert_eq!(output.out(), "");
        output.err().to_owned()
    };
    let missing = refused(None);
    assert!(missing.contains("wflint.toml") && missing.contains("mail.toml"), "{missing}");
    let mistyped = refused(Some("plugin = 'mail'\nmethds = []\n"));
    assert!(mistyped.contains("mail.toml:2:1: ") && mistyped.contains("did you mean `methods`"), "{mistyped}");
}

#[test]
fn minimum_delay_of_a_polling_loop_is_configurable() {
    let text = r#"{
      "activities": [
        {
          "name": "While the case is open",
          "type": "While",
          "expression": {
            "type": "EqualityExpression",
            "operand": "notEqual",
            "left": { "isBound": true, "boundTo": "ESignStatus" },
            "right": { "isBound": false, "value": "Finished" }
          },
          "iterationDelaySeconds": { "isBound": false, "value": 20 },
          "activities": [
            { "name": "Order a mailbox", "type": "Provider", "method": "New-Mailbox" }
          ]
        }
      ],
      "variables": [{ "name": "ESignStatus", "id": 1, "variableType": "String", "isInputParameter": true }]
    }"#;
    let is_busy = |config: &str| found(config, text).iter().any(|line| line.starts_with("WF405"));
    assert!(is_busy(""), "20 s are less than the usual 30");
    assert!(!is_busy("[limits]\nmin-poll-seconds = 10"));
    assert!(!is_busy("[limits]\nmin-poll-seconds = 20"));
    assert!(is_busy("[limits]\nmin-poll-seconds = 20.5"));
}

#[test]
fn document_size_is_limited() {
    let mut text = FINE.to_owned();
    text.push_str(&" ".repeat(1 << 20));
    assert_eq!(found("", &text), [""; 0]);
    assert_eq!(found("[limits]\nmax-file-mib = 1", &text), ["WF002 error"]);
}

#[test]
fn document_depth_is_limited() {
    let nested = |depth: usize| {
        let value = format!("{}{}", "[".repeat(depth - 3), "]".repeat(depth - 3));
        workflow(&format!(
            r#"{{ "name": "Say", "type": "Status", "statusTranslations": {{ "en-US": "Done" }}, "boundValues": {value} }}"#
        ))
    };
    assert_eq!(found("", &nested(128)), [""; 0]);
    assert_eq!(found("", &nested(129)), ["WF002 error"]);
    assert_eq!(found("[limits]\nmax-depth = 5", &nested(5)), [""; 0]);
    assert_eq!(found("[limits]\nmax-depth = 5", &nested(6)), ["WF002 error"]);
    assert_eq!(found("[limits]\nmax-depth = 256", &nested(256)), [""; 0]);
    assert_eq!(found("[limits]\nmax-depth = 256", &nested(257)), ["WF002 error"]);
}
