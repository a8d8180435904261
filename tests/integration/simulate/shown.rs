//! The reports of a run.

use insta::assert_snapshot;
use serde_json::json;

use super::order::{approval, order, simulate};
use crate::support::folder::{Folder, copy_of};
use crate::support::run::SIMULATION_FORMATS;
use crate::support::snapshot::settings;

fn with_expectation(expectation: &str) -> Folder {
    let folder = copy_of("examples");
    let scenario = folder.read("sign-upload/signed.scenario.yaml");
    let (before, _) = scenario.split_once("expect:").unwrap();
    folder.write("sign-upload/signed.scenario.yaml", format!("{before}expect: {expectation}\n"));
    folder
}

#[test]
fn wrong_expectation_fails_and_shows_the_actual_value() {
    let expectation = "{ outcome: terminated, variables: { ESignStatus: Rejected }, statuses: [Document was rejected], \
                       elapsed: { at-most: 1h }, calls: { Get-ZPESignDocumentSignatureStatus: { at-most: 12 } }, \
                       mails: [{ to: anna@example.com, kind: rejected }], failure: nobody }";
    let folder = with_expectation(expectation);
    let shown = folder.run(&["--simulate", "sign-upload/signed.scenario.yaml"]).expect_code(1);
    settings().bind(|| assert_snapshot!("simulate_wrong_expectation", shown.out()));
    let junit = folder.run(&["--simulate", "--format", "junit", "sign-upload"]).expect_code(1);
    settings().bind(|| assert_snapshot!("simulate_junit", junit.out()));
}

#[test]
fn each_kind_of_expectation_fails_by_itself() {
    for (expectation, seen) in [
        ("{ outcome: stuck }", "completed"),
        ("{ variables: { ESignStatus: Sent } }", "Finished"),
        ("{ variables: { ZPActivityStatus: x } }", "Get-ZPESignDocumentSignatureStatus: completed"),
        ("{ statuses: [Document status - Finished] }", "Request-ZPESignDocumentSignature: completed"),
        ("{ elapsed: { at-least: 27h } }", "1d 2h"),
        ("{ calls: { Get-ZPADUser: { at-least: 1 } } }", "0"),
        ("{ mails: [{ kind: recalled }] }", "sign-request to anna@example.com"),
        ("{ failure: reset }", "no failure"),
    ] {
        let folder = with_expectation(expectation);
        let output = folder.run(&["--simulate", "--format", "json", "sign-upload/signed.scenario.yaml"]).expect_code(1);
        let report = output.json();
        let check = &report["scenarios"][0]["expectations"][0];
        assert!(check["actual"].as_str().unwrap().contains(seen), "{expectation}: {check}");
        assert_eq!((&check["passed"], &report["summary"]["failed"]), (&false.into(), &1.into()));
    }
}

#[test]
fn json_report_of_a_run_matches_its_snapshot() {
    let folder = copy_of("examples");
    let output = folder.run(&["--simulate", "--format", "json", "approval/approved.scenario.yaml"]);
    settings().bind(|| assert_snapshot!("simulate_json", output.out()));
}

#[test]
fn colors_are_for_terminals() {
    let folder = copy_of("examples");
    let plain = folder.run(&["--simulate", "approval"]);
    assert!(!plain.out().contains('\u{1b}'));
    let colored = folder.run(&["--simulate", "approval", "--color", "always"]);
    assert!(colored.out().contains("\u{1b}[32m✓"));
}

#[test]
fn unused_entries_are_warned_about() {
    let folder = copy_of("examples");
    let scenario =
        folder.read("sign-upload/signed.scenario.yaml").replace("  anna@example.com: {", "  ana@example.com: {");
    folder.write(
        "sign-upload/signed.scenario.yaml",
        scenario.replace("expect:", "limits: { virtual-time: 1d }\nexpect:"),
    );
    let output = folder.run(&["--simulate", "sign-upload/signed.scenario.yaml"]).expect_code(1);
    assert!(
        output.out().contains("warning: unused entry `ana@example.com` under `signing`: never asked to sign"),
        "{}",
        output.out()
    );
}

#[test]
fn masked_values_appear_in_no_output() {
    let folder = copy_of("examples");
    for format in SIMULATION_FORMATS {
        let output = folder.run(&["--simulate", "--format", format, "sign-upload", "sign-json"]);
        assert!(!output.out().contains("19900101-2385") && !output.out().contains("0101901234"), "{format}");
    }
}

#[test]
fn timeline_shows_times_in_the_offset_of_the_start_and_what_a_timeout_decided() {
    let folder = order(&json!([approval("Ask boss", 3600)]), &["Approved"]);
    let output = simulate(&folder, "start: 2024-01-01T23:30:00-02:30", "human").expect_code(0);
    for line in ["Mon 2024-01-01 (UTC-02:30)", "23:30:00", "Tue 2024-01-02 (UTC-02:30)", "00:30:00"] {
        assert!(output.out().contains(line), "{line}: {}", output.out());
    }
    assert!(output.out().contains("no decision within 1h: counts as rejected"), "{}", output.out());
}
