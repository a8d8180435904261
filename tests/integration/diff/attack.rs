//! A repository that was made to run programs runs none.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::support::folder::Folder;
use crate::support::git::{git, try_git};

/// A program that leaves a mark named after the place that ran it.
fn plant(folder: &Folder, name: &str) -> String {
    let program = folder.file(format!(".programs/{name}"));
    let mark = folder.file(format!(".marks/{name}"));
    folder.write(&program, format!("#!/bin/sh\necho ran > '{}'\n", mark.display()));
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program.display().to_string()
}

fn order(seconds: u32) -> String {
    json!({ "activities": [
        { "name": "Wait", "type": "While", "iterationDelaySeconds": { "isBound": false, "value": seconds } }
    ], "variables": [] })
    .to_string()
}

fn attacking() -> Folder {
    let folder = Folder::with(&[("s/w.json", &order(1)), ("lost/w.json", &order(1)), (".marks/.keep", "")]);
    git(&folder, &["init", "-q"]);
    folder.write(".gitattributes", "*.json diff=evil filter=evil merge=evil\n");
    folder.write(".gitignore", ".programs\n.marks\n");
    git(&folder, &["add", "s", "lost", ".gitattributes", ".gitignore"]);
    git(&folder, &["commit", "-q", "-m", "x"]);
    folder.write("s/w.json", order(2));
    let mut settings: Vec<(String, String)> = Vec::new();
    for (key, shell) in [
        ("core.fsmonitor", ""),
        ("core.pager", ""),
        ("core.editor", ""),
        ("core.sshCommand", ""),
        ("core.askPass", ""),
        ("core.gitProxy", ""),
        ("core.alternateRefsCommand", ""),
        ("credential.helper", "!"),
        ("diff.external", ""),
        ("diff.evil.command", ""),
        ("diff.evil.textconv", ""),
        ("filter.evil.clean", ""),
        ("filter.evil.smudge", ""),
        ("filter.evil.process", ""),
        ("merge.evil.driver", ""),
        ("gpg.program", ""),
        ("uploadpack.packObjectsHook", ""),
        ("remote.origin.uploadpack", ""),
        ("pager.rev-parse", ""),
        ("pager.ls-tree", ""),
        ("pager.cat-file", ""),
        ("alias.rev-parse", "!"),
        ("alias.ls-tree", "!"),
        ("alias.cat-file", "!"),
    ] {
        settings.push((key.to_owned(), format!("{shell}{}", plant(&folder, key))));
    }
    settings.push(("core.hooksPath".to_owned(), folder.file(".programs").display().to_string()));
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"] {
        plant(&folder, hook);
    }
    for (key, value) in [
        ("protocol.allow", "always"),
        ("protocol.ext.allow", "always"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialclonefilter", "blob:none"),
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
    ] {
        settings.push((key.to_owned(), value.to_owned()));
    }
    settings.push(("remote.origin.url".to_owned(), format!("ext::{}", plant(&folder, "remote.origin.url"))));
    for (key, value) in &settings {
        git(&folder, &["config", key, value]);
    }
    folder
}

fn marks(folder: &Folder) -> Vec<String> {
    folder.names_in(".marks").into_iter().filter(|name| name != ".keep").collect()
}

#[test]
fn repository_made_to_run_programs_runs_none() {
    let folder = attacking();
    let clear =
        || marks(&folder).iter().for_each(|mark| std::fs::remove_file(folder.file(".marks").join(mark)).unwrap());
    // The programs do run where git is asked for more.
    try_git(&folder, &["diff"]);
    try_git(&folder, &["status"]);
    assert!(marks(&folder).len() > 1, "{:?}", marks(&folder));
    clear();
    for args in [&["HEAD"][..], &["HEAD", "HEAD:"], &["HEAD:s"], &["HEAD:s/w.json"], &["HEAD..."]] {
        let output = folder.run(&[&["diff", "--no-explore"], args].concat());
        assert!(output.err().is_empty(), "{args:?}: {}", output.err());
        assert_eq!(marks(&folder), [""; 0], "{args:?}");
    }
    // An object that a partial clone lacks is not fetched.
    let blob = git(&folder, &["rev-parse", "HEAD:lost/w.json"]);
    clear();
    let copy = git(&folder, &["rev-parse", "HEAD:s/w.json"]);
    assert_eq!(blob, copy, "both documents are equal");
    clear();
    std::fs::remove_file(folder.file(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]))).unwrap();
    let output = folder.run(&["diff", "--no-explore", "HEAD"]).expect_code(2);
    assert!(output.err().contains("cannot read HEAD:lost/w.json: cannot read it from git"), "{}", output.err());
    assert_eq!(marks(&folder), [""; 0]);
    try_git(&folder, &["cat-file", "-p", &blob]);
    assert_eq!(marks(&folder).len(), 1, "git itself would have fetched it: {:?}", marks(&folder));
}

#[test]
fn repository_is_not_changed() {
    let folder = attacking();
    let state = || {
        let mut files = Vec::new();
        for entry in
            ignore::WalkBuilder::new(folder.file(".git")).standard_filters(false).sort_by_file_name(Ord::cmp).build()
        {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            files.push((entry.path().to_path_buf(), metadata.len(), metadata.modified().unwrap()));
        }
        files
    };
    let before = state();
    folder.run(&["diff", "--no-explore", "HEAD"]).expect_code(1);
    assert_eq!(before, state());
}
