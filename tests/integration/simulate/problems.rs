//! Scenarios that cannot be run, and options that do not fit.

use insta::assert_snapshot;

use crate::support::folder::{Folder, copy_of};
use crate::support::run::SIMULATION_FORMATS;
use crate::support::samples::FINE;
use crate::support::snapshot::settings;

#[test]
fn invalid_scenarios_are_reported_and_the_others_run() {
    let folder = copy_of("examples");
    folder.write("sign-upload/a.scenario.yaml", "name: x\nworkflow: order.workflow.json\nsubmitt: {}\n");
    folder.write("sign-upload/b.scenario.yaml", "workflow: other.workflow.json\n");
    folder.write("sign-upload/c.scenario.yaml", "workflow: order.form.json\n");
    folder.write("sign-upload/d.scenario.yaml", "workflow: order.workflow.json\nsubmit: { Nme: x }\n");
    folder.write("sign-upload/e.scenario.yaml", "workflow: order.workflow.json\ndirectory: broken.ldif\n");
    folder.write("sign-upload/f.scenario.json", "{ \"workflow\": \"order.workflow.json\" ");
    folder.write("sign-upload/g.scenario.toml", "workflow = 5\n");
    folder.write("sign-upload/broken.ldif", "dn: CN=A\nchangetype: delete\n");
    let output = folder.run(&["--simulate", "sign-upload"]).expect_code(2);
    assert!(output.out().ends_with("5 scenarios passed.\n"), "{}", output.out());
    settings().bind(|| assert_snapshot!("simulate_problems", output.err()));
    let junit = folder.run(&["--simulate", "sign-upload", "--format", "junit"]).expect_code(2);
    assert_eq!(junit.out().matches("<error").count(), 7, "{}", junit.out());
}

#[test]
fn scenario_of_a_document_with_a_duplicate_key_is_an_error() {
    let twice = r#"{
      "activities": [{ "type": "Terminate", "name": "End" }],
      "variables": [{ "name": "Pin", "shouldHide": true }],
      "activities": []
    }"#;
    let form = r#"{ "fields": [], "variables": [], "fields": [] }"#;
    let folder = Folder::with(&[("twice.json", twice), ("form.json", form), ("fine.json", FINE)]);
    folder.write("a.scenario.yaml", "workflow: twice.json\nvariables: { Pin: Sekret99x }\n");
    folder.write("b.scenario.yaml", "workflow: fine.json\nform: form.json\n");
    folder.write("c.scenario.yaml", "workflow: fine.json\n");
    for args in [&[][..], &["--mutants"]] {
        let output = folder.run(&[&["--simulate"], args].concat()).expect_code(2);
        assert!(output.out().contains("1 scenario passed."), "{}", output.out());
        for wanted in [
            "duplicate key `activities` at line 4, column 7 of twice.json",
            "[a.scenario.yaml:1:11]",
            "duplicate key `fields` at line 1, column 34 of form.json",
            "[b.scenario.yaml:2:7]",
            "help: remove one of the two",
        ] {
            assert!(output.err().contains(wanted), "{wanted}: {}", output.err());
        }
        assert!(!output.err().contains("Sekret99x"), "{}", output.err());
    }
    folder.run(&["--simulate", "c.scenario.yaml"]).expect_code(0);
    for name in ["a", "b"] {
        std::fs::remove_file(folder.file(format!("{name}.scenario.yaml"))).unwrap();
    }
    let covered = folder.run(&["--simulate", "--fail-under", "1"]).expect_code(2);
    let warning = "a workflow may be missing in the coverage: duplicate key `activities`";
    assert!(covered.err().contains(warning), "{}", covered.err());
}

/// A workflow with masked and other variables, and a form whose field `Code` sets a masked one.
fn masking() -> Folder {
    let workflow = r#"{
      "activities": [],
      "variables": [
        { "name": "A", "value": "Initial99", "hideAll": true }, { "name": "B", "id": 2 }, { "name": "Pin", "shouldHide": true }
      ]
    }"#;
    let form = r#"{ "fields": [{ "name": "Code", "type": "InputText", "isBound": true, "boundTo": "Pin" }], "variables": [] }"#;
    Folder::with(&[("order.workflow.json", workflow), ("order.form.json", form)])
}

#[test]
fn errors_of_scenarios_hide_masked_values() {
    let start = "workflow: order.workflow.json\n";
    for (name, text) in [
        // Only the documents show these errors.
        ("s.scenario.yaml", format!("{start}variables:\n  A: Sekret99x\n  Zed: y\n")),
        ("s.scenario.yaml", format!("{start}form: order.form.json\nsubmit:\n  Code: Sekret99x\n  Zed: y\n")),
        ("s.scenario.yaml", format!("{start}variables: {{ A: Sekret99x, B: Sekret99x, Zed: y }}\n")),
        ("s.scenario.yaml", format!("{start}variables: {{ B: Initial99, Zed: y }}\n")),
        ("s.scenario.yaml", format!("{start}expect:\n  variables: {{ A: Sekret99x, Zed: y }}\n")),
        (
            "s.scenario.json",
            "{\"workflow\": \"order.workflow.json\",\n\"variables\": {\"A\": \"Sekret99x\",\n\"Zed\": 1}}".to_owned(),
        ),
        ("s.scenario.toml", "workflow = 'order.workflow.json'\n[variables]\nA = 'Sekret99x'\nZed = 1\n".to_owned()),
        // The scenario itself does, so that it has no documents.
        ("s.scenario.yaml", format!("{start}variables:\n  A: Sekret99x\nstart: Sekret99x\n")),
        ("s.scenario.yaml", format!("{start}variables: {{ A: [Sekret99x] }}\n")),
        // Neither has one that cannot be parsed.
        ("s.scenario.yaml", format!("{start}variables:\n  A: Sekret99x\n  B: [\n")),
        (
            "s.scenario.json",
            "{\"workflow\": \"order.workflow.json\",\n\"variables\": {\"A\": \"Sekret99x\", }}".to_owned(),
        ),
        ("s.scenario.toml", "workflow = 'order.workflow.json'\n[variables]\nA = 'Sekret99x'\nB = \n".to_owned()),
    ] {
        let folder = masking();
        folder.write(name, &text);
        for paths in [".", name] {
            for format in SIMULATION_FORMATS {
                let output = folder.run(&["--simulate", "--format", format, paths]).expect_code(2);
                let shown = output.out().to_owned() + output.err();
                assert!(!shown.contains("Sekret99x") && !shown.contains("Initial99"), "{text}{shown}");
                assert!(shown.contains(name), "{text}{shown}");
            }
        }
    }
    let folder = masking();
    folder.write("s.scenario.yaml", format!("{start}variables:\n  A: Sekret99x\n  Zed: y\n"));
    let shown = folder.run(&["--simulate"]).expect_code(2);
    assert!(shown.err().contains(" 3 │   A: •••\n 4 │   Zed: y\n"), "{}", shown.err());
}

#[test]
fn errors_of_scenarios_hide_masked_values_that_are_written_with_escapes() {
    for (name, text, written) in [
        ("s.scenario.json", r#""variables": { "A": "ab\"cd", "B": "x ab\u0022cd" }"#, r"ab\u0022cd"),
        ("s.scenario.json", r#""variables": { "A": "ab\"cd" }, "approvals": { "ab\"cd": {} }"#, r#"ab\"cd"#),
        ("s.scenario.yaml", r#""variables": { "A": it's, "B": 'it''s' }"#, "it''s"),
    ] {
        let folder = masking();
        folder.write(name, format!("{{ {text}, \"workflow\": \"order.workflow.json\", \"Zed\": 1 }}"));
        let output = folder.run(&["--simulate"]).expect_code(2);
        assert!(output.err().contains("Zed") && output.err().contains("•••"), "{}", output.err());
        assert!(!output.err().contains(written), "{}", output.err());
    }
}

#[test]
fn run_without_scenarios_is_an_error() {
    let folder = Folder::with(&[("notes.yaml", "a: b"), ("order.workflow.json", "{\"activities\": []}")]);
    let output = folder.run(&["--simulate"]).expect_code(2);
    assert_eq!(
        output.err(),
        "wflint: no scenario found, expected a file named `*.scenario.yaml`, `.yml`, `.json` or `.toml`\n"
    );
    folder.run(&["--simulate", "gone.scenario.yaml"]).expect_code(2);
    folder.run(&["--simulate", "-"]).expect_code(2);
}

#[test]
fn options_of_the_linter_are_rejected() {
    let folder = copy_of("examples");
    for option in ["--format=sarif", "--select=WF1", "--fail-on=never", "--statistics"] {
        let output = folder.run(&["--simulate", option]).expect_code(2);
        assert!(output.out().is_empty() && !output.err().is_empty(), "{option}");
    }
}

#[test]
fn report_is_written_to_a_file() {
    let folder = copy_of("examples");
    let output = folder.run(&["--simulate", "approval", "--output", "report.json", "--format", "json"]).expect_code(0);
    assert_eq!(output.out(), "6 scenarios passed.\n");
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["summary"]["scenarios"], 6);
}
