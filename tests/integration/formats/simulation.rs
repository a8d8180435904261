//! Runs in the formats of CI: a failed expectation stands at its line of the scenario file.

use crate::support::folder::{Folder, copy_of};
use crate::support::run::SIMULATION_FORMATS;

/// A scenario with wrong expectations, and one that cannot be run.
fn failing() -> Folder {
    let folder = copy_of("examples/sign-upload");
    let scenario = folder.read("signed.scenario.yaml");
    folder.write("signed.scenario.yaml", scenario.replace("ESignStatus: Finished", "ESignStatus: Nope"));
    folder.write("broken.scenario.yaml", "workflow: order.workflow.json\nexpectt: {}\n");
    folder
}

#[test]
fn failed_expectation_stands_at_its_line() {
    let folder = failing();
    let scenario = folder.read("signed.scenario.yaml");
    let line = 1 + scenario.lines().position(|line| line.contains("ESignStatus: Nope")).unwrap();
    let run = |format: &str| folder.run(&["--simulate", "--format", format]).expect_code(2);
    let concise = run("concise");
    let expected = format!(
        "signed.scenario.yaml:{line}:16: expectation error variables.ESignStatus: expected Nope, found Finished"
    );
    let lines: Vec<&str> = concise.out().lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, expected.as_str()), "{lines:?}");
    assert!(lines[1].starts_with("broken.scenario.yaml:2:1: scenario error unknown key `expectt`"), "{lines:?}");
    let github = run("github");
    assert!(github.out().starts_with(&format!("::error file=signed.scenario.yaml,line={line},endLine={line},col=16,")));
    assert_eq!(github.out().lines().count(), 2, "{}", github.out());
    let markdown = run("markdown");
    assert!(markdown.out().contains(&format!("signed.scenario.yaml:{line}:16")), "{}", markdown.out());
    assert!(markdown.out().starts_with("## wflint\n\n5 scenarios: 4 passed, 1 failed.\n"), "{}", markdown.out());
}

#[test]
fn every_kind_of_expectation_has_a_line() {
    let folder = copy_of("examples/sign-upload");
    let scenario = folder.read("signed.scenario.yaml");
    let (before, _) = scenario.split_once("expect:").unwrap();
    let expectations = [
        "outcome: terminated",
        "variables: { ESignStatus: Nope }",
        "statuses: [Nope]",
        "elapsed: { at-most: 1h }",
        "calls: { Get-ZPESignDocumentSignatureStatus: 1 }",
        "mails: [{ to: nobody@example.com }]",
        "failure: Nope",
    ];
    folder.write("signed.scenario.yaml", format!("{before}expect:\n  {}\n", expectations.join("\n  ")));
    let output = folder.run(&["--simulate", "signed.scenario.yaml", "--format", "concise"]).expect_code(1);
    let first = 2 + before.lines().count();
    let lines: Vec<usize> = output.out().lines().map(|line| line.split(':').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(lines, (first..first + expectations.len()).collect::<Vec<_>>(), "{}", output.out());
}

#[test]
fn several_reports_of_one_run() {
    let folder = failing();
    let shown = folder.run(&["--simulate", "signed.scenario.yaml"]).expect_code(1);
    let mut args = vec!["--simulate".to_owned(), "signed.scenario.yaml".to_owned()];
    for format in SIMULATION_FORMATS {
        args.extend(["--output".to_owned(), format!("{format}:out.{format}")]);
    }
    assert_eq!(folder.run(&args).expect_code(1).out(), shown.out());
    for format in SIMULATION_FORMATS {
        let alone = folder.run(&["--simulate", "signed.scenario.yaml", "--format", format]);
        assert_eq!(folder.read(format!("out.{format}")), alone.out(), "{format}");
    }
    for format in ["sarif", "gitlab", "rdjson", "checkstyle", "azure"] {
        let output = folder.run(&["--simulate", "--output", &format!("{format}:x")]).expect_code(2);
        assert!(output.err().contains("supports the formats `human`, `concise`"), "{}", output.err());
    }
}
