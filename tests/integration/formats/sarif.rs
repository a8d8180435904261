//! SARIF: valid by the schema that `serde-sarif` ships and readable by it, within the limits of GitHub, with links,
//! fingerprints and flows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;
use wflint::own_rules::examples::complete;
use wflint::report::Format;
use wflint::rules::REGISTRY;

use crate::support::folder::{Folder, copy_of};
use crate::support::linted::lint_texts;
use crate::support::page::all_examples;
use crate::support::samples::{ERROR, FINE, INFO, WARNING};

/// The schema of SARIF 2.1.0, from the sources of `serde-sarif`.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let mut cargo = Command::new(env!("CARGO"));
    // Without the packages of other platforms, which building the tests does not download.
    cargo.args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", "host-tuple"]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let package = metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == "serde-sarif");
    let manifest = PathBuf::from(package.unwrap()["manifest_path"].as_str().unwrap());
    let schema = std::fs::read_to_string(manifest.parent().unwrap().join("src/schema.json")).unwrap();
    // The pattern of `language`, which wflint does not write, has a bracket that not every engine takes unescaped.
    let schema = schema.replace("{2}]?$", "{2}\\\\]?$");
    let schema = serde_json::from_str(&schema).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
});

/// The only run of a report that is valid.
fn checked(bytes: &[u8]) -> Value {
    let report: Value = serde_json::from_slice(bytes).unwrap();
    let errors: Vec<String> =
        SCHEMA.iter_errors(&report).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    serde_json::from_slice::<serde_sarif::sarif::Sarif>(bytes).unwrap();
    assert_eq!(report["version"], "2.1.0");
    let run = report["runs"][0].clone();
    run["results"].as_array().unwrap().iter().for_each(|result| check_result(&run, result));
    run
}

fn sarif(folder: &Folder) -> Value {
    checked(&folder.run(&["--format", "sarif"]).stdout)
}

fn check_result(run: &Value, result: &Value) {
    let rule = &run["tool"]["driver"]["rules"][usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
    assert_eq!(rule["id"], result["ruleId"]);
    let region = &result["locations"][0]["physicalLocation"]["region"];
    for key in ["startLine", "startColumn", "endLine", "endColumn"] {
        assert!(region[key].as_u64().is_some_and(|number| number > 0), "{result:#}");
    }
    assert_eq!(region["startLine"], region["endLine"], "a region is short: {result:#}");
    check_links(result);
    let fingerprints = &result["partialFingerprints"];
    assert!(fingerprints["primaryLocationLineHash"].is_string() && fingerprints["wflintIdentity/v1"].is_string());
}

/// Every link of the message leads to a related location.
fn check_links(result: &Value) {
    let text = result["message"]["text"].as_str().unwrap();
    let related: Vec<u64> = result["relatedLocations"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|location| location["id"].as_u64().unwrap())
        .collect();
    let links: Vec<u64> = text
        .match_indices("](")
        .filter(|(at, _)| !text[..*at].ends_with('\\'))
        .map(|(at, _)| text[at + 2..].split(')').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(links, related[..related.len().min(20)], "{text}");
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn reports_of_all_rule_pages_are_valid() {
    for rule in REGISTRY {
        for example in all_examples(rule) {
            let files = complete(&example.files, &[]);
            let texts: Vec<(&str, &[u8])> = files
                .iter()
                .filter(|(name, _)| name.ends_with(".json"))
                .map(|(name, text)| (name.as_str(), text.as_bytes()))
                .collect();
            checked(&lint_texts(&texts, 1).report(Format::Sarif));
        }
    }
}

#[test]
fn rule_has_what_code_scanning_shows() {
    let folder = copy_of("examples/broken");
    folder.write("secret/a.json", r#"{ "activities": [{ "name": "Call", "type": "Provider", "method": "Get-ZPADUser",
        "providerParameters": [{ "name": "Password", "value": { "state": "static", "value": "hunter2-Xy9!" } }] }], "variables": [] }"#);
    let run = sarif(&folder);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule["id"] == "WF901"));
    for rule in rules {
        let length = |key: &str| rule[key]["text"].as_str().unwrap().chars().count();
        assert!((1..=1024).contains(&length("shortDescription")) && (1..=1024).contains(&length("fullDescription")));
        assert!(rule["help"]["text"].as_str().unwrap().contains("Why"));
        assert!(rule["help"]["markdown"].as_str().unwrap().contains("## Why"));
        let page = format!("/rules/{}-{}.md", rule["id"].as_str().unwrap(), rule["name"].as_str().unwrap());
        assert!(rule["helpUri"].as_str().unwrap().ends_with(&page), "{}", rule["helpUri"]);
        let properties = &rule["properties"];
        assert!(["very-high", "high", "medium", "low"].contains(&properties["precision"].as_str().unwrap()));
        assert!(["error", "warning", "recommendation"].contains(&properties["problem.severity"].as_str().unwrap()));
        assert!((1..=10).contains(&properties["tags"].as_array().unwrap().len()));
        let is_security = rule["id"].as_str().unwrap().starts_with("WF9");
        assert_eq!(properties["security-severity"].is_string(), is_security, "{}", rule["id"]);
    }
}

#[test]
fn run_names_its_base_and_category() {
    let run = sarif(&Folder::with(&[("a.json", FINE)]));
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["automationDetails"]["id"], "wflint/");
    assert!(run["originalUriBaseIds"]["%SRCROOT%"].is_object());
    assert_eq!(run["results"], Value::Array(Vec::new()));
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn parts_have_categories_of_their_own() {
    let folder = Folder::with(&[("a/a.json", ERROR), ("b/b.json", WARNING)]);
    for (shard, id) in [("1/2", "wflint/1-of-2/"), ("2/2", "wflint/2-of-2/")] {
        let run = checked(&folder.run(&["--format", "sarif", "--shard", shard]).expect_code(1).stdout);
        assert_eq!(run["automationDetails"]["id"], id);
        assert_eq!(run["results"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn results_begin_with_the_most_severe() {
    let all = ("wflint.toml", "select = ['ALL']");
    let run = sarif(&Folder::with(&[("a.json", INFO), ("b.json", WARNING), ("c.json", ERROR), all]));
    let levels: Vec<&str> =
        run["results"].as_array().unwrap().iter().map(|result| result["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["error", "warning", "note"]);
}

#[test]
fn addresses_are_relative_and_encoded() {
    let name = "sign/ö [1]#%?:x.json";
    let run = sarif(&Folder::with(&[(name, ERROR)]));
    let location = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(location["uri"], "sign/%C3%B6%20%5B1%5D%23%25%3F%3Ax.json");
    assert_eq!(location["uriBaseId"], "%SRCROOT%");
}

#[test]
fn names_do_not_become_links() {
    let folder = Folder::with(&[("a.json", &ERROR.replace("Nobody", "x](1) [y](https://example.com)"))]);
    let run = sarif(&folder);
    let text = run["results"][0]["message"]["text"].as_str().unwrap();
    assert!(text.contains("x\\](1) \\[y\\](https"), "{text}");
}

#[test]
fn counts_and_unreadable_files_have_their_place() {
    let config = "[[suppress]]\nrule = 'WF101'\nfile = 'a.json'\nactivity = 'Say'\nreason = 'known'\n";
    let folder = Folder::with(&[("a.json", ERROR), ("wflint.toml", config)]);
    let output = folder.run(&["--format", "sarif", "a.json", "missing.json"]).expect_code(2);
    let run = checked(&output.stdout);
    assert_eq!((&run["properties"]["suppressed"], &run["properties"]["baselined"]), (&1.into(), &0.into()));
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let message = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
    assert!(message.contains("missing.json"), "{message}");
}

#[test]
fn fingerprints_outlive_edits_elsewhere() {
    let by_place = |text: &str| -> BTreeMap<String, String> {
        let run = sarif(&Folder::with(&[("a.json", text)]));
        let entry = |result: &Value| {
            let pointer = &result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
            let hash = &result["partialFingerprints"]["primaryLocationLineHash"];
            (format!("{} {pointer}", result["ruleId"]), hash.as_str().unwrap().to_owned())
        };
        run["results"].as_array().unwrap().iter().map(entry).collect()
    };
    let before = by_place(ERROR);
    let later = ERROR.replace("[{ \"name\"", "[\n\n{ \"name\": \"New\", \"type\": \"Status\" }, { \"name\"");
    let after: BTreeSet<String> = by_place(&later).into_values().collect();
    assert!(before.values().all(|hash| after.contains(hash)), "{before:?} {after:?}");
}

#[test]
fn fix_replaces_the_same_as_that_of_the_json_report() {
    let folder = copy_of("examples/broken");
    let run = sarif(&folder);
    let json = folder.run(&["--format", "json"]).json();
    let own: BTreeSet<String> = json["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|finding| finding["fix"]["edits"].as_array().into_iter().flatten())
        .map(|edit| {
            format!("{} {} {}", edit["range"]["start"]["line"], edit["range"]["end"]["column"], edit["newText"])
        })
        .collect();
    let theirs: BTreeSet<String> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|result| result["fixes"].as_array().into_iter().flatten())
        .flat_map(|fix| fix["artifactChanges"].as_array().unwrap())
        .flat_map(|change| change["replacements"].as_array().unwrap())
        .map(|it| {
            let region = &it["deletedRegion"];
            format!("{} {} {}", region["startLine"], region["endColumn"], it["insertedContent"]["text"])
        })
        .collect();
    assert!(!own.is_empty());
    assert_eq!(own, theirs);
}
