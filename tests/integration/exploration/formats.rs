//! The formats for machines.

use std::sync::LazyLock;

use insta::assert_snapshot;
use jsonschema::Validator;
use serde_json::Value;
use wflint::report::RunFormat;

use super::data::{Found, mixed, sign_upload};
use crate::support::snapshot::settings;

/// The schema of JSON reports.
pub static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(include_str!("../../../schemas/explore.schema.json")).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
});

/// The JSON report, which conforms to its schema.
pub fn json(found: &Found) -> Value {
    let report: Value = serde_json::from_str(&found.plain(RunFormat::Json)).unwrap();
    if let Some(error) = SCHEMA.iter_errors(&report).next() {
        panic!("{error} at {}", error.instance_path());
    }
    report
}

#[test]
fn json_conforms_to_its_schema() {
    let report = json(&mixed());
    settings().bind(|| assert_snapshot!("explore_json", mixed().plain(RunFormat::Json)));
    let summary = &report["summary"];
    assert_eq!([&summary["services"], &summary["complete"], &summary["ends"], &summary["broken"]], [1, 0, 7, 2]);
    json(&Found::of(sign_upload(), Vec::new()));
    json(&Found::new(wflint::explore::Explored::default(), &[]));
}

#[test]
fn schema_has_exactly_the_keys_of_the_report() {
    let mut report = json(&mixed());
    report["services"][0]["ends"][0]["more"] = 1.into();
    assert!(!SCHEMA.is_valid(&report));
    let mut report = json(&mixed());
    report["laws"][0]["broken"][0].as_object_mut().unwrap().remove("scenario");
    assert!(!SCHEMA.is_valid(&report));
}

#[test]
fn broken_laws_stand_at_their_places() {
    for (format, name) in [
        (RunFormat::Concise, "concise"),
        (RunFormat::Github, "github"),
        (RunFormat::Junit, "junit"),
        (RunFormat::Markdown, "markdown"),
    ] {
        settings().bind(|| assert_snapshot!(format!("explore_{name}"), mixed().plain(format)));
    }
}

#[test]
fn junit_has_a_test_case_for_each_law_and_service() {
    let found = mixed();
    let text = found.plain(RunFormat::Junit);
    let junit = roxmltree::Document::parse(&text).unwrap();
    let number = |name: &str| junit.descendants().filter(|node| node.has_tag_name(name)).count();
    // One more for the service that was not explored.
    assert_eq!(number("testcase"), found.explored.laws.len() + 1);
    assert_eq!((number("failure"), number("skipped"), number("error")), (2, 1, 4));
}
