//! Own rules in every format.

use serde_json::Value;

use super::findings::{RULE, folder};
use crate::support::folder::Folder;

const PAGE: &str = "# ORG101-no-todo\n\nReports an unfinished activity.\n\n## Why\n\nUsers see it.\n";

fn with_page() -> Folder {
    let folder = folder("", RULE);
    folder.write("rules/ORG101-no-todo.md", PAGE);
    folder
}

#[test]
fn json_is_valid() {
    let report = with_page().run(&["--format", "json"]).json();
    let schema: Value = serde_json::from_str(include_str!("../../../schemas/report.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!(report["diagnostics"][0]["name"], "no-todo");
}

#[test]
fn every_format_has_the_code() {
    for format in
        ["human", "concise", "sarif", "github", "gitlab", "junit", "rdjson", "checkstyle", "azure", "markdown"]
    {
        let output = with_page().run(&["--format", format]).expect_code(1);
        assert!(output.out().contains("ORG101"), "{format}: {output:#?}");
        assert!(!output.out().contains("rules/ORG101-no-todo.md"), "no address of wflint: {format}");
    }
}

#[test]
fn sarif_describes_the_rule() {
    let report = with_page().run(&["--format", "sarif"]).json();
    let rule = &report["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "ORG101");
    assert_eq!(rule["shortDescription"]["text"], "Reports an unfinished activity.");
    assert_eq!(rule["properties"]["tags"], serde_json::json!(["correctness", "ORG"]));
    assert_eq!(rule["help"]["markdown"], PAGE);
    assert!(rule.get("helpUri").is_none(), "{rule:#}");
}

#[test]
fn page_shows_findings_and_what_the_rule_is_about() {
    let folder = with_page();
    folder.run(&["report", "--output", "page.html"]).expect_code(0);
    let page = folder.read("page.html");
    assert!(page.contains("data-code=\"ORG101\"") && page.contains("Reports an unfinished activity"));
}
