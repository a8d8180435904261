//! Which files are written, and that nothing is overwritten.

use crate::support::folder::{Folder, copy_of};

const EMPTY: &str = r#"{ "activities": [], "variables": [] }"#;

#[test]
fn options_name_the_files_and_work_together() {
    let folder = Folder::with(&[("sign/order.workflow.json", EMPTY)]);
    let arguments =
        ["init", "--pre-commit", "--ci", "gitlab", "--ci", "github", "--scenario", "sign/order.workflow.json"];
    let output = folder.run(&arguments).expect_code(0);
    assert_eq!(
        output.out(),
        "Created sign/order.scenario.yaml\nCreated .github/workflows/wflint.yml\nCreated .gitlab-ci.yml\nCreated \
         .pre-commit-config.yaml\n"
    );
    assert_eq!(output.err(), "");
    assert_eq!(folder.names(), [".github", ".gitlab-ci.yml", ".pre-commit-config.yaml", "sign"]);
    for file in [".github/workflows/wflint.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml"] {
        let text = folder.read(file);
        assert!(text.contains("Replace OWNER/wflint"), "{text}");
        assert!(!text.contains("when there are scenarios"), "one is written in the same run: {text}");
    }
    assert_eq!(folder.run(&["init"]).expect_code(0).out(), "Created wflint.toml\n");
}

#[test]
fn recipes_are_those_of_the_documentation() {
    let folder = Folder::with(&[("a.scenario.yaml", "")]);
    folder.run(&["init", "--ci", "github", "--ci", "gitlab", "--pre-commit"]).expect_code(0);
    let pages = [include_str!("../../../docs/ci.md"), include_str!("../../../docs/hooks.md")].concat();
    for file in [".github/workflows/wflint.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml"] {
        let text = folder.read(file);
        let recipe: String =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        assert!(pages.contains(&format!("```yaml\n{recipe}```")), "{file}: {text}");
    }
}

#[test]
fn without_scenarios_nothing_runs_them() {
    let folder = Folder::with(&[]);
    folder.run(&["init", "--ci", "github", "--ci", "gitlab", "--pre-commit"]).expect_code(0);
    for (file, line) in [
        (".github/workflows/wflint.yml", "          # simulate: true # when there are scenarios\n"),
        (".gitlab-ci.yml", "    # WFLINT_SIMULATE: \"true\" # when there are scenarios\n"),
        (".pre-commit-config.yaml", "      # - id: wflint-simulate # when there are scenarios\n"),
    ] {
        assert!(folder.read(file).contains(line), "{}", folder.read(file));
    }
}

#[test]
fn nothing_is_overwritten_nor_written_beside() {
    let folder = Folder::with(&[("a.workflow.json", EMPTY), (".gitlab-ci.yml", "mine"), ("wflint.toml", "# mine\n")]);
    let before = folder.names();
    let arguments = ["init", "--ci", "github", "--ci", "gitlab", "--scenario", "a.workflow.json"];
    let output = folder.run(&arguments).expect_code(2);
    assert_eq!(
        output.err(),
        "wflint: .gitlab-ci.yml exists; nothing was written, standard output shows what would have been\n"
    );
    for shown in ["# a.scenario.yaml:\n", "# .github/workflows/wflint.yml:\n", "# .gitlab-ci.yml:\n", "include:\n"] {
        assert!(output.out().contains(shown), "{shown}: {}", output.out());
    }
    let output = folder.run(&["init"]).expect_code(2);
    assert!(output.out().starts_with("# wflint.toml:\n## Written by"), "{}", output.out());
    assert_eq!((folder.read(".gitlab-ci.yml").as_str(), folder.read("wflint.toml").as_str()), ("mine", "# mine\n"));
    assert_eq!(folder.names(), before);
}

#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_replaced() {
    let (folder, outside) = (Folder::with(&[]), Folder::with(&[]));
    std::os::unix::fs::symlink("nowhere", folder.file("wflint.toml")).unwrap();
    let output = folder.run(&["init"]).expect_code(2);
    assert!(output.err().starts_with("wflint: wflint.toml exists"), "{}", output.err());
    std::os::unix::fs::symlink(outside.path(), folder.file(".github")).unwrap();
    let output = folder.run(&["init", "--ci", "github", "--pre-commit"]).expect_code(2);
    assert!(output.err().starts_with("wflint: cannot write .github/workflows/wflint.yml"), "{}", output.err());
    assert_eq!(outside.names(), [""; 0]);
    assert_eq!(folder.names(), [".github", "wflint.toml"]);
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = Folder::with(&[(".github", "a file, not a folder"), ("a.workflow.json", EMPTY)]);
    let arguments = ["init", "--pre-commit", "--ci", "github", "--scenario", "a.workflow.json"];
    let output = folder.run(&arguments).expect_code(2);
    assert!(output.err().starts_with("wflint: cannot write .github/workflows/wflint.yml: "), "{}", output.err());
    assert_eq!(output.out(), "");
    assert_eq!(folder.names(), [".github", "a.workflow.json"]);
}

#[test]
fn scenario_needs_a_workflow_that_can_be_read() {
    let folder = copy_of("tests/corpus/broken/cut-off");
    for (file, reason) in [
        ("none.json", "cannot read none.json"),
        (".", "cannot write a scenario for : expected a workflow, found a folder"),
        ("-", "`--scenario` takes the path of a workflow, not standard input"),
        ("empty.workflow.json", "cannot write a scenario for empty.workflow.json: invalid JSON"),
        ("latin-1.workflow.json", "cannot write a scenario for latin-1.workflow.json: not encoded in UTF-8"),
        ("package.json", "cannot write a scenario for package.json: not a workflow"),
    ] {
        let output = folder.run(&["init", "--scenario", file, "--pre-commit"]).expect_code(2);
        let reason = reason.replace("for :", "for the current folder:");
        assert!(output.err().starts_with(&format!("wflint: {reason}")), "{file}: {}", output.err());
        assert!(!folder.file(".pre-commit-config.yaml").exists());
    }
    let folder = Folder::with(&[("a.form.json", r#"{ "fields": [], "variables": [] }"#)]);
    let output = folder.run(&["init", "--scenario", "a.form.json"]).expect_code(2);
    assert_eq!(output.err(), "wflint: cannot write a scenario for a.form.json: expected a workflow, found a form\n");
}

#[test]
fn two_workflows_with_one_scenario_are_refused() {
    let folder = Folder::with(&[("a.json", EMPTY), ("a.workflow.json", EMPTY)]);
    let output = folder.run(&["init", "--scenario", "a.json", "--scenario", "a.workflow.json"]).expect_code(2);
    assert_eq!(output.err(), "wflint: two of the workflows have the scenario a.scenario.yaml; name one\n");
    folder.run(&["init", "--scenario", "a.json", "--scenario", "a.json"]).expect_code(0);
}
