//! No false success: a named path must exist, and a named file must hold a document.

use crate::support::folder::{Folder, copy_of};
use crate::support::samples::{BROKEN, ERROR, FINE, INFO, UNRELATED, WARNING};

#[test]
fn clean_files_and_folders_exit_with_0() {
    let folder = Folder::with(&[("sub/a.json", FINE)]);
    for path in ["sub/a.json", "sub", ".", "./sub/../sub/a.json"] {
        folder.run(&[path]).expect_code(0);
    }
    folder.run::<&str>(&[]).expect_code(0);
}

#[test]
fn warnings_and_errors_exit_with_1() {
    for (text, code) in [(ERROR, 1), (WARNING, 1), (INFO, 0), (BROKEN, 1)] {
        Folder::with(&[("a.json", text)]).run(&["a.json"]).expect_code(code);
    }
}

#[test]
fn missing_path_exits_with_2_and_is_named() {
    let output = Folder::with(&[("a.json", FINE)]).run(&["missing.json"]).expect_code(2);
    assert!(output.err().contains("missing.json"), "{}", output.err());
    assert_eq!(output.out(), "");
}

#[test]
fn missing_path_does_not_keep_others_from_being_linted() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let output = folder.run(&["--format", "json", "missing.json", "a.json"]).expect_code(2);
    assert_eq!(output.found(), ["a.json WF101 error"]);
    assert_eq!(output.err().lines().count(), 1, "{}", output.err());
}

#[test]
fn missing_path_exits_with_2_even_when_unrelated_files_are_skipped() {
    Folder::with(&[]).run(&["--skip-unrelated", "missing.json"]).expect_code(2);
}

#[test]
fn folder_with_nothing_to_lint_exits_with_2() {
    let files: [&[(&str, &str)]; 3] = [&[], &[("package.json", UNRELATED)], &[("notes.txt", FINE)]];
    for files in files {
        let output = Folder::with(files).run(&["."]).expect_code(2);
        assert!(output.err().contains("nothing to lint"), "{}", output.err());
        assert_eq!(output.out(), "", "no report says that all is well");
    }
}

#[test]
fn named_file_without_a_document_is_a_finding() {
    let folder = Folder::with(&[("package.json", UNRELATED), ("a.json", FINE)]);
    for args in [&["package.json"][..], &["a.json", "package.json"], &[".", "package.json"]] {
        assert_eq!(folder.found(args), ["package.json WF003 error"], "{args:?}");
        folder.run(args).expect_code(1);
    }
}

#[test]
fn named_file_may_have_any_name() {
    let folder = Folder::with(&[("workflow.txt", ERROR)]);
    assert_eq!(folder.found(&["workflow.txt"]), ["workflow.txt WF101 error"]);
}

#[test]
fn named_file_with_invalid_json_is_a_finding() {
    for text in ["", "{", "no json", "\u{feff}"] {
        let folder = Folder::with(&[("a.json", text)]);
        assert_eq!(folder.found(&["a.json"]), ["a.json WF001 error"], "{text:?}");
    }
}

#[test]
fn skip_unrelated_skips_files_and_accepts_nothing_to_lint() {
    let folder = Folder::with(&[("package.json", UNRELATED), ("broken.json", "{"), ("a.json", ERROR)]);
    let output = folder.run(&["--skip-unrelated", "--format", "json", "package.json", "broken.json"]).expect_code(0);
    assert_eq!(output.found(), [""; 0]);
    assert_eq!(output.json()["summary"]["skipped"], 2);
    assert_eq!(folder.found(&["--skip-unrelated", "package.json", "a.json"]), ["a.json WF101 error"]);
}

#[test]
fn broken_document_is_not_skipped_as_unrelated() {
    let folder = Folder::with(&[("a.json", BROKEN)]);
    assert_eq!(folder.found(&["--skip-unrelated", "a.json"]), ["a.json WF001 error"]);
}

#[test]
fn file_named_twice_is_reported_once() {
    let folder = Folder::with(&[("sub/a.json", ERROR)]);
    let absolute = folder.file("sub/a.json");
    for args in [["sub/a.json", "./sub/a.json"], ["sub", "sub/a.json"], ["sub/a.json", absolute.to_str().unwrap()]] {
        assert_eq!(folder.found(&args), ["sub/a.json WF101 error"], "{args:?}");
    }
}

#[test]
fn names_in_reports_are_relative_to_the_current_folder() {
    let folder = Folder::with(&[("sub/here/b.json", FINE), ("sub/a.json", ERROR)]);
    let inside = folder.file("sub/here");
    let output = crate::support::run::run_cli(&["--format", "json", "../a.json"], &inside, b"");
    assert_eq!(output.found(), ["../a.json WF101 error"]);
}

#[test]
fn options_may_follow_paths_and_two_dashes_end_the_options() {
    let folder = Folder::with(&[("--quiet", ERROR)]);
    assert_eq!(folder.run(&["--format", "json", "--", "--quiet"]).found(), ["--quiet WF101 error"]);
    let folder = Folder::with(&[("a.json", ERROR)]);
    assert_eq!(folder.run(&["a.json", "--format", "json"]).found(), ["a.json WF101 error"]);
}

#[test]
fn example_services_are_clean_except_the_broken_one() {
    for example in ["approval", "mailbox", "sign-directory", "sign-json", "sign-local-file", "sign-upload"] {
        let found = copy_of(&format!("examples/{example}")).found(&["."]);
        assert!(!found.iter().any(|line| !line.ends_with(" info")), "{example}: {found:?}");
    }
    copy_of("examples/broken").run(&["."]).expect_code(1);
}
