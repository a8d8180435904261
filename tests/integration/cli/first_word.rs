//! The first word: a command, a path, or a mistyped command.

use crate::support::folder::{Folder, copy_of};
use crate::support::samples::{ERROR, FINE};

#[test]
fn mistyped_command_is_answered_with_the_command() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    for (word, command) in [
        ("explian", "explain"),
        ("Explain", "explain"),
        ("rule", "rules"),
        ("chekc", "check"),
        ("simulat", "simulate"),
        ("shema", "schema"),
        ("hepl", "help"),
        ("lint", "check"),
        ("run", "simulate"),
    ] {
        // Whatever follows, even what is invalid.
        for rest in [&["WF1"][..], &["--no-such-option"], &["--format", "xml", "."], &[]] {
            let output = folder.run(&[&[word], rest].concat()).expect_code(2);
            assert_eq!(output.out(), "");
            let wanted = format!("wflint: unknown command or path `{word}`; did you mean `wflint {command}`?\n");
            assert_eq!(output.err(), wanted, "{rest:?}");
        }
        let output = folder.run(&["--quiet", word, "a.json"]).expect_code(2);
        assert!(output.err().contains(&format!("did you mean `wflint {command}`?")), "{}", output.err());
    }
}

#[test]
fn existing_path_is_linted_whatever_its_name() {
    let folder = Folder::with(&[("explian", ERROR), ("rule/a.json", ERROR)]);
    folder.run(&["explian"]).expect_code(1);
    folder.run(&["rule"]).expect_code(1);
}

#[test]
fn missing_path_is_a_path() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for word in ["rules.json", "./rule", "rule/", "services", "explain.json"] {
        let output = folder.run(&[word]).expect_code(2);
        assert!(output.err().contains("cannot read") && !output.err().contains("did you mean"), "{}", output.err());
    }
}

#[test]
fn check_is_linting() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    for args in
        [&["."][..], &[], &["--format", "json"], &["a.json", "--select", "WF1", "--quiet"], &["--ignore", "WF101"]]
    {
        let (plain, check) = (folder.run(args), folder.run(&[&["check"], args].concat()));
        assert_eq!((plain.code, plain.out(), plain.err()), (check.code, check.out(), check.err()), "{args:?}");
    }
    folder.run(&["check", "--simulate"]).expect_code(2);
}

#[test]
fn simulate_is_a_command_and_an_option() {
    let folder = copy_of("examples");
    for args in [&["approval"][..], &["--format", "json", "approval"], &["-q", "--isolated"], &["nowhere"]] {
        let option = folder.run(&[&["--simulate"], args].concat());
        let command = folder.run(&[&["simulate"], args].concat());
        assert_eq!((option.code, option.out(), option.err()), (command.code, command.out(), command.err()), "{args:?}");
    }
    for other in ["--select", "--fix", "--baseline"] {
        folder.run(&["simulate", other, "approval"]).expect_code(2);
    }
}

#[test]
fn commands_name_the_one_that_was_meant() {
    let scenario = "workflow: a.json\nexpect: { outcome: completed }\n";
    let folder = Folder::with(&[("a.json", FINE), ("t.SCENARIO.yml", scenario)]);
    for args in [&["check", "t.SCENARIO.yml"][..], &["t.SCENARIO.yml"], &["-", "--stdin-filename", "t.SCENARIO.yml"]] {
        let output = folder.run(args).expect_code(2);
        assert!(output.err().contains("run it with `wflint --simulate t.SCENARIO.yml`"), "{}", output.err());
    }
    for args in [["simulate", "a.json"], ["--simulate", "a.json"]] {
        let output = folder.run(&args).expect_code(2);
        assert!(output.err().contains("a.json is a workflow, not a scenario"), "{}", output.err());
        assert!(output.err().contains("`wflint a.json`"), "{}", output.err());
    }
}

#[test]
fn short_help_fits_a_screen_and_begins_with_an_example() {
    let folder = Folder::with(&[]);
    let commands = "tour check simulate explore diff report init fmt catalog catalog_infer catalog_import graph lsp explain rules \
                    schema completions man";
    for command in commands.split(' ').map(|command| command.split('_').collect::<Vec<_>>()).chain([vec![]]) {
        let output = folder.run(&[&command[..], &["-h"]].concat()).expect_code(0);
        let lines = output.out().lines().count();
        assert!(lines <= 40, "{lines} lines:\n{}", output.out());
        assert!(output.out().starts_with("Example:\n  "), "{}", output.out());
        assert!(output.out().lines().last().unwrap().contains("--help"), "{}", output.out());
    }
}

#[test]
fn options_of_scenarios_are_those_of_simulate() {
    let folder = Folder::with(&[]);
    for option in ["-h", "--help"] {
        let shown = folder.run(&["simulate", option]).expect_code(0).out().to_owned();
        assert!(shown.contains("--mutants"), "{shown}");
        assert_eq!(folder.run(&["--simulate", option]).expect_code(0).out(), shown);
        assert_eq!(folder.run(&["-q", "--simulate", option]).expect_code(0).out(), shown);
        assert!(!folder.run(&[option]).expect_code(0).out().contains("--mutants"));
    }
    let other = folder.run(&["--simulate", "--fix"]).expect_code(2);
    assert!(other.err().contains("an option of linting, which cannot be used with another command"), "{}", other.err());
    let unknown = folder.run(&["--mutants"]).expect_code(2);
    assert!(unknown.err().contains("scenarios are run with `wflint --simulate --mutants`"), "{}", unknown.err());
}

#[test]
fn help_of_each_command_groups_its_options_and_has_examples_and_exit_codes() {
    let folder = Folder::with(&[]);
    for command in [&[][..], &["check"], &["simulate"], &["explain"], &["rules"], &["schema"]] {
        let output = folder.run(&[command, &["--help"]].concat()).expect_code(0);
        let has_line = |line: &str| output.out().lines().any(|shown| shown == line);
        assert!(has_line("Examples:") && has_line("Exit codes:"), "{}", output.out());
        assert!(command == ["schema"] || has_line("Output:"), "{}", output.out());
        assert_eq!(output.err(), "");
    }
}
