//! Fixes of WF000: `--fix` removes entries of `wflint.toml` and of baselines that match nothing.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FINE, WARNING};

const UNSAFE: [&str; 2] = ["--fix", "--unsafe-fixes"];

fn suppress(rule: &str, more: &str) -> String {
    format!("[[suppress]]\nrule = '{rule}'\nfile = 'a.json'\nreason = 'as agreed'\n{more}\n")
}

/// Three entries, of which the second matches.
fn config() -> String {
    let (first, second) = (suppress("WF110", "pointer = ''"), suppress("WF101", "pointer = ''"));
    let third = suppress("WF414", "activity = 'Gone'");
    format!("# Ours.\nselect = ['ALL']\n\n# Old.\n{first}\n# Of the portal.\n{second}\n{third}")
}

#[test]
fn unused_entries_of_a_configuration_are_removed_with_their_comments() {
    for line_end in ["\n", "\r\n"] {
        let written = |text: &str| text.replace('\n', line_end);
        let folder = Folder::with(&[("a.json", ERROR), ("wflint.toml", &written(&config()))]);
        let before = folder.run(&["--format", "json"]).expect_code(1).json();
        let titles: Vec<&Value> =
            before["diagnostics"].as_array().unwrap().iter().map(|found| &found["fix"]["title"]).collect();
        assert_eq!(titles, ["remove the suppression"; 2], "{before}");
        folder.run(&["--fix"]);
        assert_eq!(folder.read("wflint.toml"), written(&config()), "it is unsafe");
        let output = folder.run(&UNSAFE).expect_code(0);
        assert!(output.err().is_empty() && output.out().contains("Fixed 2 problems in 1 file."), "{}", output.out());
        let second = suppress("WF101", "pointer = ''");
        let wanted = format!("# Ours.\nselect = ['ALL']\n\n# Of the portal.\n{second}");
        assert_eq!(folder.read("wflint.toml"), written(&wanted));
        folder.run(&UNSAFE).expect_code(0);
        assert_eq!(folder.read("wflint.toml"), written(&wanted));
    }
}

#[test]
fn diff_shows_what_would_be_removed() {
    let folder =
        Folder::with(&[("a.json", FINE), ("wflint.toml", "[per-file-ignores]\n'a.json' = ['WF110', 'WF414']\n")]);
    let output = folder.run(&["--diff", "--unsafe-fixes"]).expect_code(1);
    let wanted =
        "--- wflint.toml\n+++ wflint.toml\n@@ -1,2 +0,0 @@\n-[per-file-ignores]\n-'a.json' = ['WF110', 'WF414']\n";
    assert_eq!(output.out(), wanted);
    assert!(output.err().contains("Would fix 2 problems in 1 file."), "{}", output.err());
    folder.run(&["--diff"]).expect_code(0);
    folder.run(&UNSAFE).expect_code(0);
    assert_eq!(folder.read("wflint.toml"), "");
}

#[test]
fn reports_have_the_edits() {
    let folder = Folder::with(&[("a.json", FINE), ("wflint.toml", "ignore = ['!WF110', 'WF905']\n")]);
    let edits = folder.run(&["--format", "json"]).json()["diagnostics"][0]["fix"]["edits"].clone();
    assert_eq!((&edits[0]["range"]["start"]["column"], &edits[0]["range"]["end"]["column"]), (&11.into(), &21.into()));
    let sarif = folder.run(&["--format", "sarif"]).json();
    let change = &sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "wflint.toml", "{sarif}");
    assert_eq!(change["replacements"][0]["deletedRegion"]["endColumn"], 21);
    folder.run(&UNSAFE).expect_code(0);
    assert_eq!(folder.read("wflint.toml"), "ignore = ['WF905']\n");
}

#[test]
fn other_findings_of_the_file_are_where_they_are_after_the_fix() {
    let expired = suppress("WF101", "pointer = ''\nuntil = 2026-01-01");
    let config = format!("{}\n{expired}", suppress("WF414", "activity = 'Gone'"));
    let folder = Folder::with(&[("a.json", ERROR), ("wflint.toml", &config)]);
    let output = folder.run(&["--fix", "--unsafe-fixes", "--format", "concise"]).expect_code(1);
    assert_eq!(folder.read("wflint.toml"), expired);
    assert!(output.out().contains("\nwflint.toml:6:9: WF000 warning "), "{}", output.out());
}

#[test]
fn file_that_others_extend_is_not_changed() {
    let shared = suppress("WF414", "activity = 'Gone'").replace("'a.json'", "'service/a.json'");
    let folder = Folder::with(&[
        ("service/a.json", FINE),
        ("service/wflint.toml", "extend = '../shared.toml'\n"),
        ("shared.toml", &shared),
    ]);
    let report = folder.run(&["--format", "json", "service"]).json();
    assert_eq!((&report["diagnostics"][0]["code"], &report["diagnostics"][0]["fix"]), (&"WF000".into(), &Value::Null));
    folder.run(&["--fix", "--unsafe-fixes", "service"]);
    assert_eq!(folder.read("shared.toml"), shared);
}

#[test]
fn suppressions_are_added_to_what_the_fix_leaves() {
    let folder = Folder::with(&[("a.json", WARNING), ("wflint.toml", &suppress("WF414", "activity = 'Gone'"))]);
    folder.run(&["--fix", "--unsafe-fixes", "--add-suppressions", "as agreed"]).expect_code(0);
    let config = folder.read("wflint.toml");
    assert!(config.starts_with("[[suppress]]") && config.contains("\"Say\"") && !config.contains("Gone"), "{config}");
    folder.run(&["."]).expect_code(0);
}

/// A workflow of Status activities without a text, with these names.
fn silent(names: &[&str]) -> String {
    let activity = |name: &&str| format!("{{ \"name\": \"{name}\", \"type\": \"Status\" }}");
    let activities: Vec<String> = names.iter().map(activity).collect();
    format!("{{ \"activities\": [{}], \"variables\": [] }}\n", activities.join(", "))
}

#[test]
fn stale_entries_of_a_baseline_are_removed() {
    for (line_end, mark) in [("\n", ""), ("\r\n", "\u{feff}")] {
        let folder = Folder::with(&[("a.json", &silent(&["A", "B", "C"]))]);
        folder.run(&["--baseline", "known.json", "--write-baseline"]).expect_code(0);
        let known = folder.read("known.json");
        let written = |text: &str| format!("{mark}{}", text.replace('\n', line_end));
        folder.write("known.json", written(&known));
        folder.write("a.json", silent(&["B"]));
        let report = folder.run(&["--baseline", "known.json", "--format", "json"]).json();
        assert_eq!((&report["summary"]["fixable"], &report["summary"]["infos"]), (&2.into(), &2.into()), "{report}");
        let output = folder.run(&["--baseline", "known.json", "--fix"]).expect_code(0);
        assert!(output.out().contains("Fixed 2 problems in 1 file."), "{}", output.out());
        let kept: Vec<&str> =
            known.lines().filter(|line| !line.contains("[\"A\"]") && !line.contains("[\"C\"]")).collect();
        assert_eq!(folder.read("known.json"), written(&(kept.join("\n").replace(" },\n  ]", " }\n  ]") + "\n")));
        folder.run(&["--baseline", "known.json", "--strict-baseline"]).expect_code(0);
    }
}

#[test]
fn count_of_a_baseline_entry_is_lowered() {
    let bound = |names: &str| {
        let list = names.split(' ').map(|name| format!(r#"{{ "isBound": true, "boundTo": "{name}" }}"#));
        format!(
            r#"{{ "activities": [{{ "name": "W", "type": "Assign", "body": "x", "assignedVariables": [{}],
            "result": {{ "isBound": true, "boundTo": "T" }} }}],
            "variables": [{{ "name": "T", "id": 1, "variableType": "String", "isOutputParameter": true }}] }}"#,
            list.collect::<Vec<_>>().join(", ")
        )
    };
    let folder = Folder::with(&[("a.json", &bound("Nobody Noone Nothing"))]);
    folder.run(&["--baseline", "known.json", "--write-baseline"]).expect_code(0);
    let known = folder.read("known.json");
    folder.write("a.json", bound("Nobody"));
    folder.run(&["--baseline", "known.json", "--fix"]).expect_code(0);
    assert_eq!(folder.read("known.json"), known.replace("\"count\": 3", "\"count\": 1"));
}
