//! Git, without the settings of the user.

use std::process::{Command, Output};

use super::folder::Folder;

/// Runs git in a folder, and returns what it prints.
#[track_caller]
pub fn git(folder: &Folder, args: &[&str]) -> String {
    let output = try_git(folder, args);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Runs git in a folder, which may fail.
pub fn try_git(folder: &Folder, args: &[&str]) -> Output {
    Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"])
        .args(["-c", "commit.gpgSign=false", "-c", "protocol.file.allow=always"])
        .args(args)
        .current_dir(folder.path())
        .env("GIT_CONFIG_GLOBAL", folder.file(".none"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap()
}
