//! `-`: one document from standard input.

use crate::support::folder::Folder;
use crate::support::run::{Output, run_cli};
use crate::support::samples::{BROKEN, ERROR, FILLER, FINE, INFO, READER, UNRELATED};

fn lint(folder: &Folder, args: &[&str], text: &str) -> Output {
    run_cli(&[&["--format", "json", "-"], args].concat(), folder.path(), text.as_bytes())
}

#[test]
fn unnamed_standard_input_is_reported_as_stdin() {
    let folder = Folder::with(&[]);
    assert_eq!(lint(&folder, &[], ERROR).expect_code(1).found(), ["<stdin> WF101 error"]);
    assert_eq!(lint(&folder, &[], FINE).expect_code(0).found(), [""; 0]);
}

#[test]
fn unnamed_standard_input_is_a_service_of_its_own() {
    let folder = Folder::with(&[("order.form.json", FILLER), ("broken.json", BROKEN)]);
    assert_eq!(lint(&folder, &["--select", "ALL"], READER).expect_code(0).found(), ["<stdin> WF007 info"]);
}

#[test]
fn unnamed_standard_input_uses_the_configuration_of_the_current_folder() {
    let folder = Folder::with(&[("wflint.toml", "ignore = ['WF101']\n")]);
    assert_eq!(lint(&folder, &[], ERROR).found(), [""; 0]);
    assert_eq!(lint(&folder, &["--isolated"], ERROR).found(), ["<stdin> WF101 error"]);
}

#[test]
fn named_standard_input_replaces_its_file() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    assert_eq!(lint(&folder, &["--stdin-filename", "a.json", "--select", "ALL"], INFO).found(), ["a.json WF007 info"]);
}

#[test]
fn named_standard_input_is_linted_with_its_service_but_reported_alone() {
    let folder = Folder::with(&[("sub/order.workflow.json", READER), ("sub/order.form.json", FILLER)]);
    let workflow = lint(&folder, &["--stdin-filename", "sub/order.workflow.json", "--select", "ALL"], READER);
    assert_eq!(workflow.found(), ["sub/order.workflow.json WF302 error", "sub/order.workflow.json WF007 info"]);
    let form = lint(&folder, &["--stdin-filename", "sub/order.form.json"], FILLER);
    assert_eq!(form.found(), ["sub/order.form.json WF604 error"], "not WF302, which the form causes elsewhere");
}

#[test]
fn named_standard_input_needs_no_file() {
    let folder = Folder::with(&[("order.form.json", FILLER)]);
    let found = lint(&folder, &["--stdin-filename", "new.workflow.json", "--select", "ALL"], READER).found();
    assert_eq!(found, ["new.workflow.json WF302 error", "new.workflow.json WF007 info"]);
    lint(&folder, &["--stdin-filename", "not/there/new.json"], FINE).expect_code(0);
}

#[test]
fn named_standard_input_is_reported_relative_to_the_current_folder() {
    let folder = Folder::with(&[("sub/order.form.json", FILLER)]);
    let absolute = folder.file("sub/a.json");
    for name in [absolute.to_str().unwrap(), "./sub/a.json", "sub/../sub/a.json"] {
        assert_eq!(lint(&folder, &["--stdin-filename", name], ERROR).found(), ["sub/a.json WF101 error"], "{name}");
    }
}

#[test]
fn named_standard_input_uses_the_configuration_nearest_to_its_file() {
    let folder = Folder::with(&[("sub/wflint.toml", "ignore = ['WF101']\n")]);
    assert_eq!(lint(&folder, &["--stdin-filename", "sub/a.json"], ERROR).found(), [""; 0]);
    assert_eq!(lint(&folder, &["--stdin-filename", "a.json"], ERROR).found(), ["a.json WF101 error"]);
}

#[test]
fn standard_input_without_a_document_is_a_finding() {
    let folder = Folder::with(&[]);
    assert_eq!(lint(&folder, &[], UNRELATED).expect_code(1).found(), ["<stdin> WF003 error"]);
    assert_eq!(lint(&folder, &[], "").expect_code(1).found(), ["<stdin> WF001 error"]);
    lint(&folder, &["--skip-unrelated"], UNRELATED).expect_code(0);
}

#[test]
fn dash_cannot_be_combined_with_other_paths() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for args in [&["-", "a.json"][..], &["a.json", "-"], &["-", "-"], &["-", "."]] {
        let output = run_cli(args, folder.path(), FINE.as_bytes()).expect_code(2);
        assert!(output.err().contains("`-` cannot be combined"), "{}", output.err());
    }
}

#[test]
fn stdin_filename_requires_a_dash() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for args in [&["--stdin-filename", "a.json"][..], &["--stdin-filename", "a.json", "a.json"]] {
        let output = folder.run(args).expect_code(2);
        assert!(output.err().contains("--stdin-filename"), "{}", output.err());
    }
}

#[test]
fn file_named_dash_is_linted_by_a_path_with_a_folder() {
    let folder = Folder::with(&[("-", ERROR)]);
    assert_eq!(folder.found(&["./-"]), ["- WF101 error"]);
}

#[test]
fn unreadable_standard_input_exits_with_2() {
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

#[test]
fn standard_input_is_read_up_to_the_limit_of_its_configuration() {
    /// Never ends.
    struct Blanks(u64);
    impl std::io::Read for Blanks {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.fill(b' ');
            self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }
    let limits =
        |limit: u64| format!("[limits]\nmax-file-mib = {limit}\n[[service]]\nname = 's'\nworkflow = 'a.json'\n");
    let folder = Folder::with(&[("a.json", FINE), ("wflint.toml", &limits(2)), ("sub/wflint.toml", &limits(1))]);
    let too_large = "larger than the limit of";
    for (args, mib, code, message) in [
        (&["-"][..], 2, 1, "file larger than 2 MiB"),
        // The file need not exist, and its service may name it.
        (&["-", "--stdin-filename", "sub/a.json"], 1, 1, "file larger than 1 MiB"),
        (&["-", "--fix"], 2, 2, "input exceeds the limit of 2 MiB"),
        (&["fmt", "-"], 2, 2, too_large),
        (&["fmt", "-", "--check", "--stdin-filename", "sub/a.json"], 1, 2, too_large),
        (&["graph", "-"], 2, 2, "larger than 2 MiB"),
    ] {
        let (mut input, mut stdout) = (Blanks(0), Vec::new());
        let (found, stderr) = crate::support::run::run_with(args, folder.path(), &mut input, &mut stdout, false);
        let printed = String::from_utf8([stdout, stderr].concat()).unwrap();
        assert_eq!((found, input.0), (code, (mib << 20) + 1), "{args:?}: {printed}");
        assert!(printed.contains(message), "{args:?}: {printed}");
    }
}

#[test]
fn standard_input_over_the_limit_is_skipped_whole_if_it_is_unrelated() {
    let folder = Folder::with(&[("wflint.toml", "[limits]\nmax-file-mib = 1\n")]);
    let text = format!("[{}1]", " ".repeat(1 << 20));
    lint(&folder, &["--skip-unrelated"], &text).expect_code(0);
    let formatted = run_cli(&["fmt", "-", "--skip-unrelated"], folder.path(), text.as_bytes()).expect_code(0);
    assert!(formatted.out() == text);
    let document = format!("{{{}\"activities\": []}}", " ".repeat(1 << 20));
    assert_eq!(lint(&folder, &["--skip-unrelated"], &document).expect_code(1).found(), ["<stdin> WF002 error"]);
}
