//! The scenarios of the example services.

use serde_json::Value;

use crate::support::folder::copy_of;
use crate::support::report_check::REPORT_SCHEMA;
use crate::support::run::SIMULATION_FORMATS;

#[test]
fn every_example_passes_and_every_activity_is_reached() {
    let folder = copy_of("examples");
    let output = folder.run(&["--simulate", "--format", "json"]).expect_code(0);
    let report = output.json();
    assert!(
        REPORT_SCHEMA.is_valid(&report),
        "{:?}",
        REPORT_SCHEMA.iter_errors(&report).next().map(|error| error.to_string())
    );
    let scenarios = report["scenarios"].as_array().unwrap();
    for run in scenarios {
        assert_eq!(run["warnings"], Value::Array(Vec::new()), "{}", run["file"]);
        assert!(!run["expectations"].as_array().unwrap().is_empty(), "{} expects something", run["file"]);
    }
    for service in ["approval", "mailbox", "sign-upload", "sign-local-file", "sign-json", "sign-directory"] {
        let of_service = |run: &&Value| run["file"].as_str().unwrap().starts_with(&format!("{service}/"));
        let mut outcomes: Vec<_> = scenarios.iter().filter(of_service).map(|run| run["outcome"].as_str()).collect();
        outcomes.sort_unstable();
        outcomes.dedup();
        // Success, a rejection, a refused submission, and a failing provider.
        for wanted in ["completed", "terminated", "refused", "failed"] {
            assert!(outcomes.contains(&Some(wanted)), "{service} has a scenario that is {wanted}: {outcomes:?}");
        }
    }
    for workflow in report["coverage"].as_array().unwrap() {
        // It has no scenarios.
        if workflow["file"] != "broken/order.workflow.json" {
            assert_eq!(workflow["unreached"], Value::Array(Vec::new()), "{}", workflow["file"]);
        }
    }
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn reports_do_not_depend_on_the_number_of_threads() {
    let folder = copy_of("examples");
    for format in SIMULATION_FORMATS {
        let run = |jobs| folder.run(&["--simulate", "--format", format, "--jobs", jobs]).stdout;
        let first = run("1");
        assert!(first == run("1") && first == run("4"), "{format}");
    }
}

#[test]
fn run_counts_steps_and_calls() {
    let folder = copy_of("examples");
    let report = folder.run(&["--simulate", "--format", "json", "sign-upload/signed.scenario.yaml"]).json();
    let run = &report["scenarios"][0];
    // 6 activities around the loop; 313 evaluations of its condition; 3 activities in each of 312
    // rounds; and in the last of them an Assign and a Status.
    assert_eq!(run["steps"], 6 + 313 + 312 * 3 + 2);
    assert_eq!(run["elapsedSeconds"], 26 * 3600);
    assert_eq!(run["calls"].as_array().unwrap().len(), 1 + 313);
}
