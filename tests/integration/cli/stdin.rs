//! `-`: one document from standard input.

use crate::support::folder::Folder;
use crate::support::run::{Output, run_cli};
use crate::support::samples::{BROKEN, ERROR, FILLER, FINE, INFO, READER, UNRELATED};

fn lint(folder: &Folder, args: &[&str], text: &str) -> Output {
    run_cli(&[&["--format", "json", "-"], args].concat(), folder.path(), text.as_bytes())
}

#[test]
fn a_text_without_a_name_is_called_stdin() {
    let folder = Folder::with(&[]);
    assert_eq!(lint(&folder, &[], ERROR).expect_code(1).found(), ["<stdin> WF101 error"]);
    assert_eq!(lint(&folder, &[], FINE).expect_code(0).found(), [""; 0]);
}

#[test]
fn a_text_without_a_name_is_a_service_of_its_own() {
    let folder = Folder::with(&[("order.form.json", FILLER), ("broken.json", BROKEN)]);
    assert_eq!(lint(&folder, &[], READER).expect_code(0).found(), ["<stdin> WF007 info"]);
}

#[test]
fn a_text_without_a_name_is_linted_by_the_configuration_of_the_current_folder() {
    let folder = Folder::with(&[("wflint.toml", "ignore = ['WF101']\n")]);
    assert_eq!(lint(&folder, &[], ERROR).found(), [""; 0]);
    assert_eq!(lint(&folder, &["--isolated"], ERROR).found(), ["<stdin> WF101 error"]);
}

#[test]
fn a_named_text_takes_the_place_of_its_file() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    assert_eq!(lint(&folder, &["--stdin-filename", "a.json"], INFO).found(), ["a.json WF007 info"]);
}

#[test]
fn a_named_text_is_linted_with_its_service_and_only_its_findings_are_reported() {
    let folder = Folder::with(&[("sub/order.workflow.json", READER), ("sub/order.form.json", FILLER)]);
    let workflow = lint(&folder, &["--stdin-filename", "sub/order.workflow.json"], READER);
    assert_eq!(workflow.found(), ["sub/order.workflow.json WF302 error", "sub/order.workflow.json WF007 info"]);
    let form = lint(&folder, &["--stdin-filename", "sub/order.form.json"], FILLER);
    assert_eq!(form.found(), ["sub/order.form.json WF604 error"], "not WF302, which the form causes elsewhere");
}

#[test]
fn a_named_text_needs_no_file() {
    let folder = Folder::with(&[("order.form.json", FILLER)]);
    let found = lint(&folder, &["--stdin-filename", "new.workflow.json"], READER).found();
    assert_eq!(found, ["new.workflow.json WF302 error", "new.workflow.json WF007 info"]);
    lint(&folder, &["--stdin-filename", "not/there/new.json"], FINE).expect_code(0);
}

#[test]
fn a_named_text_is_reported_relative_to_the_current_folder() {
    let folder = Folder::with(&[("sub/order.form.json", FILLER)]);
    let absolute = folder.file("sub/a.json");
    for name in [absolute.to_str().unwrap(), "./sub/a.json", "sub/../sub/a.json"] {
        assert_eq!(lint(&folder, &["--stdin-filename", name], ERROR).found(), ["sub/a.json WF101 error"], "{name}");
    }
}

#[test]
fn a_named_text_is_linted_by_the_configuration_nearest_to_its_file() {
    let folder = Folder::with(&[("sub/wflint.toml", "ignore = ['WF101']\n")]);
    assert_eq!(lint(&folder, &["--stdin-filename", "sub/a.json"], ERROR).found(), [""; 0]);
    assert_eq!(lint(&folder, &["--stdin-filename", "a.json"], ERROR).found(), ["a.json WF101 error"]);
}

#[test]
fn a_text_that_holds_no_document_is_a_finding() {
    let folder = Folder::with(&[]);
    assert_eq!(lint(&folder, &[], UNRELATED).expect_code(1).found(), ["<stdin> WF003 error"]);
    assert_eq!(lint(&folder, &[], "").expect_code(1).found(), ["<stdin> WF001 error"]);
    lint(&folder, &["--skip-unrelated"], UNRELATED).expect_code(0);
}

#[test]
fn a_dash_stands_alone() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for args in [&["-", "a.json"][..], &["a.json", "-"], &["-", "-"], &["-", "."]] {
        let output = run_cli(args, folder.path(), FINE.as_bytes()).expect_code(2);
        assert!(output.err().contains("`-` cannot be combined"), "{}", output.err());
    }
}

#[test]
fn a_name_for_standard_input_goes_with_a_dash_only() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for args in [&["--stdin-filename", "a.json"][..], &["--stdin-filename", "a.json", "a.json"]] {
        let output = folder.run(args).expect_code(2);
        assert!(output.err().contains("--stdin-filename"), "{}", output.err());
    }
}

#[test]
fn a_file_named_dash_is_reached_by_its_folder() {
    let folder = Folder::with(&[("-", ERROR)]);
    assert_eq!(folder.found(&["./-"]), ["- WF101 error"]);
}

#[test]
fn input_that_cannot_be_read_ends_with_2() {
    struct Torn;
    impl std::io::Read for Torn {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("torn"))
        }
    }
    let (mut stdout, folder) = (Vec::new(), Folder::with(&[]));
    let (code, stderr) = crate::support::run::run_with(&["-"], folder.path(), &mut Torn, &mut stdout, false);
    assert_eq!(code, 2);
    assert!(stdout.is_empty());
    assert!(String::from_utf8(stderr).unwrap().contains("torn"));
}
