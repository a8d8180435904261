//! `wflint init --all`, and `wflint init` below a configuration.

use crate::support::folder::{Folder, copy_of};

const MODULE: &str = "function New-Badge {\n  param([Parameter(Mandatory)][string] $Name, [string] $Prefix)\n  \
                      return @{ Number = 1 }\n}\n";

const WORKFLOW: &str = r#"{ "activities": [
  { "name": "Print", "type": "Provider", "method": "New-Badge", "module": "Activity.Doors", "providerParameters": [
    { "name": "Name", "value": { "state": "static", "value": "Kim" } } ] },
  { "name": "Call", "type": "Provider", "method": "Send-Text", "module": "Activity.Phones", "providerParameters": [] },
  { "name": "Both", "type": "Fork", "activities": [{ "name": "Mail", "type": "Postcard" }] }
], "variables": [] }"#;

fn exports() -> Folder {
    Folder::with(&[
        ("orders/order.workflow.json", WORKFLOW),
        ("orders/order.form.json", r#"{ "fields": [{ "name": "A", "type": "Slider" }], "variables": [] }"#),
        ("plugin/Activity.Doors.psm1", MODULE),
    ])
}

#[test]
fn everything_is_written_once() {
    let folder = exports();
    let first = folder.run(&["init", "--all"]).expect_code(0);
    for line in [
        "Wrote catalogs/Doors.toml\n",
        "Wrote catalogs/Phones.toml\n",
        "Created wflint.toml\n",
        "Created orders/order.scenario.yaml\n",
        "Created .github/workflows/wflint.yml\n",
        "Created .pre-commit-config.yaml\n",
    ] {
        assert!(first.out().contains(line), "{line}: {}", first.out());
    }
    let config = folder.read("wflint.toml");
    for set in [
        "\ncatalogs = [\"catalogs/*.toml\"]\n",
        "\n[types]\nactivities = { Fork = \"container\", Postcard = \"leaf\" }\nfields = [\"Slider\"]\n",
    ] {
        assert!(config.contains(set) && !config.contains("Nothing is set"), "{config}");
    }
    assert_eq!(folder.found(&["--select", "WF006,WF202,WF620"]), [""; 0]);
    folder.run(&["simulate"]).expect_code(0);
    let second = folder.run(&["init", "--all"]).expect_code(0);
    assert!(!second.out().contains("Wrote ") && !second.out().contains("Created "), "{}", second.out());
    assert!(second.out().contains("Kept wflint.toml\n"), "{}", second.out());
    assert_eq!(folder.read("wflint.toml"), config);
}

#[test]
fn configuration_in_which_nothing_was_set_is_replaced() {
    let folder = exports();
    folder.run(&["init"]).expect_code(0);
    let first = folder.run(&["init", "--all"]).expect_code(0);
    assert!(first.out().contains("Replaced wflint.toml, in which nothing was set\n"), "{}", first.out());
    assert_eq!(folder.found(&["--select", "WF006,WF202,WF620"]), [""; 0]);
    assert!(folder.run(&["init", "--all"]).expect_code(0).out().contains("Kept wflint.toml\nKept "));
}

#[test]
fn kept_configuration_is_told_what_it_lacks() {
    let folder = exports();
    let lacks = "\ncatalogs = [\"catalogs/*.toml\"]\n[types]\n\
                 activities = { Fork = \"container\", Postcard = \"leaf\" }\nfields = [\"Slider\"]\n";
    folder.write("wflint.toml", "fail-on = 'error'\n");
    for _ in 0..2 {
        let output = folder.run(&["init", "--all"]).expect_code(0);
        assert!(output.out().contains("Kept wflint.toml\nIt does not name all that is here"), "{}", output.out());
        assert!(output.out().contains(lacks) && !output.err().contains("Every method"), "{}", output.out());
    }
    folder.write("wflint.toml", format!("fail-on = 'error'\n{lacks}"));
    assert!(folder.run(&["init", "--all"]).expect_code(0).out().contains("Kept wflint.toml\nKept "));
    assert_eq!(folder.found(&["--select", "WF006,WF202,WF620"]), [""; 0]);
}

#[test]
fn what_exists_is_kept() {
    let folder = exports();
    let own = ("wflint.toml", "# mine\n");
    for (name, text) in [own, ("orders/own.scenario.yaml", "mine"), (".gitlab-ci.yml", "mine")] {
        folder.write(name, text);
    }
    let output = folder.run(&["init", "--all"]).expect_code(0);
    for kept in ["Kept wflint.toml\n", "Kept orders/own.scenario.yaml\n", "Kept .gitlab-ci.yml\n"] {
        assert!(output.out().contains(kept), "{kept}: {}", output.out());
    }
    assert!(!folder.file(".github").exists() && !folder.file("orders/order.scenario.yaml").exists());
    assert_eq!(folder.read("wflint.toml"), own.1);
    folder.run(&["init", "--all", "--ci", "github"]).expect_code(0);
    assert!(folder.file(".github/workflows/wflint.yml").exists());
}

#[test]
fn folder_without_documents_gets_what_it_can() {
    let folder = Folder::with(&[]);
    let output = folder.run(&["init", "--all"]).expect_code(0);
    assert_eq!(
        output.out(),
        "Created wflint.toml\nCreated .github/workflows/wflint.yml\nCreated .pre-commit-config.yaml\n"
    );
}

#[test]
fn folder_of_a_repository_says_where_it_writes() {
    let folder = copy_of("examples/approval");
    folder.write(".git/HEAD", "ref: refs/heads/main\n");
    folder.write("wflint.toml", "ignore = ['WF110']\n");
    folder.write("sub one/order.workflow.json", WORKFLOW);
    let run = |args: &[&str]| {
        crate::support::run::run_cli(args, &folder.file("sub one"), b"").expect_code(0).out().to_owned()
    };
    assert_eq!(run(&["init"]), "Created wflint.toml, which extends ../wflint.toml\n");
    assert_eq!(
        run(&["init", "--ci", "github", "--ci", "gitlab", "--pre-commit"]),
        "Created ../.github/workflows/wflint.yml\nCreated ../.gitlab-ci.yml\nCreated ../.pre-commit-config.yaml\n"
    );
    assert!(folder.read(".github/workflows/wflint.yml").contains("\n          paths: \"sub one\"\n"));
    assert!(folder.read(".gitlab-ci.yml").contains("\n    WFLINT_PATHS: \"sub one\"\n"));
}
