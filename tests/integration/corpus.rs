//! The corpus: correct folders in `tests/corpus/ok`, which must have no findings, and faulty ones in
//! `tests/corpus/broken`, whose findings are pinned.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::support::lint_folder;
use crate::support::snapshot::settings;
use insta::assert_snapshot;
use wflint::lint::Outcome;
use wflint::report::{Format, Report, Style};

#[test]
fn correct_corpus_reports_no_errors_or_warnings() {
    let mut infos = String::new();
    let mut wrong = String::new();
    for (name, folder) in folders("ok") {
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
