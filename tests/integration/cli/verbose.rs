//! `--verbose`: settings, files and scripts of a lint, on standard error.

use crate::support::folder::{Folder, copy_of};
use crate::support::samples::{ERROR, UNRELATED};

#[test]
fn verbose_lint_shows_settings_files_and_scripts_on_standard_error() {
    let folder = Folder::with(&[
        ("wflint.toml", "ignore = ['WF414']\n[limits]\nmax-depth = 9"),
        ("a.json", ERROR),
        ("other.json", UNRELATED),
    ]);
    let plain = folder.run(&["--format", "json"]).expect_code(1);
    let output = folder.run(&["-v", "--format", "json", "--fail-on", "error"]).expect_code(1);
    assert_eq!(output.out(), plain.out());
    let lines: Vec<&str> = output.err().lines().collect();
    let wanted = [
        "settings, wflint.toml: fail-on (command line), ignore (wflint.toml:1), limits.max-depth (wflint.toml:3)",
        "a.json: workflow of service `.`",
        "other.json: skipped, neither a workflow, a form nor a signing case",
        "scripts: none was run",
    ];
    assert_eq!(lines, wanted);
    assert_eq!(plain.err(), "");
    let isolated = folder.run(&["--verbose", "--isolated", "a.json"]).expect_code(1);
    assert!(isolated.err().starts_with("settings, no wflint.toml: defaults\na.json: "), "{}", isolated.err());
}

#[test]
fn verbose_lint_says_whether_the_script_process_is_filtered() {
    let folder = copy_of("examples");
    let said = |args: &[&str]| {
        let output = folder.run(args);
        output.err().lines().last().unwrap_or_default().to_owned()
    };
    assert!(said(&["-v"]).starts_with("scripts: run in a process whose system calls are "), "{}", said(&["-v"]));
    assert_eq!(said(&["-v", "--no-scripts"]), "scripts: none was run");
}

#[test]
fn verbose_is_not_for_simulations_nor_quiet_runs() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    for other in ["--simulate", "--quiet"] {
        folder.run(&["-v", other]).expect_code(2);
    }
}
