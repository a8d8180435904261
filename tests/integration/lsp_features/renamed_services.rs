//! A service whose variables and prefixes have other names has the findings and the runs that it had.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use wflint::facts::{output_sites, variable_names};
use wflint::lsp::features::{Snapshot, rename};
use wflint::text::diagnostic::FileId;

use super::editor::Editor;
use crate::support::folder::{Folder, copy_of};
use crate::support::generated::write_scenarios;
use crate::support::lint_folder;

/// The names that are renamed, by new name.
type Renamed = BTreeMap<String, String>;

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn renamed_service_has_the_findings_and_runs_that_it_had() {
    let mut tried = 0;
    for source in ["examples", "tests/corpus/ok", "tests/corpus/broken"] {
        let folder = copy_of(source);
        if source != "examples" {
            write_scenarios(&folder);
        }
        let before = (findings(folder.path()), runs(&folder));
        let mut renamed = Renamed::new();
        for index in 0..Editor::services(folder.path()) {
            rename_all(folder.path(), index, &mut renamed);
        }
        tried += renamed.len();
        let names = |text: &str| with_old_names(text, &renamed);
        let findings: Vec<String> = findings(folder.path()).iter().map(|found| names(found)).collect();
        for (before, after) in before.0.iter().zip(&findings) {
            assert_eq!(before, after);
        }
        assert_eq!(before.0.len(), findings.len());
        assert_same_lines(&before.1, &with_old_names_in(runs(&folder), &renamed));
    }
    assert!(tried > 60, "{tried}");
}

fn assert_same_lines(before: &Value, after: &Value) {
    let [before, after] = [before, after].map(|value| serde_json::to_string_pretty(value).unwrap());
    for (line, other) in before.lines().zip(after.lines()) {
        assert_eq!(line, other);
    }
    assert_eq!(before.lines().count(), after.lines().count());
}

/// Renames everything that can be renamed in one service of a folder.
fn rename_all(folder: &Path, index: usize, renamed: &mut Renamed) {
    let editor = Editor::open(folder, index);
    let mut all = editor.ask(names);
    all.sort();
    all.dedup_by(|next, name| next.0 == name.0);
    let mut edits = Vec::new();
    all.retain(|(name, file, offset)| {
        // So similar that a mistyped name is still near the one that was meant.
        let new = format!("z{}", plain(name));
        let found = editor.ask(|snapshot| rename(snapshot, *file, *offset, &new));
        let is_renamed = found.is_ok();
        edits.extend(found.unwrap_or_default());
        if is_renamed {
            renamed.insert(new, plain(name).to_owned());
        }
        is_renamed
    });
    edits.sort_by_key(|edit| (edit.file, edit.span));
    for (file, text) in editor.edited(&edits) {
        std::fs::write(editor.path(file), text).unwrap();
    }
    let left = Editor::open(folder, index).ask(names);
    let is_left = |(name, ..): &&(String, FileId, u32)| all.iter().any(|(renamed, ..)| renamed == name);
    assert_eq!(left.iter().find(is_left), None);
}

/// A name of [`names`] as it is written.
fn plain(name: &str) -> &str {
    name.strip_prefix("prefix ").unwrap_or(name)
}

/// The names of variables, and the prefixes, with a place of each.
fn names(snapshot: &Snapshot) -> Vec<(String, FileId, u32)> {
    snapshot.analyze(|service| {
        let names =
            variable_names(service).into_iter().map(|found| (found.name.to_owned(), found.file, found.span.start));
        let prefixes = output_sites(service)
            .filter_map(|site| Some((format!("prefix {}", site.prefix()?), site.file, site.span.start)));
        prefixes.chain(names).collect()
    })
}

/// Every finding, without lines and columns.
fn findings(folder: &Path) -> Vec<String> {
    let outcome = lint_folder(folder);
    let line = |found: &wflint::text::diagnostic::Diagnostic| {
        let file = &outcome.sources[&found.location.file].name;
        format!("{file} {} {} {}", found.code, found.location.pointer, found.message)
    };
    outcome.diagnostics.iter().map(|found| line(found)).collect()
}

/// What the scenarios of a folder do, without places in files.
fn runs(folder: &Folder) -> Value {
    let mut report = folder.run(&["--simulate", "--format", "json"]).json();
    remove_places(&mut report);
    report["scenarios"].take()
}

fn remove_places(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, _| key != "range");
            members.values_mut().for_each(remove_places);
        }
        Value::Array(elements) => elements.iter_mut().for_each(remove_places),
        _ => {}
    }
}

fn with_old_names_in(value: Value, renamed: &Renamed) -> Value {
    match value {
        Value::String(text) => Value::String(with_old_names(&text, renamed)),
        Value::Array(elements) => elements.into_iter().map(|element| with_old_names_in(element, renamed)).collect(),
        Value::Object(members) => {
            let old =
                |(key, member): (String, Value)| (with_old_names(&key, renamed), with_old_names_in(member, renamed));
            Value::Object(members.into_iter().map(old).collect())
        }
        other => other,
    }
}

fn with_old_names(text: &str, renamed: &Renamed) -> String {
    let mut names: Vec<(&String, &String)> = renamed.iter().collect();
    // A name may be the beginning of another one.
    names.sort_by_key(|(new, _)| std::cmp::Reverse(new.len()));
    names.iter().fold(text.to_owned(), |text, (new, old)| text.replace(new.as_str(), old))
}
