//! `--watch`: a process that runs again after each change. Every step waits for the output that it expects.

use std::io::{BufRead, BufReader, PipeReader};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::support::folder::Folder;
use crate::support::git::git;
use crate::support::samples::{BROKEN, ERROR, FINE, INFO, WARNING};

/// A test that waits longer than this fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// A baseline without findings.
const EMPTY_BASELINE: &str = r#"{ "version": 1, "findings": [] }"#;

/// A running process, ended with the test.
struct Watching {
    child: Child,
    lines: Receiver<String>,
    seen: String,
}

impl Watching {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let (reader, writer) = std::io::pipe().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_wflint"));
        command.args(args).current_dir(folder).stdout(writer.try_clone().unwrap()).stderr(writer);
        command.env_remove("NO_COLOR").env_remove("FORCE_COLOR").env_remove("COLUMNS");
        let child = command.spawn().unwrap();
        drop(command);
        Self { child, lines: lines(reader), seen: String::new() }
    }

    /// Waits for a line that contains a text.
    #[track_caller]
    fn expect(&mut self, wanted: &str) {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| panic!("no `{wanted}` ({error}) in:\n{}", self.seen));
            self.seen.push_str(&line);
            self.seen.push('\n');
            if line.contains(wanted) {
                return;
            }
        }
    }
}

fn lines(reader: PipeReader) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(reader).lines() {
            if sender.send(line.unwrap()).is_err() {
                return;
            }
        }
    });
    lines
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn changes_of_documents_and_configurations_are_linted() {
    let folder = Folder::with(&[("services/a.json", FINE)]);
    let mut watching = Watching::start(folder.path(), &["--watch", "services"]);
    watching.expect("No problems in 1 file.");
    folder.write("services/a.json", ERROR);
    watching.expect("Found 1 error in 1 file.");
    folder.write("services/new/b.json", WARNING);
    watching.expect("Found 1 error and 1 warning in 2 files.");
    folder.write("services/new/deeper/c.json", BROKEN);
    watching.expect("Found 2 errors and 1 warning in 3 files.");
    std::fs::remove_dir_all(folder.file("services/new")).unwrap();
    folder.write("services/a.json", WARNING);
    watching.expect("Found 1 warning in 1 file.");
    folder.write("wflint.toml", "selct = 1");
    watching.expect("wflint.toml:1:1: unknown key `selct`");
    folder.write("wflint.toml", "[severity]\nWF414 = 'info'\n");
    watching.expect("Found 1 info in 1 file.");
}

#[test]
fn files_that_vanish_and_come_back_are_linted() {
    let folder = Folder::with(&[("sub/a.json", FINE)]);
    let mut watching = Watching::start(folder.path(), &["--watch", "sub/a.json"]);
    watching.expect("No problems in 1 file.");
    std::fs::remove_file(folder.file("sub/a.json")).unwrap();
    watching.expect("cannot read sub/a.json");
    // As editors write: to another file that is then renamed.
    folder.write("sub/a.json~", ERROR);
    std::fs::rename(folder.file("sub/a.json~"), folder.file("sub/a.json")).unwrap();
    watching.expect("Found 1 error in 1 file.");
    std::fs::rename(folder.file("sub"), folder.file("moved")).unwrap();
    watching.expect("cannot read sub/a.json");
    folder.write("sub/a.json", WARNING);
    watching.expect("Found 1 warning in 1 file.");
    folder.write("sub/a.json", FINE);
    watching.expect("No problems in 1 file.");
}

#[test]
fn scripts_are_run_as_they_are_now() {
    let example = |name| std::fs::read_to_string(format!("examples/sign-json/{name}")).unwrap();
    let (fine, form) = (example("order.workflow.json"), example("order.form.json"));
    let throws = |statement: &str| fine.replace("\"script\": \"", &format!("\"script\": \"{statement}\\n"));
    let folder = Folder::with(&[("order.workflow.json", &fine), ("order.form.json", &form)]);
    let mut watching = Watching::start(folder.path(), &["--watch"]);
    watching.expect("No problems in 2 files.");
    for _ in 0..2 {
        folder.write("order.workflow.json", throws("null.first;"));
        watching.expect("property 'first'");
        folder.write("order.workflow.json", throws("null.second;"));
        watching.expect("property 'second'");
        folder.write("order.workflow.json", &fine);
        watching.expect("No problems in 2 files.");
    }
}

#[test]
fn its_own_report_is_no_change() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let mut watching = Watching::start(folder.path(), &["--watch", "--output", "report.txt"]);
    watching.expect("Found 1 error in 1 file.");
    folder.write("a.json", WARNING);
    watching.expect("Found 1 warning in 1 file.");
    watching.expect("Watching for changes");
    assert!(folder.read("report.txt").contains("WF414"));
    // A run of the report would come before that of this change.
    folder.write("a.json", FINE);
    watching.expect("No problems in 1 file.");
    let runs = watching.seen.matches("Found 1 error").count();
    assert_eq!(runs, 1, "{}", watching.seen);
}

#[test]
fn scenarios_run_again_when_one_of_their_files_changes() {
    let folder = Folder::with(&[
        ("documents/a.json", FINE),
        ("scenarios/s.scenario.yaml", "workflow: ../documents/a.json\nexpect:\n  statuses: [Done]\n"),
    ]);
    let mut watching = Watching::start(folder.path(), &["--simulate", "--watch", "scenarios"]);
    watching.expect("1 scenario passed.");
    folder.write("documents/a.json", FINE.replace("Done", "Gone"));
    watching.expect("1 scenario: 0 passed, 1 failed.");
    folder.write("scenarios/s.scenario.yaml", "workflow: ../documents/a.json\nexpect:\n  statuses: [Gone]\n");
    watching.expect("1 scenario passed.");
}

#[test]
fn services_that_do_not_change_are_reported_as_they_are_now() {
    let folder = Folder::with(&[("a/a.json", ERROR), ("b/b.json", WARNING), ("known.baseline", EMPTY_BASELINE)]);
    let mut watching = Watching::start(folder.path(), &["--watch", "--baseline", "known.baseline"]);
    watching.expect("Found 1 error and 1 warning in 2 files.");
    folder.write("b/b.json", FINE);
    watching.expect("Found 1 error in 2 files.");
    folder.run(&["--baseline", "new.baseline", "--write-baseline"]).expect_code(0);
    folder.write("known.baseline", folder.read("new.baseline"));
    watching.expect("No problems in 2 files");
    folder.write("b/b.json", WARNING);
    watching.expect("Found 1 warning in 2 files");
    folder.write("known.baseline", EMPTY_BASELINE);
    watching.expect("Found 1 error and 1 warning in 2 files.");
}

#[test]
fn documents_that_cannot_be_read_for_a_while_are_linted() {
    let folder = Folder::with(&[("a/a.json", WARNING), ("b/b.json", FINE)]);
    let mut watching = Watching::start(folder.path(), &["--watch"]);
    watching.expect("Found 1 warning in 2 files.");
    for broken in [&b"\xff{}"[..], &[0xFF, 0xFE, b'{', 0], br#"{ "activities": "#] {
        folder.write("a/a.json", [broken, WARNING.as_bytes()].concat());
        watching.expect("Found 1 error in 2 files.");
        folder.write("a/a.json", WARNING);
        watching.expect("Found 1 warning in 2 files.");
    }
}

#[test]
fn a_catalog_that_changes_is_read_again() {
    let catalog = |method: &str| format!("plugin = \"own\"\n\n[[methods]]\nname = \"{method}\"\n");
    let call = r#"{ "activities": [{ "name": "Call", "type": "Provider", "method": "Own" }], "variables": [] }"#;
    let config = "catalogs = [\"own.toml\"]\nselect = [\"WF202\"]\n";
    let folder = Folder::with(&[("a.json", call), ("own.toml", &catalog("Own")), ("wflint.toml", config)]);
    let mut watching = Watching::start(folder.path(), &["--watch"]);
    watching.expect("No problems in 1 file.");
    folder.write("own.toml", catalog("Other"));
    watching.expect("Found 1 ");
    folder.write("own.toml", catalog("Own"));
    watching.expect("No problems in 1 file.");
}

/// A configuration, one of the files that it names, and what that file is when it is valid and when it is not.
const NAMED: [(&str, &str, &str, &str); 4] = [
    ("extend = 'shared/base.toml'", "shared/base.toml", "[severity]\nWF414 = 'info'\n", "[sev"),
    ("catalogs = ['shared/own.toml']", "shared/own.toml", "plugin = 'own'\n", "plugin = 3\n"),
    ("catalogs = ['shared/o*.toml']", "shared/own.toml", "plugin = 'own'\n", "plugin = 3\n"),
    ("catalogs = ['../shared/*/o*.toml']", "../shared/deeper/own.toml", "plugin = 'own'\n", "plugin = 3\n"),
];

#[test]
fn a_file_outside_that_makes_a_configuration_invalid_is_watched_until_it_is_repaired() {
    for (config, name, valid, invalid) in NAMED {
        let folder = Folder::with(&[("own/a/a.json", WARNING), ("own/wflint.toml", config)]);
        let (own, name) = (folder.file("own"), own_name(name));
        folder.write(&name, valid);
        let mut watching = Watching::start(&own, &["--watch", "--allow-outside", "a"]);
        watching.expect("Found 1 ");
        folder.write(&name, invalid);
        watching.expect(".toml:1:");
        watching.expect("Watching for changes");
        folder.write(&name, valid);
        watching.expect("Found 1 ");
        watching.expect("Watching for changes");
        std::fs::remove_file(folder.file(&name)).unwrap();
        watching.expect(".toml:1:");
        watching.expect("Watching for changes");
        folder.write(&name, valid);
        watching.expect("Found 1 ");
    }
}

#[test]
fn a_missing_file_outside_is_seen_when_it_is_created() {
    for (config, name, valid, _) in NAMED {
        let folder = Folder::with(&[("own/a/a.json", WARNING), ("own/wflint.toml", config)]);
        let mut watching = Watching::start(&folder.file("own"), &["--watch", "--allow-outside", "a"]);
        watching.expect("wflint.toml:1:");
        watching.expect("Watching for changes");
        folder.write(own_name(name), valid);
        watching.expect("Found 1 ");
    }
}

/// The name of a file, relative to the folder around `own`.
fn own_name(name: &str) -> String {
    name.strip_prefix("../").map_or_else(|| format!("own/{name}"), str::to_owned)
}

#[test]
fn a_new_catalog_outside_that_matches_is_read() {
    let folder = Folder::with(&[
        ("a/a.json", WARNING),
        ("shared/own.toml", "plugin = 'own'\n"),
        ("wflint.toml", "catalogs = ['shared/*.toml']"),
    ]);
    let mut watching = Watching::start(folder.path(), &["--watch", "a"]);
    watching.expect("Found 1 warning");
    watching.expect("Watching for changes");
    folder.write("shared/new.toml", "plugin = 3\n");
    watching.expect("new.toml:1:10");
}

#[test]
fn files_of_services_outside_are_seen_when_they_are_created() {
    let config = "[[service]]\nname = 'a'\nworkflow = 'a/a.json'\nforms = ['forms/*.json']\n";
    let folder = Folder::with(&[("a/a.json", WARNING), ("wflint.toml", config)]);
    let mut watching = Watching::start(folder.path(), &["--watch", "a"]);
    watching.expect("no file matches `forms/*.json`");
    watching.expect("Watching for changes");
    folder.write("forms/b.json", r#"{ "fields": [], "variables": [] }"#);
    watching.expect("Found 1 warning");
}

#[test]
fn only_what_is_new_or_of_a_part_is_reported_after_changes_too() {
    for options in [&["--since", "HEAD"][..], &["--shard", "1/2"], &["--shard", "2/2"]] {
        let folder = Folder::with(&[("a/a.json", WARNING), ("b/b.json", FINE)]);
        git(&folder, &["init", "-q"]);
        git(&folder, &["add", "-A"]);
        git(&folder, &["commit", "-q", "-m", "x"]);
        let mut watching = Watching::start(folder.path(), &[options, &["--watch"]].concat());
        let mut summaries = Vec::new();
        for (path, text) in
            [("b/b.json", FINE), ("b/b.json", ERROR), ("a/a.json", FINE), ("c/c.json", INFO), ("b/b.json", FINE)]
        {
            folder.write(path, text);
            // What a run says that knows nothing of the ones before.
            let output = folder.run(options);
            let summary = output.out().lines().last().unwrap().to_owned();
            watching.expect(&summary);
            watching.expect("Watching for changes");
            summaries.push(summary);
        }
        summaries.dedup();
        assert!(summaries.len() > 2, "{options:?}: {summaries:?}");
    }
}

#[test]
fn a_revision_that_moves_is_seen() {
    let folder = Folder::with(&[("sub/a.json", FINE)]);
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "x"]);
    let mut watching = Watching::start(&folder.file("sub"), &["--since", "HEAD", "--watch"]);
    watching.expect("No problems in 1 file");
    watching.expect("Watching for changes");
    folder.write("sub/a.json", ERROR);
    watching.expect("Found 1 error");
    watching.expect("Watching for changes");
    git(&folder, &["commit", "-q", "-a", "-m", "y"]);
    watching.expect("No problems in 1 file");
    watching.expect("Watching for changes");
    git(&folder, &["checkout", "-q", "--detach"]);
    git(&folder, &["reset", "-q", "--soft", "HEAD^"]);
    watching.expect("Found 1 error");
}

#[test]
fn an_exclude_file_of_git_that_changes_is_read_again() {
    for root in [".", "sub"] {
        let folder = Folder::with(&[("sub/a.json", FINE), ("sub/b.json", ERROR)]);
        git(&folder, &["init", "-q"]);
        std::fs::remove_dir_all(folder.file(".git/info")).unwrap();
        let mut watching = Watching::start(folder.path(), &["--watch", root]);
        watching.expect("Found 1 error in 2 files.");
        watching.expect("Watching for changes");
        folder.write(".git/info/exclude", "b.json\n");
        watching.expect("No problems in 1 file.");
        watching.expect("Watching for changes");
        folder.write(".git/info/exclude", "a.json\n");
        watching.expect("Found 1 error in 1 file.");
    }
}

#[cfg(unix)]
#[test]
fn files_to_which_links_lead_are_watched() {
    let folder = Folder::with(&[("real/a.json", FINE), ("other/link.json", ""), ("named/b.json", FINE)]);
    std::fs::remove_file(folder.file("other/link.json")).unwrap();
    std::os::unix::fs::symlink("../other/link.json", folder.file("named/a.json")).unwrap();
    std::os::unix::fs::symlink("../real/a.json", folder.file("other/link.json")).unwrap();
    let mut watching = Watching::start(folder.path(), &["--watch", "named/a.json"]);
    watching.expect("No problems in 1 file.");
    watching.expect("Watching for changes");
    folder.write("real/a.json", ERROR);
    watching.expect("Found 1 error in 1 file.");
    watching.expect("Watching for changes");
    folder.write("real/b.json", WARNING);
    std::fs::remove_file(folder.file("other/link.json")).unwrap();
    std::os::unix::fs::symlink("../real/b.json", folder.file("other/link.json")).unwrap();
    watching.expect("Found 1 warning in 1 file.");
}

#[test]
fn an_endless_script_is_reported_after_each_change() {
    let example = |name| std::fs::read_to_string(format!("examples/sign-json/{name}")).unwrap();
    let (fine, form) = (example("order.workflow.json"), example("order.form.json"));
    let endless = |number: usize| fine.replace("\"script\": \"", &format!("\"script\": \"while ({number}) {{}}\\n"));
    let folder = Folder::with(&[("order.workflow.json", &fine), ("order.form.json", &form)]);
    let mut watching = Watching::start(folder.path(), &["--watch"]);
    watching.expect("No problems in 2 files.");
    for number in 1..=2 {
        folder.write("order.workflow.json", endless(number));
        watching.expect("WF806");
        folder.write("order.workflow.json", &fine);
        watching.expect("No problems in 2 files.");
    }
}

#[test]
fn what_writes_or_reads_no_files_is_not_watched() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for option in [
        &["--fix"][..],
        &["--diff"],
        &["--write-baseline", "--baseline", "b.json"],
        &["--add-suppressions", "x"],
        &["--show-files"],
        &["--show-settings"],
    ] {
        let output = folder.run(&[&["--watch"], option].concat()).expect_code(2);
        assert!(output.err().contains("cannot be used with"), "{}", output.err());
    }
    let output = folder.run(&["--watch", "-"]).expect_code(2);
    assert_eq!(output.err(), "wflint: `--watch` watches files, not standard input\n");
    let output = folder.run(&["--watch", "missing.json"]).expect_code(2);
    assert!(output.err().contains("missing.json: no such file"), "{}", output.err());
}
