//! Reports of survivors.

use super::service::service;
use crate::support::folder::Folder;

const MESSAGE: &str = "no scenario notices that `stopOnError` of `Find user` is false";
const CLAUSE: &str = "`stopOnError` of `Find user` is false";

fn with_hole() -> Folder {
    let folder = service();
    std::fs::remove_file(folder.file("fails.scenario.yaml")).unwrap();
    folder
}

fn line_of(folder: &Folder, part: &str) -> usize {
    1 + folder.read("order.workflow.json").lines().position(|line| line.contains(part)).unwrap()
}

#[test]
fn people_see_the_lines_of_the_document() {
    let folder = with_hole();
    let output = folder.run(&["--simulate", "--mutants"]).expect_code(1);
    let shown = output.out();
    let line = format!("  {}:22  toggle-stop-on-error  {CLAUSE}\n", line_of(&folder, "stopOnError"));
    let survivors = format!("\norder.workflow.json: no scenario notices that\n{line}\n");
    assert!(shown.contains(&survivors), "{shown}");
    assert!(shown.ends_with("2 scenarios passed.\n14 of 15 changes noticed (93.3%), 1 survived.\n"), "{shown}");
    let quiet = folder.run(&["--simulate", "--mutants", "--quiet"]).expect_code(1);
    assert_eq!(quiet.out(), &survivors[1..]);
}

#[test]
fn other_formats_list_survivors_as_failures() {
    let folder = with_hole();
    let line = line_of(&folder, "stopOnError");
    let run =
        |format: &str| folder.run(&["--simulate", "--mutants", "--format", format]).expect_code(1).out().to_owned();
    let place = format!("order.workflow.json:{line}:22");
    assert_eq!(run("concise"), format!("{place}: toggle-stop-on-error warning {MESSAGE}\n"));
    let github = run("github");
    assert!(
        github.starts_with(&format!("::warning file=order.workflow.json,line={line},endLine={line},col=22,")),
        "{github}"
    );
    assert!(github.ends_with(&format!(",title=surviving mutant::{MESSAGE}\n")), "{github}");
    let markdown = run("markdown");
    assert!(markdown.contains("14 of 15 changes noticed (93.3%), 1 survived."), "{markdown}");
    assert!(markdown.contains(&format!("| surviving mutant | <code>{place}</code> |")), "{markdown}");
    let junit = run("junit");
    assert!(
        junit.contains("<testsuite name=\"wflint mutants\" tests=\"1\"") && junit.contains("failures=\"1\""),
        "{junit}"
    );
    assert!(junit.contains(&format!("toggle-stop-on-error at {place}")), "{junit}");
}

#[test]
fn document_that_is_only_linted_is_not_overwritten() {
    let folder = with_hole();
    let form = "{\"fields\": [], \"variables\": []}";
    folder.write("order.form.json", form);
    let output = folder.run(&["--simulate", "--mutants", "--output", "order.form.json"]).expect_code(2);
    assert!(output.err().contains("order.form.json") && folder.read("order.form.json") == form, "{}", output.err());
}

#[test]
fn report_in_a_file_has_a_line_for_the_terminal() {
    let folder = with_hole();
    let output = folder.run(&["--simulate", "--mutants", "--output", "report", "--output", "json:report.json"]);
    assert_eq!(output.expect_code(1).out(), "2 scenarios passed.\n14 of 15 changes noticed (93.3%), 1 survived.\n");
    assert!(folder.read("report").contains(CLAUSE) && folder.read("report.json").contains("\"mutants\": {"));
}
