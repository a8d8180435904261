//! `--output`: one report in place of standard output, and any number of further ones.

use crate::support::folder::{Folder, copy_of};
use crate::support::run::{findings_of, format_names, process};
use crate::support::samples::{ERROR, FINE};

#[test]
fn further_reports_leave_standard_output_unchanged() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let shown = folder.run(&["a.json"]).expect_code(1);
    let output = folder.run(&["a.json", "--output", "json:a.out", "--output", "sarif:b.out"]).expect_code(1);
    assert_eq!(output.out(), shown.out());
    assert_eq!(findings_of(&serde_json::from_str(&folder.read("a.out")).unwrap()), ["a.json WF101 error"]);
    assert_eq!(folder.read("b.out"), folder.run(&["a.json", "--format", "sarif"]).out());
}

#[test]
fn every_format_may_be_a_further_report() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    for format in format_names() {
        folder.run(&["a.json", "--output", &format!("{format}:out/../further")]).expect_code(2);
        folder.run(&["a.json", "--output", &format!("{format}:further")]).expect_code(1);
        assert_eq!(folder.read("further"), folder.run(&["a.json", "--format", &format]).out(), "{format}");
    }
}

#[test]
fn one_file_may_replace_standard_output_beside_further_ones() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let args = ["a.json", "--output", "gitlab:g", "--format", "concise", "--output", "main", "--output", "junit:j"];
    let output = folder.run(&args).expect_code(1);
    assert_eq!(output.out(), "Found 1 error in 1 file.\n");
    assert!(folder.read("main").starts_with("a.json:2:93: WF101"));
    assert!(folder.read("g").starts_with("[\n") && folder.read("j").starts_with("<?xml"));
}

#[test]
fn drive_letter_is_no_format() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    folder.run(&["a.json", "--output", "C:report"]).expect_code(1);
    assert!(folder.read("C:report").contains("WF101"));
}

#[test]
fn file_is_written_once() {
    let folder = Folder::with(&[("a.json", ERROR), ("old", "")]);
    for args in [
        &["--output", "x", "--output", "y"][..],
        &["--output", "json:x", "--output", "sarif:./x"],
        &["--output", "x", "--output", "sarif:x"],
        &["--output", "sarif:"],
        &["--output", ""],
    ] {
        let output = folder.run(&[&["a.json"], args].concat()).expect_code(2);
        assert_eq!((output.out(), folder.names()), ("", vec!["a.json".to_owned(), "old".to_owned()]), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn file_is_written_once_also_through_links() {
    let folder = Folder::with(&[("a.json", ERROR), ("old", "")]);
    std::os::unix::fs::symlink(folder.file("old"), folder.file("link")).unwrap();
    std::fs::hard_link(folder.file("old"), folder.file("hard")).unwrap();
    for other in ["link", "hard"] {
        let output = folder.run(&["a.json", "--output", "json:old", "--output", &format!("sarif:{other}")]);
        let output = output.expect_code(2);
        assert_eq!(output.err(), format!("wflint: `--output` names {other} twice\n"));
    }
}

#[test]
fn files_that_the_run_reads_are_refused() {
    let folder = Folder::with(&[("a.json", ERROR), ("wflint.toml", "")]);
    for file in ["a.json", "wflint.toml"] {
        let before = folder.read(file);
        let output = folder.run(&["--output", "json:fine", "--output", &format!("sarif:{file}"), "."]).expect_code(2);
        assert!(output.err().contains("would overwrite"), "{}", output.err());
        assert_eq!((folder.read(file), folder.names()), (before, vec!["a.json".to_owned(), "wflint.toml".to_owned()]));
    }
}

#[test]
fn scenarios_are_refused_by_every_command() {
    let folder = copy_of("examples/mailbox");
    let link = folder.file("link");
    let (name, before) = ("created.scenario.yaml", folder.read("created.scenario.yaml"));
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.file(name), &link).unwrap();
    for args in [
        &["."] as &[&str],
        &["order.workflow.json"],
        &["explore"],
        &["graph", "--format", "svg", "order.workflow.json"],
        &["--show-files"],
        &["--show-settings", "."],
    ] {
        for target in [Some(name), link.exists().then_some("link")].into_iter().flatten() {
            let output = folder.run(&[args, &["--output", target]].concat()).expect_code(2);
            assert!(output.err().contains(&format!("`--output` would overwrite {target}, ")), "{}", output.err());
        }
        assert_eq!(folder.read(name), before, "{args:?}");
    }
    folder.run(&["order.workflow.json", "--output", "new.scenario.json"]);
    assert!(folder.file("new.scenario.json").exists(), "no scenario was there");
}

#[test]
fn options_that_report_nothing_refuse_further_reports() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for option in ["--show-files", "--show-settings"] {
        let output = folder.run(&[option, "--output", "json:x"]).expect_code(2);
        assert_eq!(output.err(), format!("wflint: `{option}` writes no report: use `--output FILE`\n"));
    }
}

#[test]
fn diff_and_further_reports_go_together() {
    let folder = copy_of("examples/broken");
    let shown = folder.run(&["--diff", "--unsafe-fixes"]).expect_code(1);
    let output = folder.run(&["--diff", "--unsafe-fixes", "--output", "concise:x"]).expect_code(1);
    assert_eq!(output.out(), shown.out());
    assert!(folder.read("x").contains("WF603"));
}

#[test]
fn step_summary_is_appended_to() {
    let folder = Folder::with(&[("a.json", ERROR), ("summary.md", "# Before\n\n"), ("other.md", "old")]);
    let run = |output: &str| {
        let mut command = process(folder.path());
        command.env("GITHUB_STEP_SUMMARY", folder.file("summary.md"));
        command.args(["a.json", "--output", output]).assert().code(1);
    };
    run(&format!("markdown:{}", folder.file("summary.md").display()));
    run("markdown:other.md");
    let report = folder.run(&["a.json", "--format", "markdown"]).stdout;
    let report = String::from_utf8(report).unwrap();
    assert_eq!(folder.read("summary.md"), format!("# Before\n\n{report}"));
    assert_eq!(folder.read("other.md"), report);
}
