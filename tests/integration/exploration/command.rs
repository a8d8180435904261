//! The command: its options, its exit codes, where its reports go, and the scenarios that it writes.

use crate::support::folder::Folder;
use crate::support::samples::FINE;

const MARK: &str = "# Written by `wflint explore --write`.\n";

/// The scenario of the only end of [`FINE`].
const SCENARIO: &str = "completed-done.scenario.yaml";

/// A loop that never ends.
const ENDLESS: &str = r#"{
  "activities": [{ "name": "Wait", "type": "While", "iterationDelaySeconds": { "isBound": false, "value": 60 },
    "expression": { "type": "EqualityExpression", "operand": "equal",
      "left": { "isBound": false, "value": "a" }, "right": { "isBound": false, "value": "a" } }, "activities": [] }],
  "variables": []
}"#;

fn fine() -> Folder {
    Folder::with(&[("sign/a.workflow.json", FINE)])
}

#[test]
fn exit_code_says_whether_laws_hold_and_the_search_was_complete() {
    fine().run(&["explore"]).expect_code(0);
    let folder = Folder::with(&[("a.json", ENDLESS)]);
    folder.run(&["explore", "--law", "ends"]).expect_code(1);
    let cut_off = folder.run(&["explore", "--max-states", "1"]).expect_code(2);
    assert!(cut_off.err().contains("a.json was not explored completely: stopped at 1 state"), "{}", cut_off.err());
    let nothing = Folder::with(&[]).run(&["explore"]).expect_code(2);
    assert_eq!(nothing.err(), "wflint: nothing to explore: no workflow found\n");
}

#[test]
fn reports_go_where_the_options_say() {
    let folder = fine();
    let human = folder.run(&["explore"]);
    let json = folder.run(&["explore", "--format", "json"]);
    let shown = folder.run(&["explore", "--output", "report.txt", "--output", "json:report.json"]).expect_code(0);
    assert!(shown.out().starts_with("Explored 1 service: 1 end"), "{}", shown.out());
    assert_eq!((folder.read("report.txt").as_str(), folder.read("report.json").as_str()), (human.out(), json.out()));
    let quiet = folder.run(&["explore", "--quiet"]).expect_code(0);
    assert_eq!((quiet.out(), quiet.err()), ("", ""));
}

#[test]
fn a_scenario_is_written_for_each_end_and_over_its_own_files() {
    let folder = fine();
    let written = folder.run(&["explore", "--write", "tests/explored"]).expect_code(0);
    let line = "Wrote 1 scenario to tests/explored; run them with `wflint --simulate tests/explored`.\n";
    assert_eq!(written.err(), line);
    let name = format!("tests/explored/{SCENARIO}");
    let text = folder.read(&name);
    assert!(text.starts_with(MARK) && text.contains("\nworkflow: \"../../sign/a.workflow.json\"\n"), "{text}");
    folder.run(&["--simulate", "tests/explored"]).expect_code(0);
    folder.write(&name, MARK.to_owned() + "old");
    let again = folder.run(&["explore", "--write", "tests/explored", "-q"]).expect_code(0);
    assert_eq!((again.err(), folder.read(&name)), ("", text));
    let broken = Folder::with(&[("a.json", ENDLESS)]);
    broken.run(&["explore", "--law", "ends", "--write", "found"]).expect_code(1);
    assert!(!broken.names_in("found").is_empty());
}

#[test]
fn what_is_in_the_way_is_never_overwritten() {
    for text in ["", "name: mine\n", " # Written by `wflint explore --write`.\n"] {
        let folder = fine();
        folder.write(SCENARIO, text);
        let refused = folder.run(&["explore", "--write", "."]).expect_code(2);
        let reason = "did not write the file that is there; no scenario was written";
        assert!(refused.err().contains(reason) && refused.out().contains("1 end"), "{}", refused.err());
        assert_eq!(folder.read(SCENARIO), text);
    }
    let folder = fine();
    folder.write(format!("{SCENARIO}/file"), "");
    folder.run(&["explore", "--write", "."]).expect_code(2);
    for name in ["sign/a.workflow.json", "sign/a.workflow.json/below"] {
        let refused = folder.run(&["explore", "--write", name]).expect_code(2);
        assert!(refused.err().contains("not a folder"), "{}", refused.err());
    }
    let report = format!("json:{SCENARIO}");
    let twice = fine().run(&["explore", "--write", ".", "--output", &report]).expect_code(2);
    assert!(twice.err().contains("it is a report of this run as well"), "{}", twice.err());
}

#[test]
fn options_are_checked_first() {
    let refused = |args: &[&str]| fine().run(&[&["explore"], args].concat()).expect_code(2).err().to_owned();
    assert!(refused(&["--output", "azure:x"]).contains("`wflint explore` supports the formats `human`, `concise`"));
    assert!(refused(&["-"]).contains("not standard input"));
    for invalid in [&["--format", "sarif"][..], &["--cover"], &["--max-states", "0"]] {
        refused(invalid);
    }
}
