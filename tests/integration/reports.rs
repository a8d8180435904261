//! Reports keep their contract: places, fixes, and the words of each format.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::folder::{Folder, copy_of};
use crate::support::linted::lint_texts;
use crate::support::page::all_examples;
use crate::support::report_check::{check_report, line_and_column};
use crate::support::run::{format_names, process, without_pages};
use crate::support::snapshot::settings;
use crate::support::unescape_step;
use serde_json::Value;
use wflint::own_rules::examples::complete;
use wflint::report::Format;
use wflint::rules::REGISTRY;

/// The files of `examples/broken`.
fn broken() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/broken");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "json")).map(read).collect()
}

/// The JSON report of documents, or how it breaks its contract.
fn checked_report(files: &BTreeMap<String, String>) -> Result<Value, String> {
    let texts: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let bytes = lint_texts(&texts, 2).report(Format::Json);
    check_report(&bytes, &|name| files.get(name).map_or("", String::as_str))?;
    Ok(serde_json::from_slice(&bytes).unwrap())
}

/// The documents of every example of the rules, with the rule's code and the example's title.
fn rule_examples() -> impl Iterator<Item = (String, BTreeMap<String, String>)> {
    REGISTRY.iter().flat_map(|rule| {
        all_examples(rule).into_iter().map(|example| {
            let files = complete(&example.files, &[]).into_iter();
            let documents = files.filter(|(name, _)| name.ends_with(".json")).collect();
            (format!("{} {}", rule.code, example.title), documents)
        })
    })
}

#[test]
fn json_report_of_the_broken_example_conforms_to_its_contract() {
    let report = checked_report(&broken()).unwrap();
    assert!(report["diagnostics"].as_array().unwrap().len() > 5);
}

#[test]
fn findings_at_one_offset_are_sorted_by_code_whatever_their_length() {
    let workflow = r#"{ "activities": [{ "name": "Build", "type": "Code", "script": "𐔀a$" }], "variables": [] }"#;
    let report = checked_report(&BTreeMap::from([("order.workflow.json".to_owned(), workflow.to_owned())])).unwrap();
    let findings = report["diagnostics"].as_array().unwrap();
    let at = |code: &str| findings.iter().position(|finding| finding["code"] == code).unwrap();
    let range = |code: &str| &findings[at(code)]["range"];
    assert_eq!(range("WF803")["start"], range("WF909")["start"]);
    assert!(range("WF803")["end"] != range("WF909")["end"] && at("WF803") < at("WF909"), "{report:#}");
}

#[test]
fn json_reports_of_all_rule_pages_conform_to_their_contract() {
    for (title, files) in rule_examples() {
        checked_report(&files).unwrap_or_else(|reason| panic!("{title}: {reason}"));
    }
}

#[test]
fn pointer_and_range_of_a_finding_denote_the_same_value() {
    for (title, files) in rule_examples().chain([("the broken example".to_owned(), broken())]) {
        let report = checked_report(&files).unwrap();
        for finding in report["diagnostics"].as_array().unwrap() {
            let places = finding["related"].as_array().unwrap().iter().chain([finding]);
            for place in places {
                if let Err(reason) = check_place(place, &files[place["file"].as_str().unwrap()]) {
                    panic!("{title}: {reason}: {place:#}");
                }
            }
        }
    }
}

/// A place covers a whole scalar, the `name` or another scalar of an object, an empty object, the opening bracket of an
/// array, a key, or a part of a string.
fn check_place(place: &Value, text: &str) -> Result<(), String> {
    // Documents with duplicate keys or syntax errors have no values to compare with.
    let Ok(document) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else { return Ok(()) };
    let pointer = place["pointer"].as_str().unwrap();
    let value = document.pointer(pointer).ok_or("the pointer leads nowhere")?;
    let offset = |end: &str| usize::try_from(place["range"][end]["offset"].as_u64().unwrap()).unwrap();
    let covered = &text[offset("start")..offset("end")];
    let member = unescape_step(pointer.rsplit('/').next().unwrap_or_default());
    let is_name_of_member = serde_json::from_str::<String>(covered).is_ok_and(|name| name == member);
    let is_fine = match value {
        Value::Object(_) if member == "expression" => is_scalar_of(covered, &value["left"]),
        Value::Object(members) => match members.get("name").filter(|name| name.is_string()) {
            Some(name) => is_json(covered, name),
            None => is_scalar_of(covered, value),
        },
        Value::Array(_) => covered == "[",
        Value::String(whole) => is_json(covered, value) || is_part(covered, whole),
        other => is_json(covered, other),
    };
    if is_fine || is_name_of_member { Ok(()) } else { Err(format!("the range covers `{covered}`")) }
}

/// Whether a text is a scalar in a value, an empty object, or the start of an array.
fn is_scalar_of(text: &str, value: &Value) -> bool {
    match value {
        Value::Object(members) if !members.is_empty() => members.values().any(|member| is_scalar_of(text, member)),
        Value::Array(_) => text == "[",
        other => is_json(text, other),
    }
}

fn is_json(text: &str, value: &Value) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|parsed| parsed == *value)
}

fn is_part(covered: &str, whole: &str) -> bool {
    serde_json::from_str::<String>(&format!("\"{covered}\"")).is_ok_and(|part| whole.contains(&part))
}

#[test]
fn every_fix_leaves_a_valid_document() {
    for (title, files) in rule_examples() {
        let report = checked_report(&files).unwrap();
        for finding in report["diagnostics"].as_array().unwrap().iter().filter(|finding| finding["fix"].is_object()) {
            let mut fixed = files.clone();
            for edit in finding["fix"]["edits"].as_array().unwrap().iter().rev() {
                let file = edit["file"].as_str().or(finding["file"].as_str()).unwrap();
                let text = fixed.get_mut(file).unwrap();
                let offset = |end: &str| usize::try_from(edit["range"][end]["offset"].as_u64().unwrap()).unwrap();
                text.replace_range(offset("start")..offset("end"), edit["newText"].as_str().unwrap());
            }
            for name in files.keys().filter(|name| fixed[*name] != files[*name]) {
                let parsed = serde_json::from_str::<Value>(&fixed[name]);
                assert!(parsed.is_ok(), "{title}: {parsed:?}: {finding:#}");
            }
        }
    }
}

#[test]
fn checker_counts_lines_and_columns_as_documented() {
    assert_eq!(line_and_column("", "x"), (1, 1));
    assert_eq!(line_and_column("\u{feff}{", "}"), (1, 2));
    assert_eq!(line_and_column("a\r\nb\rc\nä", "x"), (4, 2));
    assert_eq!(line_and_column("a\r", "\nb"), (1, 3));
}

#[test]
fn checker_rejects_a_report_that_breaks_the_contract() {
    let files = broken();
    let texts: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let report = String::from_utf8(lint_texts(&texts, 1).report(Format::Json)).unwrap();
    let refuses = |change: &dyn Fn(&mut Value)| {
        let mut changed: Value = serde_json::from_str(&report).unwrap();
        change(&mut changed);
        check_report(changed.to_string().as_bytes(), &|name| files[name].as_str()).is_err()
    };
    assert!(!refuses(&|_| {}));
    assert!(refuses(&|report| report["more"] = 1.into()));
    assert!(refuses(&|report| report["summary"]["errors"] = 99.into()));
    assert!(refuses(&|report| report["diagnostics"][0]["range"]["start"]["column"] = 1.into()));
    assert!(refuses(&|report| report["diagnostics"][0]["pointer"] = "a".into()));
    assert!(refuses(&|report| report["diagnostics"].as_array_mut().unwrap().reverse()));
}

#[test]
fn reports_of_the_broken_example_match_their_snapshots() {
    let folder = copy_of("examples/broken");
    for format in format_names() {
        let output = folder.run(&["--color", "never", "--format", &format]).expect_code(1);
        // A release must not change the snapshot.
        let mut shown = output.out().to_owned();
        for (before, after) in [("ersion\": \"", "\""), ("/blob/v", "/")] {
            let version = format!("{before}{}{after}", env!("CARGO_PKG_VERSION"));
            shown = shown.replace(&version, &format!("{before}0.0.0{after}"));
        }
        if format == "sarif" {
            shown = without_pages(&shown);
        }
        settings().bind(|| insta::assert_snapshot!(format!("broken_{format}"), shown));
    }
}

#[test]
fn output_of_the_commands_matches_its_snapshots() {
    for (name, args) in [("explain", ["explain", "WF201"].as_slice()), ("rules", &["rules"]), ("help", &["--help"])] {
        // In a process without a terminal, whose width would wrap the help.
        let output = process(Folder::with(&[]).path()).args(args).output().unwrap();
        assert!(output.status.success(), "{name}");
        settings().bind(|| insta::assert_snapshot!(name, String::from_utf8(output.stdout).unwrap()));
    }
}
