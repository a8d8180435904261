//! The README is true: its first example gives the output that it shows, and the configuration that
//! it shows is one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on fails"
)]

mod support;

use std::path::Path;

use support::run::run_cli;

const README: &str = include_str!("../README.md");

/// The fences of a kind.
fn fences<'r>(kind: &str, text: &'r str) -> Vec<&'r str> {
    let start = format!("```{kind}\n");
    text.split(start.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_first_example_gives_the_output_that_it_shows() {
    let shown = fences("console", README)[0];
    let (command, output) = shown.split_once('\n').unwrap();
    let arguments: Vec<&str> = command.strip_prefix("$ wflint ").unwrap().split(' ').collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = run_cli(&arguments, root, b"");
    assert_eq!(ran.out(), output);
    assert_eq!(ran.code, 1);
}

#[test]
fn the_configuration_that_it_shows_is_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("plugins")).unwrap();
    std::fs::write(folder.path().join("plugins/own.toml"), "plugin = 'own'\n").unwrap();
    std::fs::write(folder.path().join("wflint.toml"), fences("toml", README)[0]).unwrap();
    std::fs::write(folder.path().join("a.json"), "{\"activities\": [], \"variables\": []}").unwrap();
    let ran = run_cli(&["."], folder.path(), b"");
    assert_eq!((ran.code, ran.err()), (0, ""));
}
