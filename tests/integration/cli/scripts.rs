//! Scripts are run while documents are linted, except with `--no-scripts`.

use crate::support::folder::Folder;
use crate::support::run::run_cli;

const FAILING: &str = r#"{
  "activities": [{ "name": "Build", "type": "Code", "parameters": [],
    "script": "var none = null;\nnone.length;\nJson = JSON.stringify({});" }],
  "variables": [{ "name": "Json", "id": 1, "isOutputParameter": true }]
}"#;

#[test]
fn failing_script_is_reported() {
    let folder = Folder::with(&[("order.workflow.json", FAILING)]);
    let output = run_cli(&["--format", "json"], folder.path(), b"").expect_code(1);
    assert_eq!(output.found(), ["order.workflow.json WF806 warning"]);
    let start = &output.json()["diagnostics"][0]["range"]["start"];
    assert_eq!((&start["line"], &start["column"]), (&3.into(), &34.into()));
    let again = run_cli(&["--format", "json", "--jobs", "4"], folder.path(), b"").expect_code(1);
    assert_eq!(output.out(), again.out(), "the same findings every time");
}

#[test]
fn no_scripts_option_disables_scripts() {
    let folder = Folder::with(&[("order.workflow.json", FAILING)]);
    run_cli(&["--no-scripts"], folder.path(), b"").expect_code(0);
    let folder = Folder::with(&[("order.workflow.json", FAILING), ("wflint.toml", "[scripts]\nevaluate = false\n")]);
    run_cli::<&str>(&[], folder.path(), b"").expect_code(0);
    run_cli(&["--isolated"], folder.path(), b"").expect_code(1);
}
