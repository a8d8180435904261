//! `[[accept-mutant]]`.

use super::service::{mutants, service, survivors};
use crate::support::folder::Folder;

/// The service with a hole: `stopOnError` of the call may be anything.
fn with_hole() -> Folder {
    let folder = service();
    std::fs::remove_file(folder.file("fails.scenario.yaml")).unwrap();
    folder
}

fn accept(folder: &Folder, keys: &str) {
    folder.write("wflint.toml", format!("[[accept-mutant]]\n{keys}\nreason = \"the call never fails\"\n"));
}

#[test]
fn an_entry_accepts_every_survivor_that_it_matches() {
    let folder = with_hole();
    for keys in [
        "file = 'order.workflow.json'\nactivity = 'Find user'",
        "file = '*.json'\nactivity = 'Find user'\nmutation = 'toggle-stop-on-error'",
        "file = './order.workflow.json'\npointer = '/activities/0'",
        "file = '**/order.*'\npointer = ''",
        "file = 'order.workflow.json'\npointer = '/activities/0/stopOnError'\nactivity = 'Find user'",
    ] {
        accept(&folder, keys);
        let found = mutants(&folder, 0, &[]);
        let numbers = ["total", "noticed", "accepted", "survived"].map(|key| found[key].as_u64().unwrap());
        assert_eq!(numbers, [15, 14, 1, 0], "{keys}");
        assert_eq!(survivors(&found).len(), 1);
        assert_eq!(found["survivors"][0]["accepted"], "the call never fails");
        let human = folder.run(&["--simulate", "--mutants"]).expect_code(0);
        assert!(human.out().ends_with("14 of 15 changes noticed (93.3%), 1 accepted.\n"), "{}", human.out());
        assert!(!human.out().contains("no scenario notices") && human.err().is_empty(), "{}", human.err());
    }
}

#[test]
fn an_entry_that_accepts_nothing_is_a_warning_at_its_place() {
    let folder = with_hole();
    for (keys, name, rest) in [
        ("file = 'order.workflow.json'\nactivity = 'Publish end'", "order.workflow.json", ""),
        ("file = 'order.workflow.json'\npointer = '/activities/00'", "order.workflow.json", ""),
        ("file = 'order.*'\nactivity = 'Find user'\nmutation = 'drop-activity'", "order.*", ""),
        ("file = 'gone.json'\nactivity = 'Find user'", "gone.json", ", no such file"),
        ("file = 'gone/*.json'\nactivity = 'Find user'", "gone/*.json", ", no such file"),
    ] {
        accept(&folder, keys);
        let output = folder.run(&["--simulate", "--mutants"]).expect_code(1);
        let start = format!("wflint: warning: wflint.toml:1:1: unused accepted mutant in `{name}`{rest}; ");
        assert!(output.err().starts_with(&start), "{keys}: {}", output.err());
        assert_eq!(output.err().lines().count(), 1);
    }
}

#[test]
fn entries_about_what_is_not_looked_at_are_not_judged() {
    let folder = with_hole();
    accept(&folder, "file = 'other/*.json'\nactivity = 'A'");
    folder.write("other/a.json", "{}");
    folder.write("here/.keep", "");
    assert_eq!(folder.run(&["--simulate", "--mutants", "anna.scenario.yaml"]).expect_code(1).err(), "");
    assert_ne!(folder.run(&["--simulate", "--mutants", "."]).expect_code(1).err(), "");
}

#[test]
fn entries_of_an_extended_file_are_judged_once() {
    let folder = with_hole();
    accept(&folder, "file = 'order.workflow.json'\nactivity = 'Publish end'");
    std::fs::rename(folder.file("wflint.toml"), folder.file("base.toml")).unwrap();
    folder.write("wflint.toml", "extend = 'base.toml'\n");
    let output = folder.run(&["--simulate", "--mutants"]).expect_code(1);
    assert!(output.err().starts_with("wflint: warning: base.toml:1:1: unused accepted mutant"), "{}", output.err());
    assert_eq!(output.err().lines().count(), 1);
}

#[test]
fn invalid_entry_is_an_error() {
    let folder = with_hole();
    accept(&folder, "file = 'order.workflow.json'\nactivity = 'A'\nmutation = 'swap'");
    let output = folder.run(&["--simulate", "--mutants"]).expect_code(2);
    assert!(output.err().contains("wflint.toml:4:12: unknown value `swap`; "), "{}", output.err());
}
