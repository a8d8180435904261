//! No false green: a file that was not linted is reported, whatever is selected.

use crate::support::folder::Folder;
use crate::support::samples::{BROKEN, FINE, UNRELATED};

/// A document that is nested deeper than the limit of this configuration.
const DEEP: &str = "[limits]\nmax-depth = 1\n";

/// Fails unless a run reports exactly this finding, and fails itself.
#[track_caller]
fn assert_reported(folder: &Folder, args: &[&str], finding: &str) {
    let output = folder.run(&[&["--format", "json"], args].concat()).expect_code(1);
    assert_eq!(output.found(), [finding], "{args:?}");
}

#[test]
fn unlinted_file_is_reported_whatever_the_options_select() {
    let folder = Folder::with(&[("broken.json", BROKEN), ("other.json", UNRELATED), ("fine.json", FINE)]);
    folder.write("deep/a.json", FINE);
    folder.write("deep/wflint.toml", DEEP);
    for choice in [
        &["--select", "WF404"][..],
        &["--ignore", "ALL", "--select", "WF404"],
        &["--ignore", "WF001,WF002,WF003"],
        &["--ignore", "document"],
        &["--select", "ALL", "--ignore", "invalid-json,document-too-deep,unknown-document"],
    ] {
        assert_reported(&folder, &[choice, &["broken.json"]].concat(), "broken.json WF001 error");
        assert_reported(&folder, &[choice, &["deep"]].concat(), "deep/a.json WF002 error");
        assert_reported(&folder, &[choice, &["other.json"]].concat(), "other.json WF003 error");
    }
}

#[test]
fn diff_of_an_unlinted_file_fails() {
    let folder = Folder::with(&[("broken.json", BROKEN), ("fine.json", FINE), ("other.json", UNRELATED)]);
    for (paths, reason) in [(".", "broken.json:1:18: "), ("broken.json", "(WF001)"), ("other.json", "(WF003)")] {
        let output = folder.run(&["--diff", paths]).expect_code(1);
        assert_eq!(output.out(), "");
        assert!(output.err().contains(reason), "{}", output.err());
        folder.run(&["--diff", "--exit-zero", paths]).expect_code(0);
    }
    folder.run(&["--diff", "fine.json"]).expect_code(0);
    let folder = Folder::with(&[("fine.json", FINE), ("a.workflow.json", &format!("{{\"data\": {FINE}}}"))]);
    for options in [&[][..], &["--show", "error"]] {
        let output = folder.run(&[&["--diff"], options].concat()).expect_code(1);
        assert!(output.err().contains("(WF003)"), "{}", output.err());
    }
    folder.run(&["--diff", "--fail-on", "error"]).expect_code(0);
}

#[test]
fn file_that_is_named_as_a_document_is_one_for_every_command() {
    let wrapped = format!("{{\"data\": {FINE}}}");
    let scenario = ("a.scenario.yaml", "workflow: s/order.json\n");
    let service = ("wflint.toml", "[[service]]\nname = 'orders'\nworkflow = 's/order.json'\n");
    for named in [scenario, service] {
        let folder = Folder::with(&[("fine.json", FINE), ("s/order.json", &wrapped), named]);
        let old = Folder::with(&[("fine.json", FINE), ("s/order.json", FINE)]);
        folder.run(&["fmt", "fine.json"]).expect_code(0);
        let old = old.path().display().to_string();
        for args in [&["explore", "."][..], &["graph", "."], &["fmt", "--check", "."], &["diff", &old, "."]] {
            let output = folder.run(args).expect_code(2);
            assert!(output.err().contains("s/order.json"), "{args:?} {named:?}: {}", output.err());
        }
    }
}

#[test]
fn hook_reports_an_emptied_document_that_a_file_beside_it_names() {
    let scenario = ("a.scenario.yaml", "workflow: order.json\n");
    let service = ("wflint.toml", "[[service]]\nname = 'orders'\nworkflow = 'order.json'\n");
    for (named, text) in [scenario, service].into_iter().flat_map(|named| [(named, ""), (named, "{}")]) {
        let folder = Folder::with(&[("order.json", text), named]);
        folder.run(&["check", "--skip-unrelated", "--force-exclude", "order.json"]).expect_code(1);
        folder.run(&["fmt", "--check", "--skip-unrelated", "order.json"]).expect_code(2);
        let folder = Folder::with(&[("order.json", text)]);
        folder.run(&["check", "--skip-unrelated", "--force-exclude", "order.json"]).expect_code(0);
    }
}

#[test]
fn file_over_the_size_limit_is_reported_if_what_the_limit_lets_in_has_its_key() {
    let limit = "[limits]\nmax-file-mib = 1\n";
    let (within, beyond) = (" ".repeat((1 << 20) - 40), " ".repeat(3 << 20));
    for (text, found) in [
        (format!("{{\"variables\": [],{within}\"activities\": []{beyond}}}"), "a.json WF002 error"),
        (format!("{{\"variables\": [],{within}\"activity\": []{beyond}}}"), ""),
    ] {
        let folder = Folder::with(&[("wflint.toml", limit), ("fine.json", FINE), ("a.json", &text)]);
        assert_eq!(folder.found(&["."]).concat(), found);
    }
}

#[test]
fn unlinted_file_is_reported_whatever_the_configuration_selects() {
    for config in [
        "select = ['WF404']",
        "select = ['WF404']\nignore = ['WF0']",
        "ignore = ['invalid-json']",
        "[severity]\nWF001 = 'info'",
        "[severity]\nALL = 'info'",
        "[per-file-ignores]\n'*' = ['document']",
    ] {
        let folder = Folder::with(&[("wflint.toml", config), ("a.json", BROKEN)]);
        assert_reported(&folder, &["a.json"], "a.json WF001 error");
        assert_reported(&folder, &["--select", "WF4", "."], "a.json WF001 error");
    }
}

#[test]
fn ignore_of_a_rule_that_is_always_reported_has_no_effect() {
    let folder = Folder::with(&[("wflint.toml", "[per-file-ignores]\n'a.json' = ['WF001']"), ("a.json", BROKEN)]);
    assert_eq!(folder.found(&["."]), ["a.json WF001 error", "wflint.toml WF000 warning"]);
}

#[test]
fn only_suppressions_and_exclusions_silence_an_unlinted_file() {
    let suppression =
        "[[suppress]]\nrule = 'WF001'\nfile = 'a.json'\npointer = ''\nreason = 'a sample of a torn file'\n";
    let folder = Folder::with(&[("wflint.toml", suppression), ("a.json", BROKEN), ("b.json", FINE)]);
    folder.run(&["."]).expect_code(0);
    let folder = Folder::with(&[("wflint.toml", "exclude = ['a.json']"), ("a.json", BROKEN), ("b.json", FINE)]);
    folder.run(&["."]).expect_code(0);
}

#[test]
fn baseline_neither_takes_nor_hides_an_unlinted_file() {
    let folder = Folder::with(&[("a.json", BROKEN), ("b.json", FINE)]);
    let write = ["--baseline", "known.json", "--write-baseline"];
    assert_reported(&folder, &write, "a.json WF001 error");
    assert_eq!(folder.read("known.json"), "{\n  \"version\": 1,\n  \"findings\": []\n}\n");
    // As an earlier version wrote it.
    let entry = r#"{ "rule": "WF001", "file": "a.json", "around": [], "member": "", "count": 1 }"#;
    folder.write("known.json", format!("{{\"version\": 1, \"findings\": [{entry}]}}"));
    let output = folder.run(&["--baseline", "known.json", "--format", "concise"]).expect_code(1);
    assert!(output.out().contains("a.json:1:18: WF001 error "), "{}", output.out());
    assert!(output.out().contains("WF001 in `a.json` is always reported"), "{}", output.out());
}

/// A text in UTF-16 or UTF-32, as `iconv` names them, without a byte-order mark.
fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    match encoding {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "UTF-32LE" => text.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect(),
        _ => text.chars().flat_map(|character| u32::from(character).to_be_bytes()).collect(),
    }
}

#[test]
fn document_in_utf16_or_utf32_is_reported_with_the_command_that_converts_it() {
    let documents = [
        r#"{ "activities": [{ "name": "ä", "type": "Terminate" }], "variables": [] }"#,
        r#"{ "fields": [], "variables": [] }"#,
        "\r\n{ \"Parties\": [",
    ];
    for (encoding, power_shell) in [
        ("UTF-16LE", "unicode"),
        ("UTF-16BE", "bigendianunicode"),
        ("UTF-32LE", "utf32"),
        ("UTF-32BE", "bigendianutf32"),
    ] {
        for (text, mark) in documents.into_iter().flat_map(|text| [(text, ""), (text, "\u{feff}")]) {
            let folder = Folder::with(&[("fine.json", FINE)]);
            folder.write("a.json", encoded(&format!("{mark}{text}"), encoding));
            let output = folder.run(&["--format", "json", "."]).expect_code(1);
            assert_eq!(output.found(), ["a.json WF001 error"], "{encoding} {mark:?}");
            let finding = output.json()["diagnostics"][0].clone();
            assert_eq!(finding["message"], format!("invalid encoding: expected UTF-8, found {encoding}"));
            let help = finding["help"].as_str().unwrap();
            assert!(help.contains(&format!("iconv -f {encoding} -t UTF-8")), "{help}");
            assert!(help.contains(&format!("Get-Content -Encoding {power_shell} ")), "{help}");
            assert_eq!(finding["range"]["start"]["offset"], 0);
            let hook = folder.run(&["--skip-unrelated", "--format", "concise", "a.json"]).expect_code(1);
            assert!(hook.out().starts_with("a.json:1:1: WF001 error "), "{}", hook.out());
        }
    }
}

#[test]
fn other_files_in_utf16_are_skipped_unless_named() {
    let folder = Folder::with(&[("fine.json", FINE)]);
    folder.write("other.json", encoded(UNRELATED, "UTF-16LE"));
    assert_eq!(folder.run(&["--format", "json", "."]).expect_code(0).json()["summary"]["skipped"], 1);
    folder.run(&["--skip-unrelated", "other.json"]).expect_code(0);
    assert_reported(&folder, &["other.json"], "other.json WF001 error");
}

#[test]
fn almost_document_in_a_folder_is_a_warning_and_counted_as_skipped() {
    let inner = r#"{ "activities": [{ "name": "Stop", "type": "Terminate" }] }"#;
    for (text, words) in [
        (r#"{ "Activities": [], "Variables": [] }"#.to_owned(), "expected the key `activities`, found `Activities`"),
        (r#"{ "FIELDS": [{ "Type": "InputText" }] }"#.to_owned(), "expected the key `fields`, found `FIELDS`"),
        (format!("{{ \"data\": {{ \"workflow\": {inner} }} }}"), "inside a wrapper, at `/data/workflow`"),
        (format!("[{inner}]"), "inside a wrapper, at `/0`"),
    ] {
        let folder = Folder::with(&[("fine.json", FINE), ("a.json", &text)]);
        let output = folder.run(&["--format", "json", "--select", "WF404", "."]).expect_code(1);
        assert_eq!(output.found(), ["a.json WF003 warning"], "{text}");
        let report = output.json();
        assert!(report["diagnostics"][0]["message"].as_str().unwrap().contains(words), "{report}");
        assert_eq!((&report["summary"]["files"], &report["summary"]["skipped"]), (&1.into(), &1.into()));
        assert_reported(&folder, &["a.json"], "a.json WF003 error");
        // Alone it is nothing to lint.
        std::fs::remove_file(folder.file("fine.json")).unwrap();
        let output = folder.run(&["--format", "concise", "."]).expect_code(2);
        assert!(output.out().contains("WF003 warning") && output.err().contains("nothing to lint"), "{text}");
    }
}

#[test]
fn other_json_with_such_keys_is_skipped_without_a_finding() {
    for text in [
        r#"{ "Fields": ["id"], "data": { "activities": [{ "title": "Swimming" }] } }"#,
        r#"{ "Parties": [{ "Title": "The Greens" }] }"#,
        r#"{ "properties": { "activities": { "type": "array" } } }"#,
    ] {
        let folder = Folder::with(&[("fine.json", FINE), ("a.json", text)]);
        assert_eq!(folder.found(&["."]), [""; 0], "{text}");
    }
}

#[test]
fn scenario_given_to_lint_and_document_given_to_simulate_name_the_option_that_was_meant() {
    let scenario = "workflow: order.workflow.json\nexpect: { outcome: completed }\n";
    let folder = Folder::with(&[("order.workflow.json", FINE), ("t.Scenario.yaml", scenario)]);
    let output = folder.run(&["order.workflow.json", "t.Scenario.yaml"]).expect_code(2);
    assert_eq!(output.out(), "");
    assert!(output.err().contains("t.Scenario.yaml is a scenario, not a document"), "{}", output.err());
    assert!(output.err().contains("`wflint --simulate t.Scenario.yaml`"), "{}", output.err());
    folder.run(&["--skip-unrelated", "order.workflow.json", "t.Scenario.yaml"]).expect_code(0);
    for paths in [&["order.workflow.json"][..], &["order.workflow.json", "t.Scenario.yaml"]] {
        let output = folder.run(&[&["--simulate"], paths].concat()).expect_code(2);
        let reason = "order.workflow.json is a workflow, not a scenario: `wflint order.workflow.json` lints it, \
                      `wflint simulate t.Scenario.yaml` runs it";
        assert!(output.err().contains(reason), "{}", output.err());
    }
    let output = folder.run(&["--simulate", "."]).expect_code(0);
    assert!(output.out().contains("1 scenario passed"), "whatever the case of its ending: {}", output.out());
}
