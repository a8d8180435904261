//! Scenarios that cannot be run, and options that do not fit.

use insta::assert_snapshot;

use crate::support::folder::{Folder, copy_of};
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
