//! docs/assumptions.md and the code agree: numbers are in order, and what cites one, and what is cited, exists.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::folder::Folder;
use wflint::model::{Assumption, AssumptionRow};

/// The texts of the files that may cite assumptions, but for the table and the tests.
fn citing() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let walk = ["src", "docs", "rules", "README.md"].into_iter().flat_map(|part| ignore::Walk::new(root.join(part)));
    let paths = walk.map(|entry| entry.unwrap().into_path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|it| it == "md" || it == "rs")).collect();
    paths.retain(|path| !path.ends_with("docs/assumptions.md") && !path.ends_with("src/model/assumption.rs"));
    paths.iter().map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

/// `A7` as a word; in code, in comments that name the page.
fn numbers(path: &str, text: &str) -> Vec<u8> {
    let lines = text.lines().filter(|line| path.ends_with(".md") || line.contains("assumptions.md"));
    let words = lines.flat_map(|line| line.split(|char: char| !char.is_alphanumeric()));
    words.filter_map(|word| word.strip_prefix('A')?.parse().ok()).collect()
}

#[test]
fn rows_are_numbered_in_order_and_differ() {
    let found: Vec<u8> = AssumptionRow::all().map(|row| row.number).collect();
    let mut sorted = found.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (1..).take(found.len()).collect::<Vec<u8>>(), "a new row has the next number");
    let texts: BTreeSet<&str> = AssumptionRow::all().map(|row| row.text).collect();
    assert!(texts.len() + 1 >= found.len(), "two rows with one text");
    assert!(found.len() < 64, "a set of assumptions is a `u64`");
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/assumptions.md")).unwrap();
    assert_eq!(page.lines().filter(|line| line.starts_with("| A")).count(), found.len(), "a row cannot be read");
}

#[test]
fn what_the_code_assumes_is_in_the_table() {
    for &assumption in Assumption::ALL {
        assert!(!assumption.text().is_empty(), "{assumption} has no row");
        assert!(!assumption.text().ends_with('.'), "{assumption} ends with a period");
        assert_eq!(Assumption::with_text(assumption.text()), Some(assumption));
    }
}

#[test]
fn each_assumption_is_cited_and_each_citation_is_one() {
    let (texts, known) = (citing(), AssumptionRow::all().map(|row| row.number).collect::<BTreeSet<u8>>());
    let mut cited = BTreeSet::new();
    for (path, text) in &texts {
        for number in numbers(path, text) {
            assert!(known.contains(&number), "{path} cites A{number}, which is not in docs/assumptions.md");
            cited.insert(number);
        }
        let used = Assumption::ALL.iter().filter(|it| text.contains(&format!("Assumption::{it:?}")));
        cited.extend(used.map(|assumption| *assumption as u8));
    }
    assert_eq!(known.difference(&cited).collect::<Vec<_>>(), [&0; 0], "nothing cites these");
}

#[test]
fn explain_prints_an_assumption() {
    let output = Folder::with(&[]).run(&["explain", "a19"]).expect_code(0);
    assert_eq!(
        output.out(),
        "A19: an assumption about what the platform does not document\n\
         \x20 open question:   status of a case before anybody acts\n\
         \x20 wflint assumes:  a case without a verdict has the status `Sent`\n\
         docs/assumptions.md lists all assumptions.\n"
    );
    assert!(
        Folder::with(&[])
            .run(&["explain", "A99"])
            .expect_code(2)
            .err()
            .contains("unknown assumption `A99`; they are A1 to A")
    );
}
