//! `--since`: only activities that have changed.

use serde_json::json;

use super::service::{mutants, service, survivors, workflow, write};
use crate::support::folder::Folder;
use crate::support::git::git;

fn repository() -> Folder {
    let folder = service();
    std::fs::remove_file(folder.file("fails.scenario.yaml")).unwrap();
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "x"]);
    folder
}

fn total(folder: &Folder, code: u8) -> u64 {
    mutants(folder, code, &["--since", "HEAD"])["total"].as_u64().unwrap()
}

#[test]
fn only_activities_that_have_changed_are_changed() {
    let folder = repository();
    assert_eq!(total(&folder, 0), 0);
    // In another form, and with other line ends.
    folder.write("order.workflow.json", serde_json::to_string(&workflow()).unwrap().replace(",\"", ",\r\n\"") + "\r\n");
    assert_eq!(total(&folder, 0), 0);
    let mut order = workflow();
    // Editor state, and ids that an export has renumbered.
    order["activities"][3]["boundValues"] = json!([]);
    order["activities"][2]["id"] = json!(70_000);
    order["activities"][1]["status"]["boundToId"] = json!(70_001);
    write(&folder, &order);
    assert_eq!(total(&folder, 0), 0);
    order["activities"][3]["note"] = json!("x");
    write(&folder, &order);
    // Dropped, swapped with its neighbor, another text.
    assert_eq!(total(&folder, 0), 3);
    order["activities"]
        .as_array_mut()
        .unwrap()
        .insert(1, json!({ "name": "Again", "type": "Sequence", "activities": [] }));
    write(&folder, &order);
    let found = mutants(&folder, 1, &["--since", "HEAD"]);
    let wanted = ["swap-activities /activities/0", "drop-activity /activities/1", "swap-activities /activities/1"];
    assert_eq!(survivors(&found), wanted);
    // The revision of a merge base.
    assert_eq!(mutants(&folder, 1, &["--since", "HEAD..."])["survived"], 3);
    git(&folder, &["commit", "-q", "-a", "-m", "y"]);
    assert_eq!(total(&folder, 0), 0);
    // Without the option the hole shows.
    assert_eq!(mutants(&folder, 1, &[])["survived"], 4);
}

#[test]
fn new_and_renamed_workflows() {
    let folder = repository();
    git(&folder, &["mv", "order.workflow.json", "renamed.workflow.json"]);
    for name in ["anna.scenario.yaml", "bob.scenario.yaml"] {
        folder.write(name, folder.read(name).replace("order.workflow", "renamed.workflow"));
    }
    assert_eq!(total(&folder, 0), 0);
    git(&folder, &["rm", "-q", "--cached", "renamed.workflow.json"]);
    git(&folder, &["commit", "-q", "-m", "y"]);
    assert_eq!(total(&folder, 1), 15, "all of a new file");
}

#[test]
fn entries_are_not_judged_by_a_part_of_the_changes() {
    let folder = repository();
    folder.write("wflint.toml", "[[accept-mutant]]\nfile = '*.json'\nactivity = 'A'\nreason = 'x'\n");
    assert_ne!(folder.run(&["--simulate", "--mutants"]).expect_code(1).err(), "");
    assert_eq!(folder.run(&["--simulate", "--mutants", "--since", "HEAD"]).expect_code(0).err(), "");
}

#[test]
fn revision_that_cannot_be_read_is_an_error() {
    let folder = repository();
    let output = folder.run(&["--simulate", "--mutants", "--since", "nope"]).expect_code(2);
    assert!(output.err().contains("unknown revision `nope`") && output.out().is_empty(), "{}", output.err());
    let output = service().run(&["simulate", "--mutants", "--since", "HEAD"]).expect_code(2);
    assert!(output.err().contains("`--since HEAD`"), "{}", output.err());
    for args in [&["--simulate", "--since", "HEAD"][..], &["simulate", "--since", "HEAD"], &["--mutants"]] {
        assert!(folder.run(args).expect_code(2).out().is_empty(), "{args:?}");
    }
}
