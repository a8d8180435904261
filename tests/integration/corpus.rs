//! The corpus: correct folders in `tests/corpus/ok`, which must have no findings of recommended rules, parts of documents in
//! `tests/corpus/partial`, which have none but infos, services as they are before their first lint in `tests/corpus/first`, and faulty folders in
//! `tests/corpus/broken`. Findings are pinned.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::support::snapshot::settings;
use crate::support::{lint_by, lint_folder};
use insta::assert_snapshot;
use wflint::lint::Outcome;
use wflint::report::{Format, Report, Style};

#[test]
fn correct_corpus_reports_no_errors_or_warnings() {
    let mut infos = String::new();
    let mut wrong = String::new();
    for (name, folder) in folders("ok").into_iter().chain(folders("partial")) {
        let outcome = lint_folder(&folder);
        let _ = writeln!(infos, "{name}");
        for line in concise(&outcome).lines() {
            let _ = writeln!(infos, "  {line}");
        }
        let summary = outcome.summary;
        if summary.errors + summary.warnings > 0 || summary.files == 0 || summary.skipped > 0 {
            let _ = writeln!(wrong, "{name}: {summary:?}\n{}", concise(&outcome));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    settings().bind(|| assert_snapshot!("corpus_ok", infos));
}

/// What is right, and what documents may leave open, is no finding of the default selection.
#[test]
fn recommended_rules_are_silent_about_correct_services() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    // `rules` has no documents.
    let is_example = |path: &PathBuf| path.is_dir() && !path.ends_with("broken") && !path.ends_with("rules");
    let examples = std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()).filter(is_example);
    for folder in folders("ok").into_iter().map(|(_, folder)| folder).chain(examples) {
        let outcome = lint_by(Vec::new(), &folder, vec![".".into()]);
        assert_eq!(concise(&outcome), "", "{}", folder.display());
        assert!(outcome.summary.files > 0);
    }
}

/// Services of teams that have not used wflint before: what the first lint reports is little, and worth a fix.
#[test]
fn first_lint_of_a_service_has_few_findings() {
    let mut found = String::new();
    for (name, folder) in folders("first") {
        let outcome = lint_by(Vec::new(), &folder, vec![".".into()]);
        // The types that nothing declares are errors for now.
        let findings = concise(&outcome);
        let findings: String = findings.split_inclusive('\n').filter(|line| !line.contains(" WF006 ")).collect();
        assert!((1..=8).contains(&findings.lines().count()), "{name}:\n{findings}");
        let _ = writeln!(found, "{name}");
        for line in findings.lines() {
            let _ = writeln!(found, "  {line}");
        }
    }
    settings().bind(|| assert_snapshot!("corpus_first", found));
}

#[test]
fn broken_corpus_reports_findings() {
    for (name, folder) in folders("broken") {
        let outcome = lint_folder(&folder);
        assert!(outcome.summary.errors + outcome.summary.warnings > 0, "no finding in {name}");
        let snapshot = format!("corpus_broken_{}", name.replace('-', "_"));
        settings().bind(|| assert_snapshot!(snapshot, concise(&outcome)));
    }
}

/// The folders of a part of the corpus by name, sorted.
fn folders(part: &str) -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(part);
    let entries = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = entries
        .filter(|path| path.is_dir())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .collect();
    folders.sort();
    folders
}

fn concise(outcome: &Outcome) -> String {
    let mut bytes = Vec::new();
    Report { outcome, style: Style::default() }.write(Format::Concise, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}
