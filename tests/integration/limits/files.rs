//! The limits of files: at the limit each is read, one byte beyond it is refused.

use std::fs::File;

use wflint::common::limits::{MAX_FILE_BYTES, MAX_SMALL_FILE_BYTES};

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FINE};

/// A document, with so many spaces that it has this length.
fn padded(text: &str, length: u64) -> String {
    let length = usize::try_from(length).unwrap();
    format!("{text}{}", " ".repeat(length - text.len()))
}

/// Writes a file of this length that holds nothing but zeros; it takes no room on the disk.
fn zeros(folder: &Folder, name: &str, length: u64) {
    File::create(folder.file(name)).unwrap().set_len(length).unwrap();
}

#[test]
fn document_over_its_size_is_reported() {
    let limit = MAX_FILE_BYTES;
    for (length, expected) in [(limit, &["a.json WF101 error"]), (limit + 1, &["a.json WF002 error"])] {
        let folder = Folder::with(&[("a.json", &padded(ERROR, length))]);
        assert_eq!(folder.found(&["."]), expected, "{length}");
    }
}

/// A walk skips other data without a word, so what comes late must not make a document other data.
#[test]
fn document_over_its_size_is_reported_wherever_its_key_is() {
    let config = ("wflint.toml", "[limits]\nmax-file-mib = 1\n");
    let late = format!("{{\"picture\": \"{}\", {}", "A".repeat(3 << 20), &ERROR[1..]);
    let other = format!("{{\"picture\": \"{}\"}}", "A".repeat(3 << 20));
    let folder = Folder::with(&[config, ("late.json", &late), ("other.json", &other), ("fine.json", FINE)]);
    assert_eq!(folder.found(&["."]), ["late.json WF002 error"]);
}

#[test]
fn size_and_depth_are_configured_up_to_the_promised_limits() {
    for (limits, code) in
        [("max-file-mib = 1024\nmax-depth = 256", 0), ("max-file-mib = 1025", 2), ("max-depth = 257", 2)]
    {
        let folder = Folder::with(&[("a.json", FINE), ("wflint.toml", &format!("[limits]\n{limits}\n"))]);
        folder.run(&["."]).expect_code(code);
    }
}

#[test]
fn other_files_over_their_size_are_errors() {
    let limit = MAX_FILE_BYTES;
    let reason = "larger than 64 MiB";
    let scenario = "workflow: a.json\ndirectory: people.ldif\n";
    for (name, config, args) in [
        ("own.toml", "catalogs = ['own.toml']", &["."][..]),
        ("known.json", "baseline = 'known.json'", &["."]),
        ("people.ldif", "", &["--simulate", "."]),
    ] {
        let folder = Folder::with(&[("a.json", FINE), ("a.scenario.yaml", scenario), ("wflint.toml", config)]);
        // What is read fails for its content.
        for (length, is_too_large) in [(limit, false), (limit + 1, true)] {
            zeros(&folder, name, length);
            let output = folder.run(args);
            assert_eq!(output.code, 2, "{name}: {}", output.err());
            assert_eq!(output.err().contains(reason), is_too_large, "{name}: {}", output.err());
        }
    }
}

#[test]
fn settings_and_catalogs_over_their_size_are_errors() {
    let limit = MAX_SMALL_FILE_BYTES;
    let filled = |text: &str, length: usize| format!("{text}#{}", "x".repeat(length - text.len() - 1));
    let catalog = "plugin = 'Own'\n[[methods]]\nname = 'Get-Thing'\n";
    for (length, is_too_large) in [(limit, false), (limit + 1, true)] {
        for (config, own) in [
            ("catalogs = ['own.toml']", &*filled(catalog, length)),
            (&*filled("catalogs = ['own.toml']\n", length), catalog),
        ] {
            let folder = Folder::with(&[("a.json", FINE), ("wflint.toml", config), ("own.toml", own)]);
            let output = folder.run(&["."]).expect_code(if is_too_large { 2 } else { 0 });
            assert_eq!(output.err().contains("larger than 1 MiB"), is_too_large, "{:.300}", output.err());
        }
    }
}

#[test]
fn ignore_file_over_its_size_is_an_error() {
    let limit = MAX_SMALL_FILE_BYTES;
    for (length, code) in [(limit, 0), (limit + 1, 2)] {
        let folder = Folder::with(&[("a.json", FINE), (".gitignore", &"#".repeat(length))]);
        let output = folder.run(&["."]).expect_code(code);
        assert_eq!(output.err().contains(".gitignore"), code == 2, "{}", output.err());
    }
}

#[test]
fn scenario_over_its_limits_is_an_error() {
    let size = MAX_SMALL_FILE_BYTES;
    // The root, its two keys with their values, and that of the list count, too.
    let all = 200_000 - 7;
    let values =
        |number: usize| format!("workflow: a.json\nproviders: {{ New-Mailbox: [{}] }}\n", "{},".repeat(number));
    let levels =
        |number: usize| format!("workflow: a.json\ndirectory: {}{}\n", "[".repeat(number - 1), "]".repeat(number - 1));
    let comment = |length: usize| format!("workflow: a.json\n#{}", "-".repeat(length - 18));
    for (within, beyond, reason) in [
        (comment(size), comment(size + 1), "file larger than"),
        (values(all), values(all + 1), "values with all aliases expanded"),
        (levels(64), levels(65), "deeper than"),
    ] {
        for (scenario, is_beyond) in [(within, false), (beyond, true)] {
            let folder = Folder::with(&[("a.json", FINE), ("a.scenario.yaml", &scenario)]);
            let output = folder.run(&["--simulate", "."]);
            assert_eq!(output.err().contains(reason), is_beyond, "{reason}: {:.300}", output.err());
        }
    }
}
