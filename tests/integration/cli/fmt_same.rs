//! Lint and simulation see the same before and after `wflint fmt`.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::support::cases;
use crate::support::example_services::EXAMPLE_SERVICES;
use crate::support::folder::{Folder, copy_of};
use crate::support::generated::write_scenarios;
use crate::support::mutation::{Change, changes};
use crate::support::strategies::{form, layout, workflow};
use crate::support::tree::{Layout, Tree};

/// What `[fmt]` can say.
const CONFIGS: [&str; 5] = [
    "",
    "[fmt]\nindent = 0\n",
    "[fmt]\neditor-state = 'drop'\n",
    "[fmt]\norder = 'schema'\n",
    "[fmt]\neditor-state = 'drop'\norder = 'schema'\nindent = 4\n",
];

/// The codes that editor state gives.
const OF_EDITOR_STATE: [&str; 4] = ["WF008", "WF009", "WF111", "WF219"];

/// The codes that compare ids. With new ids in the whole service, those that disagreed agree.
const OF_IDS: [&str; 3] = ["WF102", "WF109", "WF114"];

/// The folders of `examples/` with scenarios.
const SERVICES: [&str; 6] = ["approval", "mailbox", "sign-directory", "sign-json", "sign-local-file", "sign-upload"];

/// What a report says of each finding, but for the lines and columns.
fn findings(folder: &Folder) -> Vec<[Value; 4]> {
    let output = folder.run(&["--format", "json", "--isolated", "--no-scripts"]);
    if output.code == 2 {
        // The folder has no document.
        return Vec::new();
    }
    let report = output.json();
    let diagnostics = report["diagnostics"].as_array().unwrap();
    let keys = |found: &Value| ["file", "code", "pointer", "message"].map(|key| found[key].clone());
    let mut found: Vec<[Value; 4]> = diagnostics.iter().map(keys).collect();
    found.sort_by_key(|found| format!("{found:?}"));
    found
}

fn without(found: Vec<[Value; 4]>, codes: &[&str]) -> Vec<[Value; 4]> {
    found.into_iter().filter(|found| !codes.contains(&found[1].as_str().unwrap())).collect()
}

/// What the runs of the scenarios in a folder do, but for lines and columns.
fn runs(folder: &Folder) -> String {
    let output = folder.run(&["--simulate", "--format", "json"]);
    let mut kept = String::with_capacity(output.out().len());
    // The report is too large to be parsed here.
    let mut end = None;
    for line in output.out().lines() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if line.trim_start() == "\"range\": {" {
            end = Some(indent);
        } else if end.is_none() {
            kept.push_str(line);
            kept.push('\n');
        } else if end == Some(indent) {
            end = None;
        }
    }
    kept
}

/// Formats the documents of a folder; whether all of them could be.
fn format(folder: &Folder, config: &str, options: &[&str]) -> bool {
    folder.write("wflint.toml", config);
    let is_done = folder.run(&[&["fmt", "--quiet", "--config", "wflint.toml"], options].concat()).code == 0;
    std::fs::remove_file(folder.file("wflint.toml")).unwrap();
    is_done
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn every_example_runs_the_same_in_each_form() {
    let folder = copy_of("examples");
    write_scenarios(&folder);
    let before = runs(&folder);
    assert!(before.matches("\"outcome\": ").count() > 40);
    // The documents of the examples are in their stable form.
    assert!(format(&folder, "[fmt]\neditor-state = 'drop'\norder = 'schema'\nindent = 0\n", &["--renumber-ids"]));
    assert!(runs(&folder) == before);
}

/// The documents of a service, one of them changed, with other changes to all of them.
fn write_changed(folder: &Folder, service: &str, at: usize, changes: &[Change], layout: Layout) {
    let files = std::fs::read_dir(folder.file(service)).unwrap().map(|entry| entry.unwrap().file_name());
    let mut files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    files.retain(|name| name.ends_with(".json"));
    files.sort();
    let name = format!("{service}/{}", files[at % files.len()]);
    let mut document = Tree::parse(&folder.read(&name));
    for change in changes {
        change.apply(&mut document);
    }
    folder.write(name, document.write(layout));
}

/// Formats documents, and checks that lint sees the same, but for the codes that editor state gives.
fn check_findings(folder: &Folder, config: &str) -> Result<(), TestCaseError> {
    let may_change = if config.contains("drop") { &OF_EDITOR_STATE[..] } else { &[] };
    let before = without(findings(folder), may_change);
    // Duplicate keys: the document is left as it is.
    if format(folder, config, &[]) {
        prop_assert_eq!(without(findings(folder), may_change), before);
        folder.write("wflint.toml", config);
        prop_assert_eq!(folder.run(&["fmt", "--check"]).code, 0, "the second run changes nothing");
        std::fs::remove_file(folder.file("wflint.toml")).unwrap();
    }
    Ok(())
}

/// Gives new ids, and checks that lint finds nothing else, and what it found before.
fn check_renumbered(folder: &Folder) -> Result<(), TestCaseError> {
    // Messages show ids, and form scripts and others may compare them.
    let keys =
        |found: Vec<[Value; 4]>| -> Vec<[Value; 3]> { found.into_iter().map(|[a, b, c, _]| [a, b, c]).collect() };
    let before = findings(folder);
    if format(folder, "", &["--renumber-ids"]) {
        let after = findings(folder);
        prop_assert_eq!(keys(without(after.clone(), &OF_IDS)), keys(without(before.clone(), &OF_IDS)));
        let before = keys(before);
        let new: Vec<_> = keys(after).into_iter().filter(|found| !before.contains(found)).collect();
        prop_assert!(new.is_empty(), "new findings: {new:?}");
        prop_assert!(folder.run(&["fmt", "--renumber-ids", "--check"]).code == 0, "the second run changes nothing");
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    #[ignore = "slow: `.ci/full slow`"]
    fn formatting_changes_no_finding(
        workflow in workflow(), form in form(), layout in layout(), config in select(&CONFIGS[..]),
    ) {
        let (workflow, form) = (workflow.write(layout), form.write(Layout::PLAIN));
        let folder = Folder::with(&[("a.workflow.json", &workflow), ("a.form.json", &form)]);
        check_findings(&folder, config)?;
        check_renumbered(&folder)?;
    }

    #[test]
    fn formatting_changes_no_finding_of_a_service(
        service in select(&EXAMPLE_SERVICES[..]), at in 0..4usize, changes in changes(), config in select(&CONFIGS[..]),
    ) {
        let mut files: Vec<(&str, String)> = service.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        let at = at % files.len();
        let mut document = Tree::parse(&files[at].1);
        for change in &changes {
            change.apply(&mut document);
        }
        files[at].1 = document.write(Layout::PLAIN);
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let folder = Folder::with(&files);
        check_findings(&folder, config)?;
        check_renumbered(&folder)?;
    }
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    #[ignore = "slow: `.ci/full slow`"]
    fn formatting_changes_no_run(
        service in select(&SERVICES[..]), at in 0..4usize, changes in changes(), layout in layout(),
        config in select(&CONFIGS[..]), renumbers in any::<bool>(),
    ) {
        let folder = copy_of("examples");
        for other in SERVICES.iter().chain(&["broken"]).filter(|other| **other != service) {
            std::fs::remove_dir_all(folder.file(other)).unwrap();
        }
        write_changed(&folder, service, at, &changes, layout);
        write_scenarios(&folder);
        let before = runs(&folder);
        if format(&folder, config, if renumbers { &["--renumber-ids"] } else { &[] }) {
            prop_assert_eq!(runs(&folder), before);
        }
    }
}
