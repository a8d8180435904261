//! Real processes: exit codes, streams, and files that the system refuses to open.

use std::process::{Command, Stdio};

use crate::support::folder::Folder;
use crate::support::run::{findings_of, process};
use crate::support::samples::{ERROR, FINE, INFO, WARNING};

#[test]
fn process_exits_with_the_documented_codes() {
    for (text, code) in [(FINE, 0), (INFO, 0), (WARNING, 1), (ERROR, 1)] {
        process(Folder::with(&[("a.json", text)]).path()).assert().code(code);
    }
    process(Folder::with(&[]).path()).assert().code(2).stdout("");
    process(Folder::with(&[]).path()).arg("--no-such-option").assert().code(2).stdout("");
}

#[test]
fn process_reads_standard_input() {
    let folder = Folder::with(&[]);
    let run = process(folder.path()).args(["-", "--format", "json"]).write_stdin(ERROR).assert().code(1);
    let report = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(findings_of(&report), ["<stdin> WF101 error"]);
    process(folder.path()).arg("-").write_stdin(FINE).assert().code(0);
}

#[test]
fn process_without_a_terminal_prints_no_color() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let has_color = |process: &mut assert_cmd::Command| process.output().unwrap().stdout.contains(&b'\x1b');
    assert!(!has_color(&mut process(folder.path())));
    assert!(has_color(process(folder.path()).args(["--color", "always"])));
    assert!(has_color(process(folder.path()).args(["--color", "always"]).env("NO_COLOR", "1")), "an option is nearer");
}

#[test]
fn closed_pipe_ends_the_process_without_a_panic() {
    let activities = vec![r#"{ "name": "Say", "type": "Status" }"#; 3000].join(", ");
    let folder = Folder::with(&[("a.json", &format!("{{ \"activities\": [{activities}], \"variables\": [] }}"))]);
    for args in [&["--format", "concise"][..], &["--format", "json"], &["rules"], &["schema", "workflow"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wflint"))
            .args(args)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert!(output.status.code().is_some(), "{args:?}: ended by a signal");
    }
}

/// A file that exists but cannot be opened, even by root.
#[cfg(unix)]
fn add_unreadable(folder: &Folder, name: &str) -> std::os::unix::net::UnixListener {
    std::os::unix::net::UnixListener::bind(folder.file(name)).unwrap()
}

#[cfg(unix)]
#[test]
fn unreadable_file_is_reported_and_the_others_are_linted() {
    let folder = Folder::with(&[("a.json", ERROR), ("z.json", WARNING)]);
    let _socket = add_unreadable(&folder, "m.json");
    let run = process(folder.path()).args(["--format", "json", "a.json", "m.json", "z.json"]).assert().code(2);
    let output = run.get_output();
    let report = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(findings_of(&report), ["a.json WF101 error", "z.json WF414 warning"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.lines().count() == 1 && errors.contains("m.json"), "{errors}");
}

#[cfg(unix)]
#[test]
fn unreadable_file_alone_exits_with_2_and_one_error() {
    let folder = Folder::with(&[]);
    let _socket = add_unreadable(&folder, "m.json");
    let run = process(folder.path()).arg("m.json").assert().code(2).stdout("");
    let errors = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(errors.lines().count() == 1 && errors.contains("m.json"), "{errors}");
}

#[cfg(unix)]
#[test]
fn special_files_are_skipped_on_a_walk() {
    let folder = Folder::with(&[("a.json", FINE)]);
    let _socket = add_unreadable(&folder, "m.json");
    process(folder.path()).assert().code(0);
}

#[cfg(unix)]
#[test]
fn files_and_folders_without_permission_are_reported_on_a_walk_and_the_others_are_linted() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.json", ERROR), ("closed.json", FINE), ("shut/b.json", FINE)]);
    let set = |name: &str, mode| {
        std::fs::set_permissions(folder.file(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set("closed.json", 0o000);
    set("shut", 0o000);
    // Some users may read everything; for them there is nothing to see here.
    if std::fs::read(folder.file("closed.json")).is_err() {
        let run = process(folder.path()).args(["--format", "json"]).assert().code(2);
        let output = run.get_output();
        assert_eq!(findings_of(&serde_json::from_slice(&output.stdout).unwrap()), ["a.json WF101 error"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("closed.json") && errors.contains("shut"), "{errors}");
    }
    set("shut", 0o755);
}

#[cfg(unix)]
#[test]
fn report_may_be_written_to_a_special_file() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    process(folder.path()).args(["--output", "/dev/null"]).assert().code(1);
    assert!(std::fs::metadata("/dev/null").unwrap().len() == 0 && !std::path::Path::new("/dev/null").is_file());
}

#[cfg(unix)]
#[test]
fn report_keeps_the_permissions_of_the_file_it_replaces() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.json", ERROR), ("report", "")]);
    let mode = || std::fs::metadata(folder.file("report")).unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(folder.file("report"), std::fs::Permissions::from_mode(0o640)).unwrap();
    process(folder.path()).args(["--output", "report"]).assert().code(1);
    assert_eq!(mode(), 0o640);
    std::fs::remove_file(folder.file("report")).unwrap();
    process(folder.path()).args(["--output", "report"]).assert().code(1);
    assert_eq!(mode() & 0o444, 0o444, "a new one can be read by those who may read others");
}

#[cfg(unix)]
#[test]
fn report_is_written_to_the_target_of_a_link() {
    let folder = Folder::with(&[("a.json", ERROR), ("real", "old")]);
    std::os::unix::fs::symlink("real", folder.file("link")).unwrap();
    process(folder.path()).args(["--output", "link"]).assert().code(1);
    assert!(folder.read("real").contains("WF101"));
    assert!(std::fs::symlink_metadata(folder.file("link")).unwrap().is_symlink());
}
