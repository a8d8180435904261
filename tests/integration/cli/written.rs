//! What a run writes: none of the files that it reads, nothing twice, and whole files that keep what the
//! old ones had.

use serde_json::json;

use crate::support::folder::Folder;
use crate::support::run::{Output, process, run_cli};
use crate::support::samples::{BROKEN, ERROR, FINE, UNRELATED};

/// Fails unless `--output` refuses the file, without a change to any.
#[track_caller]
fn assert_refused(folder: &Folder, args: &[&str]) -> Output {
    let before: Vec<String> = folder.names();
    let output = folder.run(args).expect_code(2);
    assert!(output.err().contains("which this run reads; choose another file"), "{args:?}: {}", output.err());
    assert_eq!(output.out(), "", "{args:?}");
    assert_eq!(folder.names(), before, "{args:?}");
    output
}

#[test]
fn report_does_not_replace_a_file_that_is_linted() {
    for text in [ERROR, FINE, BROKEN] {
        let folder = Folder::with(&[("a.json", text), ("sub/b.json", FINE)]);
        for args in [
            &["--output", "a.json"][..],
            &["--output", "sub/../a.json", "."],
            &["--output", "a.json", "--format", "json", "a.json"],
            &["--output", "sub/b.json", "."],
            &["--output", "a.json", "--diff"],
            &["--output", "a.json", "--fix"],
        ] {
            assert_refused(&folder, args);
            assert_eq!((folder.read("a.json").as_str(), folder.read("sub/b.json").as_str()), (text, FINE));
        }
        // The other documents of a named one's service are read too.
        let folder = Folder::with(&[("a.json", FINE), ("b.json", text)]);
        assert_refused(&folder, &["--output", "b.json", "a.json"]);
        // A file that is named is meant to be linted, whatever it holds.
        let folder = Folder::with(&[("a.json", FINE), ("c.json", UNRELATED)]);
        assert_refused(&folder, &["--output", "c.json", "a.json", "c.json"]);
    }
}

#[test]
fn report_replaces_that_of_the_last_run() {
    let folder = Folder::with(&[("a.json", ERROR), ("a.scenario.yaml", "workflow: a.json"), ("c.json", UNRELATED)]);
    for _ in 0..2 {
        folder.run(&["--format", "json", "--output", "report.json"]).expect_code(1);
        assert!(folder.read("report.json").contains("WF101"));
        folder.run(&["--simulate", "--format", "json", "--output", "run.json"]).expect_code(0);
    }
    folder.run(&["--output", "c.json"]).expect_code(1);
}

#[test]
fn report_does_not_replace_what_the_run_is_configured_by() {
    let folder = Folder::with(&[
        ("a.json", FINE),
        ("wflint.toml", "catalogs = ['own.toml']"),
        ("own.toml", "plugin = 'own'\n"),
        (".gitignore", "x\n"),
        (".ignore", "x\n"),
        (".git/info/exclude", "x\n"),
        ("other.toml", "select = ['ALL']"),
    ]);
    folder.run(&["--baseline", "known.json", "--write-baseline"]).expect_code(0);
    for name in ["wflint.toml", "own.toml", ".gitignore", ".ignore", ".git/info/exclude"] {
        let before = folder.read(name);
        assert_refused(&folder, &["--output", name]);
        assert_eq!(folder.read(name), before);
    }
    assert_refused(&folder, &["--output", "known.json", "--baseline", "known.json"]);
    assert_refused(&folder, &["--output", "other.toml", "--config", "other.toml"]);
    folder.run(&["--output", "other.toml"]).expect_code(0);
}

#[test]
fn baseline_is_replaced_and_nothing_else() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    for _ in 0..2 {
        folder.run(&["--baseline", "known.json", "--write-baseline"]).expect_code(0);
    }
    let output = folder.run(&["--baseline", "x", "--write-baseline", "--output", "./x"]).expect_code(2);
    assert!(output.err().contains("write to the same file"), "{}", output.err());
    assert_eq!(folder.names(), ["a.json", "known.json"]);
}

#[test]
fn report_does_not_replace_what_scenarios_name() {
    let folder = Folder::with(&[
        ("a.json", FINE),
        ("broken.json", BROKEN),
        ("people.ldif", "dn: CN=a\n"),
        ("a.scenario.yaml", "workflow: a.json\ndirectory: people.ldif"),
        ("b.scenario.yaml", "workflow: broken.json"),
        ("c.scenario.yaml", "nothing: 1"),
    ]);
    for name in ["a.json", "broken.json", "people.ldif", "a.scenario.yaml", "b.scenario.yaml", "c.scenario.yaml"] {
        let before = folder.read(name);
        assert_refused(&folder, &["--simulate", "--output", name]);
        assert_eq!(folder.read(name), before);
    }
}

#[test]
fn report_to_a_file_that_standard_input_stands_for_is_refused() {
    let folder = Folder::with(&[("a.json", FINE)]);
    let output = run_cli(&["-", "--stdin-filename", "a.json", "--output", "a.json"], folder.path(), ERROR.as_bytes());
    assert_eq!((output.code, folder.read("a.json").as_str()), (2, FINE));
}

#[cfg(unix)]
mod on_unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn fixable() -> String {
        json!({
            "activities": [{ "name": "Tell", "type": "Status", "status": { "isBound": true, "boundTo": "State", "boundToId": 4 } }],
            "variables": [{ "name": "State", "id": 5, "variableType": "String", "value": "x" }]
        })
        .to_string()
    }

    fn set_mode(folder: &Folder, name: &str, mode: u32) {
        std::fs::set_permissions(folder.file(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn links_are_seen_through() {
        let folder = Folder::with(&[("a.json", ERROR), ("wflint.toml", ""), (".gitignore", "x")]);
        for name in ["a.json", "wflint.toml", ".gitignore"] {
            let before = folder.read(name);
            symlink(name, folder.file("soft")).unwrap();
            std::fs::hard_link(folder.file(name), folder.file("hard")).unwrap();
            for link in ["soft", "hard"] {
                assert_refused(&folder, &["--output", link]);
                std::fs::remove_file(folder.file(link)).unwrap();
            }
            assert_eq!(folder.read(name), before);
        }
        folder.write("old", "");
        std::fs::hard_link(folder.file("old"), folder.file("other")).unwrap();
        let output = folder.run(&["--output", "other"]).expect_code(2);
        assert!(output.err().contains("hard links, which this would separate"), "{}", output.err());
        assert_eq!(folder.read("old"), "");
        symlink(".", folder.file("here")).unwrap();
        assert_refused(&folder, &["--output", "here/a.json"]);
        let output = folder.run(&["--baseline", "new", "--write-baseline", "--output", "here/new"]).expect_code(2);
        assert!(output.err().contains("the same file"), "{}", output.err());
    }

    #[test]
    fn fix_of_a_file_with_several_names_is_refused() {
        let folder = Folder::with(&[("a.json", &fixable())]);
        std::fs::hard_link(folder.file("a.json"), folder.file("kept")).unwrap();
        let output = folder.run(&["--fix"]).expect_code(2);
        assert!(output.err().contains("a.json: the file has 2 hard links"), "{}", output.err());
        assert_eq!((folder.read("a.json"), folder.read("kept")), (fixable(), fixable()));
        assert_eq!(folder.names(), ["a.json", "kept"]);
    }

    #[test]
    fn read_only_target_is_one_error() {
        for args in [&["--output", "old"][..], &["--baseline", "old", "--write-baseline"]] {
            let folder = Folder::with(&[("a.json", ERROR), ("old", "{\"version\": 1, \"findings\": []}")]);
            set_mode(&folder, "old", 0o444);
            let output = folder.run(args).expect_code(2);
            assert_eq!(output.err(), "wflint: cannot write old: the file is read-only\n");
            assert_eq!((output.out(), folder.names()), ("", vec!["a.json".to_owned(), "old".to_owned()]));
        }
    }

    #[test]
    fn new_report_has_the_mode_that_the_mask_leaves() {
        let folder = Folder::with(&[("a.json", ERROR)]);
        let run = |mask: &str, name: &str| {
            let wflint = env!("CARGO_BIN_EXE_wflint");
            let script = format!("umask {mask}; '{wflint}' --output {name} a.json");
            std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
            std::fs::metadata(folder.file(name)).unwrap().mode() & 0o777
        };
        assert_eq!((run("022", "open"), run("077", "closed")), (0o644, 0o600));
    }

    /// The run is stopped while it reads standard input: the pipe holds less than what is written. `env` undoes that
    /// these tests may run where signals are ignored, as in the background of a script.
    #[cfg(target_os = "linux")]
    #[test]
    fn interrupted_run_exits_with_130_and_leaves_no_file() {
        use std::io::Write;
        for signal in ["INT", "TERM"] {
            let folder = Folder::with(&[]);
            let mut command = std::process::Command::new("env");
            command.args(["--default-signal", env!("CARGO_BIN_EXE_wflint"), "-", "--output", "report"]);
            let mut child = command.current_dir(folder.path()).stdin(std::process::Stdio::piped()).spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(&vec![b' '; 1 << 20]).unwrap();
            let kill =
                std::process::Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
            assert!(kill.unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
            assert_eq!(folder.names(), [""; 0], "{signal}");
        }
    }

    #[test]
    fn special_file_is_written_to_directly() {
        let folder = Folder::with(&[("a.json", ERROR)]);
        process(folder.path()).args(["--output", "/dev/null"]).assert().code(1);
        assert_eq!(folder.names(), ["a.json"]);
    }
}

#[cfg(unix)]
#[test]
fn link_to_a_file_that_does_not_exist_yet_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = Folder::with(&[("a.json", FINE)]);
    symlink("report.txt", folder.file("link")).unwrap();
    symlink("link", folder.file("link2")).unwrap();
    let twice = folder.run(&["--output", "json:link", "--output", "sarif:link2"]).expect_code(2);
    assert!(twice.err().contains("names link2 twice"), "{}", twice.err());
    folder.run(&["--output", "link2"]).expect_code(0);
    assert!(std::fs::symlink_metadata(folder.file("link")).unwrap().is_symlink());
    assert!(folder.file("report.txt").is_file());
    symlink("circle", folder.file("circle")).unwrap();
    let refused = folder.run(&["--output", "circle"]).expect_code(2);
    assert!(refused.err().contains("its links lead in a circle"), "{}", refused.err());
}
