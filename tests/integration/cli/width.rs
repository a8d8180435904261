//! The width of text for people: nothing is wider than the terminal.

use std::path::Path;

use crate::support::folder::{Folder, copy_of};
use crate::support::run::run_narrow;
use wflint::cli::Widths;
use wflint::rules::REGISTRY;
use wflint::text::columns;

const WIDTHS: [usize; 4] = [40, 60, 97, 140];

#[track_caller]
fn assert_narrow(text: &str, width: usize) {
    assert!(!text.is_empty());
    for line in text.lines() {
        assert!(columns(line) <= width, "{} of {width} columns: {line}\n{text}", columns(line));
    }
}

#[track_caller]
fn assert_fits(args: &[&str], folder: &Path) {
    for width in WIDTHS {
        let output = run_narrow(args, folder, Widths::new(None, Some(width), Some(width)));
        assert_narrow(&(output.out().to_owned() + output.err()), width);
    }
}

#[test]
fn width_is_that_of_columns_else_of_the_terminal_within_bounds() {
    let stdout = |columns, terminal| Widths::new(columns, terminal, None).stdout;
    assert_eq!(stdout(None, None), 100);
    assert_eq!(stdout(None, Some(80)), 80);
    assert_eq!(stdout(Some(60), Some(80)), 60);
    assert_eq!(stdout(Some(60), None), 60);
    assert_eq!((stdout(Some(10), None), stdout(None, Some(1000))), (40, 140));
    assert_eq!((stdout(Some(0), Some(80)), stdout(None, Some(0))), (80, 100), "0 is no width");
    assert_eq!(Widths::new(None, None, None).stderr, None);
    assert_eq!(
        (Widths::new(Some(60), None, None).stderr, Widths::new(None, None, Some(60)).stderr),
        (Some(60), Some(60))
    );
    assert_eq!(Widths::new(None, Some(60), None).file, 100, "a file is no terminal");
}

#[test]
fn help_rules_and_pages_are_not_wider_than_the_terminal() {
    let folder = Folder::with(&[]);
    for command in ["check", "simulate", "explore", "explain", "rules", "schema", "help"] {
        assert_fits(&[command, "--help"], folder.path());
        assert_fits(&[command, "-h"], folder.path());
    }
    assert_fits(&["--help"], folder.path());
    assert_fits(&["-h"], folder.path());
    assert_fits(&["rules"], folder.path());
    for rule in REGISTRY {
        assert_fits(&["explain", rule.code], folder.path());
    }
}

#[test]
fn reports_are_not_wider_than_the_terminal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["examples/broken", "tests/corpus/broken"] {
        assert_fits(&[folder], root);
        assert_fits(&["--statistics", folder], root);
    }
}

#[test]
fn place_of_a_script_in_a_file_with_a_long_name_fits() {
    let code = r#"{ "name": "Compute", "type": "Code", "parameters": [], "script": "foo();" }"#;
    let text = format!("{{{}\"activities\": [{code}], \"variables\": []}}", "\n".repeat(1200));
    let folder = Folder::with(&[(&format!("{}/a.json", "long".repeat(40)), &text)]);
    assert!(folder.found(&["."]).concat().contains("WF803"));
    assert_fits(&["."], folder.path());
}

#[test]
fn lists_summaries_and_notes_are_not_wider_than_the_terminal() {
    let folder = copy_of("examples");
    for args in [
        &["fmt", "--check", "."][..],
        &["-v", "."],
        &["--timing", "."],
        &["--show-files"],
        &["--show-settings"],
        &["--add-suppressions", "as agreed", "."],
        &["catalog", "infer", ".", "--output", "catalogs"],
        &["explore", "sign-upload", "--write", "explored"],
        &["fmt", "."],
    ] {
        for width in WIDTHS {
            let output = run_narrow(args, folder.path(), Widths::new(None, Some(width), Some(width)));
            assert_narrow(&(output.out().to_owned() + output.err()), width);
        }
    }
}

#[test]
fn tour_fits_a_terminal() {
    let folder = Folder::with(&[]);
    let tour = run_narrow(&["tour"], folder.path(), Widths::new(None, Some(80), Some(80)));
    assert_narrow(tour.out(), 80);
    assert!(tour.out().lines().count() < 60, "{}", tour.out());
}

#[test]
fn columns_hold_for_both_streams_and_without_them_a_path_is_one_line() {
    let folder = copy_of("examples");
    let narrow = run_narrow(&["fmt", "--check", "."], folder.path(), Widths::new(Some(40), None, None));
    assert_narrow(&(narrow.out().to_owned() + narrow.err()), 40);
    let name = format!("{}/a.json", "long-name".repeat(20));
    let folder = Folder::with(&[(&name, "{ \"activities\": [], \"variables\": [] }")]);
    let output = folder.run(&["fmt", "--check", "."]).expect_code(1);
    assert_eq!(output.out(), format!("Would format {name}\n"));
}

#[test]
fn labels_at_the_end_of_wide_lines_are_not_wider_than_the_terminal() {
    let name =
        "Anställda i 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 with a name that has no end at all";
    let text = format!(
        r#"{{ "activities": [{{ "name": "{name}", "type": "Status", "status": {{ "isBound": true, "boundTo": "Nme", "boundToId": 7 }} }}], "variables": [{{ "name": "{name}", "id": 7 }}, {{ "name": "{name}", "id": 7 }}] }}"#
    );
    let folder =
        Folder::with(&[("a folder/with a very long name/and one below/that is longer than it need be/a.json", &text)]);
    assert_fits(&["."], folder.path());
}

#[test]
fn simulations_are_not_wider_than_the_terminal() {
    let folder = copy_of("examples");
    assert_fits(&["simulate"], folder.path());
    let scenario = folder.read("sign-upload/signed.scenario.yaml");
    let (before, _) = scenario.split_once("expect:").unwrap();
    let wrong =
        "expect: { outcome: terminated, variables: { ESignStatus: Rejected }, statuses: [Document was rejected] }\n";
    folder.write("sign-upload/signed.scenario.yaml", format!("{before}{wrong}"));
    assert_fits(&["simulate", "sign-upload"], folder.path());
    folder.write(
        "sign-upload/signed.scenario.yaml",
        format!("{before}{wrong}nothing of the kind: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"),
    );
    assert_fits(&["simulate", "sign-upload"], folder.path());
}

/// A terminal of this width: the end of its window, and that of programs.
#[cfg(unix)]
fn terminal(width: u16) -> (std::fs::File, std::fs::File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let window = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&window).unwrap();
    unlockpt(&window).unwrap();
    let name = ptsname(&window, Vec::new()).unwrap().into_string().unwrap();
    let window = std::fs::File::from(window);
    resize(&window, width);
    (window, std::fs::OpenOptions::new().read(true).write(true).open(name).unwrap())
}

#[cfg(unix)]
fn resize(window: &std::fs::File, width: u16) {
    use rustix::termios::{Winsize, tcsetwinsize};

    tcsetwinsize(window, Winsize { ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
}

/// Starts a process in a terminal.
#[cfg(unix)]
fn start(args: &[&str], folder: &Path, terminal: std::fs::File) -> std::process::Child {
    use std::process::{Command, Stdio};

    let mut command = Command::new(env!("CARGO_BIN_EXE_wflint"));
    command.args(args).current_dir(folder).env_remove("COLUMNS").env("NO_COLOR", "1").stdin(Stdio::null());
    command.stdout(terminal.try_clone().unwrap()).stderr(terminal).spawn().unwrap()
}

/// What a process shows in a terminal of this width.
#[cfg(unix)]
fn shown_in_terminal(args: &[&str], folder: &Path, width: u16) -> String {
    use std::io::Read;

    let (mut window, terminal) = terminal(width);
    let mut child = start(args, folder, terminal);
    let mut shown = Vec::new();
    // Ends with an error when the process, the last user of the terminal, ends.
    let _ = window.read_to_end(&mut shown);
    child.wait().unwrap();
    String::from_utf8(shown).unwrap().replace("\r\n", "\n")
}

#[cfg(unix)]
#[test]
fn each_report_of_a_watch_is_as_wide_as_the_terminal_then() {
    use std::io::{BufRead, BufReader};

    let folder = copy_of("examples/broken");
    let (window, terminal) = terminal(120);
    let mut child = start(&["--watch"], folder.path(), terminal);
    let mut lines = BufReader::new(window.try_clone().unwrap()).lines().map(Result::unwrap);
    for width in [120, 50, 120] {
        let report: Vec<String> = lines.by_ref().take_while(|line| !line.contains("Watching for changes")).collect();
        let widest = report.iter().map(|line| columns(line.trim_end())).max().unwrap();
        assert_eq!(widest > 60, width > 60, "{widest} of {width} columns: {report:?}");
        resize(&window, if width == 120 { 50 } else { 120 });
        folder.write("order.form.json", folder.read("order.form.json") + " ");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn nothing_is_wider_than_a_real_terminal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for args in [
        &["examples/broken"][..],
        &["simulate", "examples/sign-upload"],
        &["explain", "WF404"],
        &["rules"],
        &["--help"],
        &["a-path-that-does-not-exist-and-is-so-long/that-it-does-not-fit/into-the-terminal.json"],
    ] {
        assert_narrow(&shown_in_terminal(args, root, 60), 60);
    }
}
