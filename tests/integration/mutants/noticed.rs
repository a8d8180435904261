//! What scenarios notice, and where a hole shows.

use serde_json::json;

use super::service::{mutants, service, survivors, workflow, write};
use crate::support::folder::{Folder, copy_of};
use crate::support::report_check::REPORT_SCHEMA;

#[test]
fn every_change_is_noticed_by_scenarios_that_check_enough() {
    let folder = service();
    let found = mutants(&folder, 0, &[]);
    assert_eq!(survivors(&found), [""; 0]);
    // Negated, emptied, 5 dropped, 3 swapped, 3 texts, 1 not set, 1 toggled.
    assert_eq!(
        (found["total"].as_u64(), found["noticed"].as_u64(), found["noticedByLint"].as_u64()),
        (Some(15), Some(15), Some(0))
    );
}

#[test]
fn a_hole_in_the_scenarios_shows_at_its_place() {
    let folder = service();
    std::fs::remove_file(folder.file("fails.scenario.yaml")).unwrap();
    let found = mutants(&folder, 1, &[]);
    assert_eq!(survivors(&found), ["toggle-stop-on-error /activities/0/stopOnError"]);
    let survivor = &found["survivors"][0];
    assert_eq!(survivor["activity"], "Find user");
    assert_eq!(survivor["message"], "no scenario notices that `stopOnError` of `Find user` is false");
    assert_eq!((survivor["file"].as_str(), survivor["accepted"].is_null()), (Some("order.workflow.json"), true));
    let text = folder.read("order.workflow.json");
    let offset = |end: &str| usize::try_from(survivor["range"][end]["offset"].as_u64().unwrap()).unwrap();
    assert_eq!(&text[offset("start")..offset("end")], "true");
}

#[test]
fn each_kind_of_change_survives_where_nothing_checks_it() {
    // Both orders end alike, and nothing but that is checked.
    let folder =
        Folder::with(&[("a.scenario.yaml", "workflow: order.workflow.json\nexpect: { outcome: completed }\n")]);
    let bound = json!({ "state": "bound", "boundToId": 1, "boundTo": "Json" });
    let fixed = json!({ "state": "static", "value": "x" });
    write(
        &folder,
        &json!({
            "activities": [
                { "name": "Script", "type": "Code", "script": "Json = 'a';", "parameters": [{ "name": "P", "value": bound }] },
                { "name": "Say", "type": "Status", "status": fixed },
                { "name": "Call", "type": "Provider", "method": "Get-ZPADUser", "stopOnError": false },
                {
                    "name": "If", "type": "If",
                    "expression": { "left": bound, "operand": "equal", "right": fixed },
                    "activities": [{ "name": "Assign", "type": "Assign", "result": bound, "body": "a" }],
                },
            ],
            "variables": [{ "id": 1, "realId": 1, "name": "Json", "type": "string" }],
        }),
    );
    let found = mutants(&folder, 1, &["--isolated"]);
    let survivors = survivors(&found);
    for wanted in [
        "negate-condition /activities/3/expression/operand",
        "empty-body /activities/3",
        "drop-activity /activities/3/activities/0",
        "swap-activities /activities/0",
        "change-text /activities/1/status/value",
        "change-text /activities/3/activities/0/body",
        "unset-parameter /activities/0/parameters/0",
    ] {
        assert!(survivors.contains(&wanted.to_owned()), "{wanted}: {survivors:?}");
    }
    // The call fails: it has no parameters.
    assert!(!survivors.contains(&"toggle-stop-on-error /activities/2/stopOnError".to_owned()), "{survivors:?}");
}

#[test]
fn lint_notices_what_no_scenario_reaches() {
    let folder = service();
    let mut order = workflow();
    // No order gets there; with another text the filter is invalid.
    let mut call = order["activities"][0].clone();
    call["providerParameters"][0] =
        json!({ "name": "LDAPFilter", "value": { "state": "static", "value": "(mail=*)" } });
    let branch = json!({
        "name": "Never", "type": "If",
        "expression": { "left": order["activities"][1]["status"], "operand": "equal", "right": { "state": "static", "value": "x" } },
        "activities": [call],
    });
    order["activities"].as_array_mut().unwrap().push(branch);
    write(&folder, &order);
    let found = mutants(&folder, 1, &[]);
    assert!(found["noticedByLint"].as_u64().unwrap() > 0, "{found:#}");
    let survivors = survivors(&found);
    let invalid = "change-text /activities/4/activities/0/providerParameters/0/value/value".to_owned();
    assert!(!survivors.contains(&invalid), "{survivors:?}");
    assert!(
        survivors.contains(&"toggle-stop-on-error /activities/4/activities/0/stopOnError".to_owned()),
        "{survivors:?}"
    );
    // What the configuration silences is not noticed.
    folder.write("wflint.toml", "ignore = [\"WF216\"]\n");
    let found = mutants(&folder, 1, &[]);
    assert!(super::service::survivors(&found).contains(&invalid), "{found:#}");
}

#[test]
fn scenario_that_names_what_is_gone_is_refused() {
    let folder = copy_of("examples");
    let found = mutants(&folder, 1, &["approval"]);
    assert!(!survivors(&found).iter().any(|it| it.starts_with("drop-activity")), "{found:#}");
    let report = folder.run(&["--simulate", "--mutants", "--format", "json", "approval"]).json();
    assert!(REPORT_SCHEMA.is_valid(&report));
}

#[test]
fn scenarios_have_to_pass_first() {
    let folder = service();
    folder.write("wrong.scenario.yaml", "workflow: order.workflow.json\nexpect: { outcome: stuck }\n");
    let report = folder.run(&["simulate", "--mutants", "--format", "json"]).expect_code(1).json();
    assert!(report.get("mutants").is_some_and(serde_json::Value::is_null) && REPORT_SCHEMA.is_valid(&report));
    let human = folder.run(&["simulate", "--mutants"]).expect_code(1);
    assert!(human.out().contains("No changes of workflows were tried"), "{}", human.out());
    folder.write("wrong.scenario.yaml", "workflow: order.workflow.json\nexpectt: 1\n");
    assert!(mutants(&folder, 2, &[]).is_null());
    // Without the option nothing is said of them.
    std::fs::remove_file(folder.file("wrong.scenario.yaml")).unwrap();
    let report = folder.run(&["--simulate", "--format", "json"]).expect_code(0).json();
    assert!(report.get("mutants").is_none() && REPORT_SCHEMA.is_valid(&report));
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn threads_do_not_show() {
    for example in ["sign-json", "approval"] {
        let folder = copy_of("examples");
        let run = |format: &str, jobs: &str| {
            folder
                .run(&["--simulate", "--mutants", "--quiet", "--format", format, "--jobs", jobs, example])
                .expect_code(1)
                .stdout
        };
        for format in ["json", "human"] {
            assert_eq!(run(format, "1"), run(format, "2"), "{example} {format}");
        }
    }
}

#[test]
fn workflow_without_scenarios_is_named_and_not_changed() {
    let folder = service();
    folder.write("other/a.workflow.json", serde_json::to_string(&workflow()).unwrap());
    folder.write("other/b.workflow.json", serde_json::to_string(&workflow()).unwrap());
    let output = folder.run(&["--simulate", "--mutants"]).expect_code(0);
    let warning = "wflint: warning: workflows `other/a.workflow.json` and `other/b.workflow.json` without scenarios: they \
                   are not changed\n";
    assert_eq!(output.err(), warning);
    assert!(output.out().ends_with("15 of 15 changes noticed (100%).\n"), "{}", output.out());
    // Only what is asked for is looked at.
    assert_eq!(folder.run(&["--simulate", "--mutants", "anna.scenario.yaml"]).expect_code(1).err(), "");
}

#[test]
fn document_in_a_wrapper_is_changed_where_it_is() {
    let folder = service();
    folder.write("wflint.toml", "[documents]\nroots = [\"/data/order\"]\n");
    write(&folder, &json!({ "data": { "order": workflow() } }));
    std::fs::remove_file(folder.file("fails.scenario.yaml")).unwrap();
    let found = mutants(&folder, 1, &[]);
    assert_eq!(survivors(&found), ["toggle-stop-on-error /data/order/activities/0/stopOnError"]);
}
