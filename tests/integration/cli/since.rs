//! `--since`: only findings that are new against a git revision.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::support::cases;
use crate::support::folder::Folder;
use crate::support::git::git;
use crate::support::run::run_cli;
use crate::support::samples::{BROKEN, ERROR, FILLER, FINE, INFO, MISMATCH, READER, UNRELATED, WARNING};

fn commit(folder: &Folder) -> String {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "--allow-empty", "-m", "x"]);
    git(folder, &["rev-parse", "HEAD"])
}

/// A repository with these files in its one commit.
fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(files);
    git(&folder, &["init", "-q"]);
    commit(&folder);
    folder
}

/// A workflow of Status activities without a status (WF414), with these names.
fn silent(names: &[&str]) -> String {
    let activity = |name: &&str| format!("{{ \"name\": \"{name}\", \"type\": \"Status\" }}");
    let activities: Vec<String> = names.iter().map(activity).collect();
    format!("{{ \"activities\": [{}], \"variables\": [] }}\n", activities.join(",\n"))
}

fn new(folder: &Folder) -> Vec<String> {
    folder.found(&["--since", "HEAD"])
}

#[test]
fn only_new_findings_are_reported_and_the_others_counted() {
    let folder = repository(&[("a.json", &silent(&["A", "B"])), ("b/w.json", WARNING), ("c/e.json", ERROR)]);
    assert_eq!(new(&folder), [""; 0]);
    folder.write("a.json", silent(&["New", "B", "A"]));
    folder.write("n.json", WARNING);
    let report = folder.run(&["--since", "HEAD", "--format", "json"]).expect_code(1);
    assert_eq!(report.found(), ["a.json WF414 warning", "n.json WF414 warning"]);
    let report = report.json();
    assert_eq!(report["diagnostics"][0]["activity"], "New");
    let number = |name: &str| report["summary"][name].as_u64().unwrap();
    assert_eq!((number("baselined"), number("warnings"), number("files")), (4, 2, 4));
    // More of one identity than there were.
    folder.write("a.json", silent(&["A", "B", "A"]));
    assert_eq!(new(&folder), ["a.json WF414 warning", "n.json WF414 warning"]);
    // Changes count whether they are committed or not.
    folder.write("a.json", silent(&["A", "B", "C"]));
    let first = git(&folder, &["rev-parse", "HEAD"]);
    commit(&folder);
    assert_eq!(new(&folder), [""; 0]);
    assert_eq!(folder.found(&["--since", &first]), ["a.json WF414 warning", "n.json WF414 warning"]);
}

#[test]
fn a_finding_that_another_file_causes_is_new() {
    let folder = repository(&[("s/a.json", READER), ("s/f.form.json", FILLER), ("t/a.json", READER)]);
    std::fs::remove_file(folder.file("s/f.form.json")).unwrap();
    let whole: Vec<String> = folder.found(&["s"]);
    let before = {
        folder.write("s/f.form.json", FILLER);
        let before = folder.found(&["s"]);
        std::fs::remove_file(folder.file("s/f.form.json")).unwrap();
        before
    };
    let wanted: Vec<&String> = whole.iter().filter(|line| !before.contains(line)).collect();
    assert_eq!(new(&folder).iter().collect::<Vec<_>>(), wanted);
    // The other way round: the form is new in a service that had none.
    folder.write("s/f.form.json", FILLER);
    commit(&folder);
    folder.write("t/f.form.json", FILLER);
    let found = new(&folder);
    assert!(
        found.contains(&"t/a.json WF302 error".to_owned()) || found.iter().any(|line| line.contains("WF302")),
        "{found:?}"
    );
    assert!(found.iter().all(|line| line.starts_with("t/")), "{found:?}");
    assert!(!found.iter().any(|line| line.contains("WF007")), "it was there: {found:?}");
}

#[test]
fn merge_base_is_that_with_head() {
    let folder = repository(&[("a.json", &silent(&["A"]))]);
    git(&folder, &["checkout", "-q", "-b", "topic"]);
    folder.write("a.json", silent(&["A", "B"]));
    commit(&folder);
    git(&folder, &["checkout", "-q", "main"]);
    folder.write("a.json", silent(&["A", "B", "Other"]));
    commit(&folder);
    git(&folder, &["checkout", "-q", "topic"]);
    assert_eq!(folder.found(&["--since", "main"]), [""; 0]);
    assert_eq!(folder.found(&["--since", "main..."]), ["a.json WF414 warning"]);
}

#[test]
fn renamed_files_are_known() {
    let folder = repository(&[("old/a.json", &silent(&["A", "B"])), ("old/b.json", ERROR), ("x.json", WARNING)]);
    git(&folder, &["mv", "old", "new"]);
    git(&folder, &["mv", "x.json", "y é\t.json"]);
    assert_eq!(new(&folder), [""; 0]);
    folder.write("new/a.json", silent(&["A", "B", "C"]));
    assert_eq!(new(&folder), ["new/a.json WF414 warning"]);
    let inside = run_cli(&["--since", "HEAD", "--format", "json", "a.json"], &folder.file("new"), b"");
    assert_eq!(inside.found(), ["a.json WF414 warning"]);
}

#[test]
fn renamed_folder_keeps_its_configuration() {
    let service = "[[service]]\nname = 's'\nworkflow = 'a.json'\n";
    let folder = repository(&[("old/wflint.toml", service), ("old/a.json", WARNING)]);
    git(&folder, &["mv", "old", "new"]);
    assert_eq!(new(&folder), [""; 0]);
}

#[test]
fn present_configuration_holds_for_both() {
    let folder = repository(&[("a.json", ERROR), ("b.json", WARNING)]);
    folder.write("wflint.toml", "[severity]\nWF101 = 'info'\nWF414 = 'error'\n");
    assert_eq!(new(&folder), [""; 0]);
    folder.write("wflint.toml", "[limits]\nmax-depth = 3\n");
    assert!(new(&folder).iter().all(|line| line.contains("WF002")), "always reported");
}

#[test]
fn broken_files_and_problems_of_the_configuration_are_always_reported() {
    let config = "[[suppress]]\nrule = 'WF101'\nfile = 'b.json'\npointer = ''\nreason = 'x'\n";
    let folder = repository(&[("wflint.toml", config), ("a.json", BROKEN), ("b.json", FINE)]);
    assert_eq!(new(&folder), ["a.json WF001 error", "wflint.toml WF000 warning"]);
}

#[test]
fn line_ends_and_wrappers_do_not_make_findings_new() {
    let folder = repository(&[("a.json", &silent(&["A", "B"]))]);
    folder.write("a.json", silent(&["A", "B"]).replace('\n', "\r\n"));
    assert_eq!(new(&folder), [""; 0]);
    folder.write("a.json", silent(&["A", "B", "C"]).replace('\n', "\r\n"));
    assert_eq!(new(&folder), ["a.json WF414 warning"]);
}

#[test]
fn it_combines_with_other_options() {
    let folder = repository(&[("a.json", &silent(&["A"])), ("sub/b.json", &silent(&["A"]))]);
    folder.write("a.json", silent(&["A", "B", "C"]));
    let named = folder.found(&["--since", "HEAD", "sub/b.json"]);
    assert_eq!(named, [""; 0]);
    let parts = ["1/2", "2/2"].map(|part| folder.found(&["--since", "HEAD", "--shard", part])).concat();
    assert_eq!(parts, ["a.json WF414 warning", "a.json WF414 warning"]);
    let args = ["--since", "HEAD", "--format", "json", "-", "--stdin-filename", "sub/b.json"];
    let stdin = run_cli(&args, folder.path(), silent(&["A", "D"]).as_bytes());
    assert_eq!(stdin.found(), ["sub/b.json WF414 warning"]);
    let unnamed = run_cli(&["--since", "HEAD", "--format", "json", "-"], folder.path(), WARNING.as_bytes());
    assert_eq!(unnamed.found(), ["<stdin> WF414 warning"]);
    let known = r#"{ "version": 1, "findings": [
        { "rule": "WF414", "file": "a.json", "around": ["A"], "member": "", "count": 1 },
        { "rule": "WF414", "file": "a.json", "around": ["C"], "member": "", "count": 1 }] }"#;
    folder.write("known.json", known);
    let output = folder.run(&["--since", "HEAD", "--baseline", "known.json", "--format", "json"]);
    assert_eq!(output.found(), ["a.json WF414 warning"]);
    assert_eq!(output.json()["summary"]["baselined"], 3);
    folder.run(&["--since", "HEAD", "--add-suppressions", "x"]).expect_code(0);
    assert_eq!(folder.read("wflint.toml").matches("[[suppress]]").count(), 2);
    for args in
        [&["--write-baseline", "--baseline", "x.json"][..], &["--show-files"], &["--show-settings"], &["--simulate"]]
    {
        folder.run(&[&["--since", "HEAD"], args].concat()).expect_code(2);
    }
}

#[test]
fn fixes_are_those_of_new_findings() {
    let folder = repository(&[("a.json", MISMATCH), ("b.json", FINE)]);
    folder.write("b.json", MISMATCH);
    folder.run(&["--since", "HEAD", "--fix"]).expect_code(0);
    assert_eq!(folder.read("a.json"), MISMATCH);
    assert_eq!(folder.read("b.json"), MISMATCH.replace("\"boundToId\": 9", "\"boundToId\": 1"));
}

#[test]
fn submodules_have_the_revisions_of_their_repository() {
    let inner = repository(&[("a.json", &silent(&["A"]))]);
    let folder = repository(&[("b.json", WARNING)]);
    git(&folder, &["submodule", "--quiet", "add", inner.path().to_str().unwrap(), "sub"]);
    commit(&folder);
    assert_eq!(new(&folder), [""; 0]);
    folder.write("sub/a.json", silent(&["A", "B"]));
    assert_eq!(new(&folder), ["sub/a.json WF414 warning"]);
}

#[test]
fn environment_of_a_hook_is_that_of_another_repository() {
    let folder = repository(&[("a.json", WARNING)]);
    let other = repository(&[("b.json", FINE)]);
    let run = |name: &str| {
        let mut command = crate::support::run::process(folder.path());
        command.args(["--since", "HEAD"]).env(name, other.file(".git")).assert().code(0);
    };
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE"] {
        run(name);
    }
}

#[test]
fn missing_repository_and_revision_are_errors() {
    let outside = Folder::with(&[("a.json", FINE)]);
    let folder = repository(&[("a.json", FINE)]);
    let refused = |folder: &Folder, args: &[&str], wanted: &str| {
        let output = folder.run(args).expect_code(2);
        assert!(output.err().contains(wanted) && output.out().is_empty(), "{args:?}: {}", output.err());
        assert_eq!(output.err().lines().count(), 1, "{}", output.err());
    };
    refused(&outside, &["--since", "HEAD"], "not a git repository");
    refused(&folder, &["--since", "gone"], "`--since gone`: unknown revision `gone`");
    refused(&folder, &["--since", "gone..."], "unknown revision `gone`");
    for revision in ["", "...", "-x", "--all", "HEAD..HEAD", "^HEAD", "HEAD:a.json", "HEAD^{tree}"] {
        refused(&folder, &[&format!("--since={revision}")], " revision `");
    }
    git(&folder, &["checkout", "-q", "--orphan", "other"]);
    folder.write("b.json", FINE);
    commit(&folder);
    refused(&folder, &["--since", "main..."], "no merge base of `main` and `HEAD`");
    refused(&folder, &["--since", "HEAD", outside.file("a.json").to_str().unwrap()], "not a git repository");
    let both = ["--since", "HEAD", "a.json", outside.path().to_str().unwrap()];
    refused(&folder, &both, "is outside of the repository");
    let shallow = Folder::with(&[]);
    let source = format!("file://{}", folder.path().display());
    git(&shallow, &["clone", "-q", "--depth", "1", "--branch", "other", &source, "clone"]);
    let error = run_cli(&["--since", "main..."], &shallow.file("clone"), b"").expect_code(2);
    assert!(error.err().contains("the clone is shallow"), "{}", error.err());
}

#[cfg(unix)]
#[test]
fn nothing_that_a_repository_configures_is_run() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = repository(&[("a.json", WARNING), (".gitattributes", "*.json filter=x diff=x\n"), ("l/b.json", FINE)]);
    let script = format!("#!/bin/sh\ntouch {}\ncat\n", folder.file("ran").display());
    folder.write("run.sh", script);
    std::fs::set_permissions(folder.file("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = folder.file("run.sh").display().to_string();
    for hook in ["post-index-change", "post-checkout", "fsmonitor-watchman", "reference-transaction"] {
        folder.write(format!(".git/hooks/{hook}"), folder.read("run.sh"));
        std::fs::set_permissions(folder.file(format!(".git/hooks/{hook}")), std::fs::Permissions::from_mode(0o755))
            .unwrap();
    }
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.gitProxy",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "credential.helper",
        "gpg.program",
        "uploadpack.packObjectsHook",
        "core.alternateRefsCommand",
        "alias.ls-tree",
        "pager.diff-index",
    ] {
        folder.write(".git/config", folder.read(".git/config") + &setting(key, &run));
    }
    symlink("../a.json", folder.file("l/link.json")).unwrap();
    folder.write("a.json", WARNING.replace("Say", "Shout"));
    assert_eq!(new(&folder), ["a.json WF414 warning"]);
    assert_eq!(folder.found(&["--since", "HEAD...", "l/link.json"]), ["l/link.json WF414 warning"]);
    assert!(!folder.file("ran").exists());
}

/// A line of a configuration of git.
fn setting(key: &str, value: &str) -> String {
    let parts: Vec<&str> = key.split('.').collect();
    match parts.as_slice() {
        [section, name] => format!("[{section}]\n{name} = {value}\n"),
        [section, sub, name] => format!("[{section} \"{sub}\"]\n{name} = {value}\n"),
        _ => unreachable!("{key}"),
    }
}

#[test]
fn report_is_the_same_with_any_number_of_threads() {
    let folder = repository(&[("a/a.json", &silent(&["A"])), ("b/a.json", &silent(&["A"])), ("c/a.json", READER)]);
    for name in ["a/a.json", "b/a.json", "c/b.json"] {
        folder.write(name, silent(&["A", "B"]));
    }
    let report = |jobs: &str| -> Value { folder.run(&["--since", "HEAD", "--format", "json", "--jobs", jobs]).json() };
    assert_eq!(report("1"), report("8"));
}

const FILES: [&str; 6] = ["a.json", "one/a.json", "one/b.json", "two/a.json", "two/b.json", "three/a.json"];
const CONTENTS: [&str; 8] = [FINE, ERROR, WARNING, INFO, BROKEN, UNRELATED, READER, FILLER];

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn what_is_new_is_what_a_baseline_of_the_revision_does_not_list(
        before in prop::collection::vec(prop::option::of(select(&CONTENTS[..])), FILES.len()),
        after in prop::collection::vec(prop::option::of(select(&CONTENTS[..])), FILES.len()),
        config in select(&["", "ignore = ['WF101']", "[[service]]\nname = 's'\nforms = ['*/*.json']"][..]),
    ) {
        let folder = Folder::with(&[("always.json", FINE), ("one/always.json", WARNING), ("wflint.toml", config)]);
        let write = |files: &[Option<&str>]| {
            for (name, text) in FILES.iter().zip(files) {
                match text {
                    Some(text) => folder.write(name, text),
                    None => drop(std::fs::remove_file(folder.file(name))),
                }
            }
        };
        write(&before);
        git(&folder, &["init", "-q"]);
        commit(&folder);
        folder.run(&["--baseline", "known.json", "--write-baseline"]);
        write(&after);
        let new = new(&folder);
        let mut wanted = folder.found(&["--baseline", "known.json"]);
        wanted.retain(|line| !line.starts_with("known.json"));
        prop_assert_eq!(new, wanted);
    }
}
