//! Folders are walked as git sees them.

use crate::support::folder::Folder;
use crate::support::samples::{BROKEN, ERROR, FINE, UNRELATED};

#[test]
fn every_document_below_a_folder_is_linted_and_other_json_is_counted() {
    let folder = Folder::with(&[
        ("a/order.workflow.json", ERROR),
        ("b/c/d/other.json", ERROR),
        ("b/package.json", UNRELATED),
        ("b/readme.md", ERROR),
    ]);
    let output = folder.run(&["--format", "json"]).expect_code(1);
    assert_eq!(output.found(), ["a/order.workflow.json WF101 error", "b/c/d/other.json WF101 error"]);
    assert_eq!(output.json()["summary"]["files"], 2);
    assert_eq!(output.json()["summary"]["skipped"], 1);
}

#[test]
fn ignore_files_apply_with_or_without_a_repository() {
    let folder = Folder::with(&[
        (".gitignore", "/build/\n*.bak.json\n"),
        (".ignore", "scratch.json\n"),
        ("sub/.gitignore", "local.json\n"),
        ("a.json", FINE),
        ("build/a.json", ERROR),
        ("old.bak.json", ERROR),
        ("scratch.json", ERROR),
        ("sub/local.json", ERROR),
        ("sub/kept.json", ERROR),
    ]);
    assert_eq!(folder.found(&["."]), ["sub/kept.json WF101 error"]);
    std::fs::create_dir(folder.file(".git")).unwrap();
    assert_eq!(folder.found(&["."]), ["sub/kept.json WF101 error"]);
}

#[test]
fn ignore_file_above_the_walked_folder_applies() {
    let folder = Folder::with(&[(".gitignore", "sub/local.json\n"), ("sub/local.json", ERROR), ("sub/a.json", FINE)]);
    assert_eq!(folder.found(&["sub"]), [""; 0]);
}

#[test]
fn ignore_files_of_git_above_a_repository_do_not_count_in_it() {
    let folder = Folder::with(&[
        (".gitignore", "a.json\n"),
        (".ignore", "b.json\n"),
        ("own/.git/info/exclude", "c.json\n"),
        ("own/a.json", ERROR),
        ("own/b.json", ERROR),
        ("own/sub/c.json", ERROR),
        ("other/a.json", ERROR),
    ]);
    for walked in [".", "own"] {
        assert_eq!(folder.found(&[walked]), ["own/a.json WF101 error"], "{walked}");
    }
}

#[test]
fn worktree_has_the_excludes_of_its_repository() {
    let folder = Folder::with(&[
        ("main/.git/info/exclude", "a.json\n"),
        ("main/.git/worktrees/tree/commondir", "../..\n"),
        ("tree/a.json", ERROR),
        ("tree/b.json", ERROR),
    ]);
    let own = folder.file("main/.git/worktrees/tree");
    std::fs::write(folder.file("tree/.git"), format!("gitdir: {}\n", own.display())).unwrap();
    assert_eq!(folder.found(&["tree"]), ["tree/b.json WF101 error"]);
}

#[test]
fn submodule_has_excludes_of_its_own() {
    let folder = Folder::with(&[
        (".git/modules/sub/info/exclude", "a.json\n"),
        ("sub/.git", "gitdir: ../.git/modules/sub\n"),
        ("sub/a.json", ERROR),
        ("sub/b.json", ERROR),
    ]);
    assert_eq!(folder.found(&["."]), ["sub/b.json WF101 error"]);
}

#[test]
fn ignore_file_brings_hidden_files_back() {
    let folder = Folder::with(&[(".gitignore", "!.own.json\n!.own/\n"), (".own.json", ERROR), (".own/a.json", ERROR)]);
    assert_eq!(folder.found(&["."]), [".own.json WF101 error", ".own/a.json WF101 error"]);
}

#[cfg(unix)]
#[test]
fn ignore_files_above_the_target_of_a_named_link_apply() {
    let folder = Folder::with(&[("a/.gitignore", "/sub/b.json\n"), ("a/sub/b.json", ERROR), ("a/sub/c.json", ERROR)]);
    std::os::unix::fs::symlink(folder.file("a/sub"), folder.file("link")).unwrap();
    assert_eq!(folder.found(&["link"]), ["link/c.json WF101 error"]);
}

#[cfg(unix)]
#[test]
fn ignore_file_for_all_repositories_applies() {
    let folder = Folder::with(&[("local.json", ERROR), ("other.json", ERROR)]);
    let ignored = |home: &[(&str, &str)]| {
        let home = Folder::with(home);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wflint"));
        for name in ["XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"] {
            command.env_remove(name);
        }
        let output = command.args(["--format", "concise"]).env("HOME", home.path()).current_dir(folder.path()).output();
        let report = String::from_utf8(output.unwrap().stdout).unwrap();
        ["local.json", "other.json"].into_iter().filter(|name| !report.contains(name)).collect::<Vec<_>>()
    };
    assert_eq!(ignored(&[]), [""; 0]);
    assert_eq!(ignored(&[(".gitconfig", "[user]\n\tname = Anna\n")]), [""; 0]);
    assert_eq!(ignored(&[(".config/git/ignore", "other.json\n")]), ["other.json"]);
    for config in [".gitconfig", ".config/git/config"] {
        assert_eq!(ignored(&[(config, "[core]\n\tExcludesFile = ~/mine\n"), ("mine", "local.json\n")]), ["local.json"]);
    }
}

#[test]
fn named_file_is_linted_even_when_ignored_or_hidden() {
    let folder = Folder::with(&[(".gitignore", "a.json\n"), ("a.json", ERROR), (".b.json", ERROR)]);
    assert_eq!(folder.found(&["a.json", ".b.json"]), [".b.json WF101 error", "a.json WF101 error"]);
}

#[test]
fn hidden_files_and_folders_are_skipped() {
    let folder = Folder::with(&[("a.json", FINE), (".b.json", ERROR), (".hidden/c.json", ERROR)]);
    assert_eq!(folder.found(&["."]), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_on_a_walk() {
    use std::os::unix::fs::symlink;
    let outside = Folder::with(&[("a.json", ERROR)]);
    let folder = Folder::with(&[("own.json", FINE)]);
    symlink(outside.file("a.json"), folder.file("link.json")).unwrap();
    symlink(outside.path(), folder.file("link")).unwrap();
    symlink(folder.path(), folder.file("round")).unwrap();
    symlink("nowhere", folder.file("dangling.json")).unwrap();
    assert_eq!(folder.found(&["."]), [""; 0]);
    folder.run(&["."]).expect_code(0);
}

#[cfg(unix)]
#[test]
fn named_link_is_followed() {
    let outside = Folder::with(&[("a.json", ERROR)]);
    let folder = Folder::with(&[]);
    std::os::unix::fs::symlink(outside.file("a.json"), folder.file("link.json")).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.file("link")).unwrap();
    assert_eq!(folder.found(&["link.json"]), ["link.json WF101 error"]);
    assert_eq!(folder.found(&["link"]), ["link/a.json WF101 error"]);
}

#[test]
fn broken_file_is_reported_when_it_looks_like_a_document() {
    let folder = Folder::with(&[("a.json", BROKEN), ("b.json", "{ \"tokens\": ["), ("c.json", FINE)]);
    let output = folder.run(&["--format", "json"]).expect_code(1);
    assert_eq!(output.found(), ["a.json WF001 error"]);
    assert_eq!(output.json()["summary"]["skipped"], 1);
}

#[test]
fn other_json_with_such_an_array_is_linted_only_when_named() {
    let other = "{ \"fields\": [\"id\", \"name\"] }";
    let folder = Folder::with(&[("a.json", FINE), ("other.json", other)]);
    let output = folder.run(&["--format", "json"]).expect_code(0);
    assert_eq!(output.json()["summary"]["skipped"], 1);
    assert!(!folder.found(&["other.json"]).is_empty());
}

#[test]
fn signing_case_is_linted_on_a_walk() {
    let folder = Folder::with(&[("case.json", "{ \"Name\": \"Contract\", \"Parties\": [{ \"Name\": \"Anna\" }] }")]);
    assert_eq!(folder.run(&["--format", "json"]).json()["summary"]["files"], 1);
}

#[test]
fn folder_whose_name_ends_in_json_is_walked() {
    let folder = Folder::with(&[("odd.json/a.json", ERROR)]);
    assert_eq!(folder.found(&["."]), ["odd.json/a.json WF101 error"]);
    assert_eq!(folder.found(&["odd.json"]), ["odd.json/a.json WF101 error"]);
}
