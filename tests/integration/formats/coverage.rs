//! Coverage as LCOV and Cobertura: both say what the JSON report says, whatever documents contain.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::folder::{Folder, copy_of};
use crate::support::snapshot::settings;

/// What a file of coverage says of a workflow.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    /// The hits of each line.
    lines: BTreeMap<u64, u64>,
    /// Of each line, the branches that are covered, and all.
    branches: BTreeMap<u64, (usize, usize)>,
}

type ByFile = BTreeMap<String, Said>;

/// Reads LCOV; its totals are held to its lines.
fn lcov(text: &str) -> ByFile {
    let mut files = ByFile::new();
    for record in text.split("end_of_record\n").filter(|record| !record.is_empty()) {
        let (mut name, mut said, mut totals) = (String::new(), Said::default(), BTreeMap::new());
        for line in record.lines() {
            let (key, value) = line.split_once(':').unwrap();
            let numbers: Vec<&str> = value.split(',').collect();
            match key {
                "SF" => value.clone_into(&mut name),
                "DA" => _ = said.lines.insert(numbers[0].parse().unwrap(), numbers[1].parse().unwrap()),
                "BRDA" => {
                    let (covered, all) = said.branches.entry(numbers[0].parse().unwrap()).or_default();
                    *covered += usize::from(!["0", "-"].contains(&numbers[3]));
                    *all += 1;
                }
                "TN" => assert_eq!(value, ""),
                total => _ = totals.insert(total.to_owned(), value.parse::<usize>().unwrap()),
            }
        }
        let (covered, all) = said.branches.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let hit = said.lines.values().filter(|hits| **hits > 0).count();
        let expected = [("BRF", all), ("BRH", covered), ("LF", said.lines.len()), ("LH", hit)];
        assert_eq!(totals, expected.map(|(key, number)| (key.to_owned(), number)).into());
        assert!(files.insert(name, said).is_none(), "a workflow is one record");
    }
    files
}

/// Reads Cobertura.
fn cobertura(text: &str) -> ByFile {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(text, options).unwrap();
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("timestamp")), ("coverage", Some("0")));
    let sources: Vec<_> =
        root.descendants().filter(|node| node.has_tag_name("source")).map(|node| node.text()).collect();
    assert_eq!(sources, [Some(".")]);
    let mut files = ByFile::new();
    for class in root.descendants().filter(|node| node.has_tag_name("class")) {
        let mut said = Said::default();
        for line in class.descendants().filter(|node| node.has_tag_name("line")) {
            let number = line.attribute("number").unwrap().parse().unwrap();
            said.lines.insert(number, line.attribute("hits").unwrap().parse().unwrap());
            assert_eq!(
                line.attribute("branch"),
                Some(if line.has_attribute("condition-coverage") { "true" } else { "false" })
            );
            if let Some(condition) = line.attribute("condition-coverage") {
                let (percent, counts) = condition.strip_suffix(')').unwrap().split_once("% (").unwrap();
                let (covered, all) = counts.split_once('/').unwrap();
                let (covered, all): (usize, usize) = (covered.parse().unwrap(), all.parse().unwrap());
                assert_eq!(percent.parse::<usize>().unwrap(), covered * 100 / all);
                said.branches.insert(number, (covered, all));
            }
        }
        let name = class.attribute("filename").unwrap().to_owned();
        let package = class.parent().unwrap().parent().unwrap().attribute("name").unwrap();
        assert_eq!(package, name.rsplit_once('/').map_or(".", |(folder, _)| folder));
        assert!(files.insert(name, said).is_none(), "a workflow is one class");
    }
    let sum = |count: fn(&Said) -> usize| files.values().map(count).sum::<usize>().to_string();
    let expected = [
        ("lines-valid", sum(|said| said.lines.len())),
        ("lines-covered", sum(|said| said.lines.values().filter(|hits| **hits > 0).count())),
        ("branches-valid", sum(|said| said.branches.values().map(|(_, all)| all).sum())),
        ("branches-covered", sum(|said| said.branches.values().map(|(covered, _)| covered).sum())),
    ];
    for (name, number) in expected {
        assert_eq!(root.attribute(name), Some(number.as_str()), "{name}");
    }
    files
}

/// Runs all scenarios, and reads the coverage in both formats; with the JSON report.
fn covered(folder: &Folder) -> (ByFile, Value) {
    let outputs = ["--coverage-output", "a.info", "--coverage-output", "a.xml"];
    let report = folder.run(&[&["--simulate", "--format", "json"], &outputs[..]].concat()).json();
    let files = lcov(&folder.read("a.info"));
    assert_eq!(files, cobertura(&folder.read("a.xml")));
    let names: Vec<&str> =
        report["coverage"].as_array().unwrap().iter().map(|it| it["file"].as_str().unwrap()).collect();
    assert!(names.is_sorted(), "{names:?}");
    for entry in report["coverage"].as_array().unwrap() {
        let said = &files[entry["file"].as_str().unwrap()];
        let (covered, all) = said.branches.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        assert_eq!([&entry["branchesReached"], &entry["branches"]], [covered, all]);
    }
    (files, report)
}

#[test]
fn files_of_coverage_keep_their_form() {
    let folder = copy_of("examples/sign-upload");
    folder.write("other/order.workflow.json", r#"{"activities": [], "variables": []}"#);
    folder.run(&["--simulate", "signed.scenario.yaml", "--coverage-output", "a.lcov"]).expect_code(0);
    folder.run(&["--simulate", ".", "--coverage-output", "A.XML"]).expect_code(0);
    settings().bind(|| {
        insta::assert_snapshot!("simulate_lcov", folder.read("a.lcov"));
        insta::assert_snapshot!(
            "simulate_cobertura",
            folder.read("A.XML").replace(env!("CARGO_PKG_VERSION"), "VERSION")
        );
    });
}

#[test]
fn lines_are_those_of_the_names_and_hits_are_counted() {
    let folder = copy_of("examples");
    let (files, report) = covered(&folder);
    assert_eq!(files.len(), 7);
    for entry in report["coverage"].as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let (said, text) = (&files[file], folder.read(file));
        // The documents have one member a line, so that each activity has a line of its own.
        assert_eq!(entry["activities"], said.lines.len());
        assert_eq!(entry["reached"], said.lines.values().filter(|hits| **hits > 0).count());
        for line in said.lines.keys() {
            let line = text.lines().nth(usize::try_from(*line).unwrap() - 1).unwrap();
            assert!(line.contains("\"name\": \""), "{file}: {line}");
        }
        // A Provider begins as often as it calls.
        let mut calls: BTreeMap<&str, u64> = BTreeMap::new();
        let folder_name = format!("{}/", file.rsplit_once('/').unwrap().0);
        let runs = report["scenarios"].as_array().unwrap().iter();
        for run in runs.filter(|run| run["file"].as_str().unwrap().starts_with(&folder_name)) {
            for call in run["calls"].as_array().unwrap() {
                *calls.entry(call["activity"].as_str().unwrap()).or_default() += 1;
            }
        }
        for (activity, number) in calls {
            let name = format!("\"name\": \"{activity}\"");
            let line = 1 + text.lines().position(|line| line.contains(&name)).unwrap();
            assert_eq!(said.lines[&(line as u64)], number, "{file}: {activity}");
        }
    }
}

#[test]
fn coverage_is_the_same_whatever_the_number_of_threads() {
    let folder = copy_of("examples");
    let run = |jobs: &str| {
        folder.run(&[
            "--simulate", "--quiet", "--jobs", jobs, "--coverage-output", "a.info", "--coverage-output", "a.xml",
        ]);
        (folder.read("a.info"), folder.read("a.xml"))
    };
    let first = run("1");
    assert_eq!(first, run("4"));
}

const HOSTILE: &str = "\u{1b}[2J\r\n##vso[x]\n::error::x,|`a` <s>]]>\u{202e}\"'&;%0A\nend_of_record\nSF:x";

/// Activities that share names, have none, or one of another type.
fn hostile() -> Value {
    let expression = |operand: &str| {
        json!({
            "type": "EqualityExpression", "operand": operand, "left": { "isBound": true, "boundTo": "A" },
            "right": { "isBound": false, "value": "x" }
        })
    };
    json!({
        "activities": [
            { "name": "Same", "type": "If", "expression": expression("equal"), "activities": [
                { "name": HOSTILE, "type": "Terminate" }
            ] },
            { "name": "Same", "type": "Provider", "method": "Get-ZPADUser", "stopOnError": false },
            { "type": "While", "expression": expression("notEqual"), "activities": [
                { "name": "Set", "type": "Assign", "result": { "isBound": true, "boundTo": "A" }, "body": "x" },
                { "name": 5, "type": "Sequence" }
            ] },
            { "name": "", "type": "Sequence", "activities": [] }
        ],
        "variables": [{ "name": "A", "variableType": "String" }]
    })
}

#[test]
fn activities_of_one_line_share_it() {
    let folder = Folder::with(&[
        ("a,b &<]]>\"'/order.workflow.json", &hostile().to_string()),
        ("a,b &<]]>\"'/order.scenario.yaml", "workflow: order.workflow.json\n"),
        ("empty/order.workflow.json", r#"{"activities": [], "variables": []}"#),
    ]);
    let (files, report) = covered(&folder);
    let said = &files["a,b &<]]>\"'/order.workflow.json"];
    // All but the Terminate, one of them twice: no activity is played again in the other.
    assert_eq!(said.lines, [(1, 6)].into());
    assert_eq!(said.branches, [(1, (3, 7))].into());
    assert_eq!(files["empty/order.workflow.json"], Said::default());
    assert_eq!((&report["coverage"][0]["activities"], &report["coverage"][0]["reached"]), (&json!(7), &json!(6)));
    let blocks: Vec<String> =
        folder.read("a.info").lines().filter(|line| line.starts_with("BRDA")).map(str::to_owned).collect();
    let expected = ["1,0,0,0", "1,0,1,1", "1,1,0,0", "1,1,1,1", "1,2,0,0", "1,2,1,1", "1,2,2,0"];
    assert_eq!(blocks, expected.map(|line| format!("BRDA:{line}")));
}

#[test]
fn branches_of_an_activity_that_never_began_are_marked() {
    let folder = Folder::with(&[
        ("order.workflow.json", &serde_json::to_string_pretty(&hostile()).unwrap()),
        (
            "order.scenario.yaml",
            "workflow: order.workflow.json\nvariables: { A: x }\nexpect: { outcome: terminated }\n",
        ),
    ]);
    let (files, _) = covered(&folder);
    let text = folder.read("order.workflow.json");
    let line_of = |name: &str| 1 + text.lines().position(|line| line.contains(name)).unwrap() as u64;
    let hits = &files["order.workflow.json"].lines;
    assert_eq!((hits.len(), hits[&line_of("\"Same\"")], hits[&line_of("\"name\": 5")]), (7, 1, 0));
    let branches: Vec<String> = folder
        .read("a.info")
        .lines()
        .filter_map(|line| line.strip_prefix("BRDA:")?.split(',').nth(3).map(str::to_owned))
        .collect();
    assert_eq!(branches, ["1", "0", "-", "-", "-", "-", "-"]);
}

#[test]
fn no_file_of_the_run_is_overwritten() {
    let folder = copy_of("examples/sign-upload");
    folder.write("found/order.workflow.json", r#"{"activities": [], "variables": []}"#);
    for name in ["order.workflow.json", "order.form.json", "signed.scenario.yaml", "found/order.workflow.json"] {
        let before = folder.read(name);
        std::fs::hard_link(folder.file(name), folder.file("link.xml")).unwrap();
        let refused = folder.run(&["--simulate", "--coverage-output", "link.xml"]).expect_code(2);
        assert!(refused.err().contains("`--coverage-output` would overwrite link.xml"), "{name}: {}", refused.err());
        assert_eq!(folder.read(name), before);
        std::fs::remove_file(folder.file("link.xml")).unwrap();
    }
    let twice = [
        ["--coverage-output", "a.xml", "--coverage-output", "./a.xml"],
        ["--coverage-output", "a.xml", "--output", "a.xml"],
    ];
    for options in twice {
        assert!(folder.run(&[&["--simulate"], &options[..]].concat()).expect_code(2).err().contains("twice"));
    }
    let missing = folder.run(&["--simulate", "--coverage-output", "none/a.xml"]).expect_code(2);
    assert_eq!((missing.err(), missing.out()), ("wflint: cannot write none/a.xml: the folder does not exist\n", ""));
}
