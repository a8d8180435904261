//! Git revisions as sides.

use serde_json::{Value, json};

use super::data::{lines, report};
use crate::support::folder::Folder;
use crate::support::git::git;
use crate::support::run::{Output, process, run_cli};

fn order(seconds: u32) -> String {
    json!({ "activities": [
        { "name": "Wait", "type": "While", "iterationDelaySeconds": { "isBound": false, "value": seconds } }
    ], "variables": [] })
    .to_string()
}

fn commit(folder: &Folder, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "--allow-empty", "-m", message]);
}

/// Two commits, the tag `first` at the first one, and changes in the working tree.
fn repository() -> Folder {
    let folder = Folder::with(&[("s/a/w.json", &order(1)), ("s/b/w.json", &order(1)), ("top.json", &order(1))]);
    git(&folder, &["init", "-q"]);
    commit(&folder, "first");
    git(&folder, &["tag", "first"]);
    folder.write("s/a/w.json", order(2));
    commit(&folder, "second");
    folder.write("s/b/w.json", order(3));
    folder
}

fn found(output: &Output) -> Vec<String> {
    let report = report(output);
    let services = report["services"].as_array().unwrap().iter();
    let all = services.flat_map(|service| {
        let changes = lines(service["changes"].as_array().unwrap());
        let [name, change] = ["service", "change"].map(|key| service[key].as_str().unwrap().to_owned());
        let whole = changes.is_empty().then(|| format!("{name} {change}"));
        changes.into_iter().map(move |line| format!("{name}: {line}")).chain(whole)
    });
    all.collect()
}

fn run(folder: &Folder, inside: &str, args: &[&str]) -> Output {
    run_cli(&[&["diff", "--no-explore", "--format", "json"], args].concat(), &folder.file(inside), b"")
}

const A: &str = "changed activity Wait iterationDelaySeconds: 1 → 2";
const B: &str = "changed activity Wait iterationDelaySeconds: 1 → 3";

#[test]
fn revisions_folders_and_documents_are_compared() {
    let folder = repository();
    for (inside, args, wanted) in [
        ("", &["HEAD"][..], vec![format!("s/b: {B}")]),
        ("", &["first"], vec![format!("s/a: {A}"), format!("s/b: {B}")]),
        ("", &["first", "HEAD"], vec![format!("s/a: {A}")]),
        ("", &["first..."], vec![format!("s/a: {A}"), format!("s/b: {B}")]),
        ("", &["first:s/a"], vec![format!(".: {A}")]),
        ("", &["first:s/a/w.json"], vec![format!(".: {A}")]),
        ("", &["first:s/a/w.json", "HEAD:s/b/w.json"], vec![]),
        ("", &["first:", "first:"], vec![]),
        ("s", &["first"], vec![format!("a: {A}"), format!("b: {B}")]),
        ("s", &["first:./a"], vec![format!(".: {A}")]),
        ("s/b", &["first:../a", "../a"], vec![format!(".: {A}")]),
        ("s", &["first:s/a", "a"], vec![format!(".: {A}")]),
        ("s", &["first:./b/../a", "a"], vec![format!(".: {A}")]),
        ("s", &["a", "first:./a"], vec![".: changed activity Wait iterationDelaySeconds: 2 → 1".to_owned()]),
    ] {
        let output = run(&folder, inside, args);
        assert_eq!(found(&output), wanted, "{inside} {args:?}: {}", output.err());
        output.expect_code(u8::from(!wanted.is_empty()));
    }
    let report = report(&run(&folder, "s", &["first:s/a"]));
    let change = &report["services"][0]["changes"][0];
    assert_eq!([&change["old"]["file"], &change["new"]["file"]], ["first:s/a/w.json", "a/w.json"]);
}

#[test]
fn new_moved_and_deleted_services_are_found() {
    let folder = repository();
    git(&folder, &["mv", "s/a", "moved"]);
    std::fs::remove_file(folder.file("s/b/w.json")).unwrap();
    folder.write("n/w.json", r#"{ "activities": [{ "name": "Other", "type": "Status" }] }"#);
    assert_eq!(found(&run(&folder, "", &["HEAD"])), ["moved moved", "n added", "s/b removed"]);
    // A folder that is new.
    assert_eq!(found(&run(&folder, "n", &["HEAD"])), [". added"]);
}

#[test]
fn what_a_walk_leaves_out_is_left_out_of_a_revision_too() {
    let folder = repository();
    folder.write(".hidden/w.json", order(1));
    folder.write("kept/w.json", order(1));
    folder.write("archive/w.json", order(1));
    commit(&folder, "third");
    folder.write(".gitignore", "kept\n");
    folder.write("wflint.toml", "exclude = [\"archive/**\"]\n");
    folder.write("kept/w.json", order(5));
    folder.write("archive/w.json", order(5));
    folder.write(".hidden/w.json", order(5));
    assert_eq!(found(&run(&folder, "", &["HEAD"])), [""; 0]);
    // A repository in the working tree, such as a submodule, is another one.
    folder.write("sub/.git", "gitdir: ../.git/modules/sub\n");
    folder.write("sub/w.json", order(5));
    assert_eq!(found(&run(&folder, "", &["HEAD"])), [""; 0]);
}

#[test]
fn ambiguous_and_unknown_words_are_refused() {
    let folder = repository();
    git(&folder, &["branch", "top.json"]);
    git(&folder, &["branch", "s"]);
    for (args, wanted) in [
        (&["s"][..], "`s` is both a path and a git revision; write `./s` for the path, or `s:` for the revision"),
        (&["HEAD", "top.json"], "write `./top.json` for the path, or `top.json:`"),
        (&["missing"], "`missing` is neither a path nor a git revision"),
        (&["HEAD:missing"], "`HEAD` has no file or folder `missing`"),
        (&["missing:s"], "unknown revision `missing`"),
        (&["--", "-x"], "invalid revision `-x`: it begins with `-`"),
        (&["--", "HEAD", "--upload-pack=x"], "invalid revision `--upload-pack=x`"),
        (&[":s"], "invalid revision"),
        (&["HEAD:../x"], "has no file or folder"),
        (&["./s"], "only a git revision is compared with the working tree"),
        (&["HEAD:s", "HEAD:top.json"], "cannot compare a folder with a document"),
    ] {
        let output = run(&folder, "", args).expect_code(2);
        assert!(output.err().contains(wanted), "{args:?}: {}", output.err());
        assert_eq!(output.out(), "", "{args:?}");
    }
    run(&folder, "", &["s:", "./s"]).expect_code(1);
    let outside = Folder::with(&[("a.json", &order(1))]);
    let output = outside.run(&["diff", "main", "a.json"]).expect_code(2);
    let wanted = "`main` is neither a path nor a git revision: git failed: not a git repository";
    assert!(output.err().contains(wanted), "{}", output.err());
}

#[test]
fn links_are_not_followed() {
    let folder = repository();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("s/a/w.json", folder.file("link.json")).unwrap();
        std::os::unix::fs::symlink("s", folder.file("linked")).unwrap();
        commit(&folder, "links");
        assert_eq!(found(&run(&folder, "", &["HEAD", "HEAD"])), [""; 0]);
        for place in ["HEAD:link.json", "HEAD:linked", "HEAD:linked/a"] {
            let output = run(&folder, "", &[place, place]).expect_code(2);
            assert!(output.err().contains("has no file or folder"), "{}", output.err());
        }
    }
}

#[test]
fn git_is_only_asked_for_objects() {
    let folder = repository();
    let folders = std::env::var_os("PATH").unwrap();
    let real = std::env::split_paths(&folders).map(|path| path.join("git"));
    let real = real.into_iter().find(|path| path.is_file());
    let Some(real) = real.filter(|_| cfg!(unix)) else { return };
    folder.write(
        ".bin/git",
        format!("#!/bin/sh\necho \"$@\" >> '{0}'\nexec '{1}' \"$@\"\n", folder.file(".log").display(), real.display()),
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder.file(".bin/git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", folder.file(".bin").display(), std::env::var("PATH").unwrap());
    for args in [&["first", "HEAD"][..], &["first..."], &["first:s/a/w.json"]] {
        let mut command = process(folder.path());
        command.env("PATH", &path).args(["diff", "--no-explore"]).args(args).assert().code(1);
    }
    let log = folder.read(".log");
    assert!(log.lines().count() > 6, "{log}");
    for line in log.lines() {
        let words = line.split(' ').skip_while(|word| *word == "--no-pager" || *word == "-c" || word.contains('='));
        let command = words.into_iter().next().unwrap();
        assert!(["rev-parse", "ls-tree", "cat-file"].contains(&command), "{line}");
    }
}

#[test]
fn without_git_folders_are_still_compared() {
    let folder = Folder::with(&[("old/w.json", &order(1)), ("new/w.json", &order(2))]);
    let mut command = process(folder.path());
    command.env("PATH", "").args(["diff", "old", "new", "--no-explore"]).assert().code(1);
    let output = process(folder.path()).env("PATH", "").args(["diff", "main"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(Value::from(String::from_utf8_lossy(&output.stderr).into_owned()).to_string().contains("cannot run git"));
}
