//! `[[suppress]]` in `wflint.toml`, and WF000 for entries that match nothing.

use crate::support::folder::Folder;
use crate::support::run::run_cli;
use crate::support::samples::{ERROR, FINE, WARNING};

/// A suppression of WF101 in `a.json`, with these further lines.
fn suppress(more: &str) -> String {
    format!("[[suppress]]\nrule = 'WF101'\nfile = 'a.json'\nreason = 'as agreed'\n{more}\n")
}

fn folder(config: &str) -> Folder {
    Folder::with(&[("wflint.toml", config), ("a.json", ERROR)])
}

const UNUSED: &str = "wflint.toml WF000 warning";

#[test]
fn finding_is_suppressed_by_activity_or_pointer() {
    for more in [
        "activity = 'Say'",
        "pointer = '/activities/0'",
        "pointer = '/activities/0/status/boundTo'",
        "activity = 'Say'\npointer = ''",
    ] {
        let report = folder(&suppress(more)).run(&["--format", "json"]).expect_code(0);
        assert_eq!(report.found(), [""; 0], "{more}");
        assert_eq!(report.json()["summary"]["suppressed"], 1, "{more}");
    }
    let by_name = suppress("activity = 'Say'").replace("WF101", "unknown-variable");
    assert_eq!(folder(&by_name).found(&["."]), [""; 0]);
}

#[test]
fn suppression_that_matches_nothing_is_reported() {
    for more in ["activity = 'Says'", "pointer = '/activities/00'", "pointer = '/activities/0/stat'"] {
        assert_eq!(folder(&suppress(more)).found(&["."]), ["a.json WF101 error", UNUSED], "{more}");
    }
}

#[test]
fn suppressed_file_is_relative_to_its_configuration() {
    let config = suppress("activity = 'Say'").replace("a.json", "sub/../sub/a.json");
    let folder = Folder::with(&[("wflint.toml", &config), ("sub/a.json", ERROR)]);
    folder.run(&["."]).expect_code(0);
    run_cli(&["a.json"], &folder.file("sub"), b"").expect_code(0);
}

#[test]
fn suppression_expires_after_its_last_day() {
    let today = "activity = 'Say'\nuntil = 2026-06-15";
    assert_eq!(folder(&suppress(today)).found(&["."]), [""; 0]);
    let yesterday = "activity = 'Say'\nuntil = 2026-06-14";
    let output = folder(&suppress(yesterday)).run(&["--format", "concise"]).expect_code(1);
    let over = "wflint.toml:6:9: WF000 warning suppression of WF101 in `a.json` expired on 2026-06-14\n";
    assert!(output.out().starts_with("a.json:2:93: WF101 ") && output.out().ends_with(over), "{}", output.out());
}

#[test]
fn suppression_is_not_judged_when_its_file_or_rule_is_not_linted() {
    let config = suppress("activity = 'Nobody'");
    let folder = Folder::with(&[("wflint.toml", &config), ("a.json", FINE), ("b.json", FINE)]);
    assert_eq!(folder.found(&["a.json"]), [UNUSED]);
    assert_eq!(folder.found(&["b.json"]), [""; 0]);
    assert_eq!(folder.found(&["--ignore", "WF101"]), [""; 0]);
    assert_eq!(folder.found(&["--select", "WF4,WF000"]), [""; 0]);
    let args = ["--format", "json", "-", "--stdin-filename", "a.json"];
    assert_eq!(run_cli(&args, folder.path(), FINE.as_bytes()).found(), [""; 0], "only the text's own findings");
    std::fs::remove_file(folder.file("a.json")).unwrap();
    assert_eq!(folder.found(&["b.json"]), [""; 0]);
    assert_eq!(folder.found(&["."]), [UNUSED], "the file is gone");
}

#[test]
fn suppression_of_an_unknown_rule_is_an_error_with_a_suggestion() {
    for word in ["WF999", "WF1", "binding", "ALL"] {
        let config = suppress("activity = 'Say'").replace("WF101", word);
        assert_eq!(folder(&config).found(&["."]), ["a.json WF101 error", "wflint.toml WF000 error"], "{word}");
    }
    let config = suppress("activity = 'Say'").replace("WF101", "unknown-varable");
    let report = folder(&config).run(&["--format", "json"]).json();
    let help = report["diagnostics"][1]["help"].as_str().unwrap();
    assert!(help.contains("did you mean `unknown-variable`"), "{help}");
}

#[test]
fn config_problem_can_be_selected_like_any_rule() {
    let config = suppress("activity = 'Nobody'");
    let folder = folder(&config);
    assert_eq!(folder.found(&["--ignore", "WF000"]), ["a.json WF101 error"]);
    folder.write("wflint.toml", format!("ignore = ['config-problem']\n{config}"));
    assert_eq!(folder.found(&["."]), ["a.json WF101 error"]);
    folder.write("wflint.toml", format!("fail-on = 'never'\n[severity]\nWF000 = 'info'\n{config}"));
    assert_eq!(folder.run(&["--format", "json"]).expect_code(0).found()[1], "wflint.toml WF000 info");
}

#[test]
fn findings_in_the_configuration_are_sorted_by_file_name() {
    let folder = folder(&suppress("activity = 'Nobody'"));
    folder.write("z.json", WARNING);
    assert_eq!(folder.found(&["."]), ["a.json WF101 error", UNUSED, "z.json WF414 warning"]);
}

#[test]
fn incomplete_suppression_is_rejected_with_its_place() {
    let refused = |config: &str| folder(config).run(&["."]).expect_code(2).err().to_owned();
    let reason = refused(&suppress(""));
    assert!(reason.contains("wflint.toml:1:1: ") && reason.contains("`activity`"), "{reason}");
    assert!(refused(&suppress("activity = 'Say'").replace("as agreed", " ")).contains("`reason`"));
    assert!(refused("[[suppress]]\nrule = 'WF101'\nfile = 'a.json'\nactivity = 'Say'\n").contains("reason"));
    assert!(refused(&suppress("pointer = 'activities/0'")).contains("must begin with `/`"));
    assert!(refused(&suppress("activitty = 'Say'")).contains("did you mean `activity`"));
    for until in ["2026-06-31", "'2027-01-01'", "2027-01-01T10:00:00Z", "10:00:00"] {
        let reason = refused(&suppress(&format!("activity = 'Say'\nuntil = {until}")));
        assert!(reason.contains("wflint.toml:6:"), "{until}: {reason}");
    }
}

#[test]
fn unused_ignore_is_reported_when_all_its_files_are_linted() {
    let config = "[per-file-ignores]\n'sub/**' = ['WF101', 'WF4']\n'a.json' = ['WF101']\n'c.json' = ['WF101']\n\
                  'to/come/**' = ['WF101']\n";
    let folder = Folder::with(&[("wflint.toml", config), ("a.json", ERROR), ("sub/b.json", ERROR), ("c.json", FINE)]);
    let output = folder.run(&["--format", "concise"]).expect_code(1);
    let places: Vec<&str> = output.out().lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["wflint.toml:2:22", "wflint.toml:4:13", "wflint.toml:5:1"], "{}", output.out());
    assert_eq!(folder.found(&["sub"]), [UNUSED], "`WF4`");
    assert_eq!(folder.found(&["sub/b.json"]), [""; 0]);
    assert_eq!(folder.found(&["sub", "--ignore", "WF404"]), [""; 0], "a rule of `WF4` is not selected");
}

#[test]
fn config_option_replaces_the_configuration_found() {
    let folder = Folder::with(&[("wflint.toml", "this is no TOML"), ("a.json", ERROR)]);
    folder.write("ci/strict.toml", suppress("activity = 'Nobody'").replace("'a.json'", "'../a.json'"));
    let found = folder.found(&["--config", "ci/strict.toml"]);
    assert_eq!(found, ["a.json WF101 error", "ci/strict.toml WF000 warning"]);
    assert!(folder.run(&["--config", "missing.toml"]).expect_code(2).err().contains("missing.toml"));
    folder.run(&["--config", "ci/strict.toml", "--isolated"]).expect_code(2);
}

#[test]
fn suppressions_are_added_for_all_findings_once() {
    let config = "# ours\nfail-on = 'info' # strict\n";
    let folder = Folder::with(&[("wflint.toml", config), ("sub/a.json", ERROR), ("b.json", WARNING)]);
    let add = ["--add-suppressions", "as \"agreed\"", "--format", "json"];
    let output = folder.run(&add).expect_code(0);
    assert_eq!(output.found(), [""; 0]);
    assert_eq!(output.json()["summary"]["suppressed"], 2);
    let written = folder.read("wflint.toml");
    assert!(written.starts_with(config), "{written}");
    assert!(
        written.contains("file = \"sub/a.json\"\nactivity = \"Say\"\nreason = \"as \\\"agreed\\\"\"\n"),
        "{written}"
    );
    assert_eq!(folder.run(&add).expect_code(0).err(), "");
    assert_eq!(folder.read("wflint.toml"), written, "nothing is left to add");
    folder.run(&["."]).expect_code(0);
}

#[test]
fn suppressions_go_to_a_new_configuration_or_to_that_of_the_file() {
    let folder = Folder::with(&[("a.json", ERROR), ("sub/wflint.toml", ""), ("sub/broken.json", "{\"activities\": [")]);
    let output = folder.run(&["--add-suppressions", "later"]).expect_code(0);
    assert_eq!(output.err(), "Added 1 suppression to sub/wflint.toml.\nAdded 1 suppression to wflint.toml.\n");
    assert!(folder.read("wflint.toml").starts_with("[[suppress]]\nrule = \"WF101\"\nfile = \"a.json\"\n"));
    assert!(folder.read("sub/wflint.toml").contains("file = \"broken.json\"\npointer = \"\"\n"));
    let outside = run_cli(&["--add-suppressions", "later", "--config", "wflint.toml", "a.json"], folder.path(), b"");
    outside.expect_code(0);
    std::fs::remove_file(folder.file("wflint.toml")).unwrap();
    std::fs::remove_file(folder.file("sub/wflint.toml")).unwrap();
    let outside = run_cli(&["--add-suppressions", "later", "../a.json"], &folder.file("sub"), b"");
    assert_eq!(outside.code, 2, "{}", outside.err());
    assert_eq!(folder.names(), ["a.json", "sub"]);
}

#[test]
fn suppressions_do_not_go_to_the_file_of_the_report_or_of_a_baseline() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let output = folder.run(&["--add-suppressions", "later", "--output", "./wflint.toml"]).expect_code(2);
    assert!(output.err().contains("`--output` and `--add-suppressions` write to the same file"), "{}", output.err());
    folder.run(&["--baseline", "known.json", "--write-baseline"]).expect_code(0);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("known.json", folder.file("wflint.toml")).unwrap();
        let before = folder.read("known.json");
        folder.run(&["--add-suppressions", "later", "--baseline", "known.json"]).expect_code(2);
        assert_eq!(folder.read("known.json"), before);
    }
}

#[cfg(unix)]
#[test]
fn files_that_a_fix_would_not_replace_get_no_suppressions_reports_or_baselines() {
    use std::os::unix::fs::PermissionsExt;
    let baseline = "{\"version\":1,\"findings\":[]}";
    for (file, args) in [
        ("wflint.toml", &["--add-suppressions", "why"][..]),
        ("report.txt", &["--output", "report.txt"]),
        ("known.json", &["--baseline", "known.json", "--write-baseline"]),
    ] {
        for (mode, reason) in [(0o444, "read-only"), (0o644, "2 hard links")] {
            let folder = Folder::with(&[("a.json", ERROR), ("wflint.toml", ""), ("known.json", baseline)]);
            folder.write("report.txt", "old");
            let before = folder.read(file);
            if mode == 0o644 {
                std::fs::hard_link(folder.file(file), folder.file("other")).unwrap();
            }
            std::fs::set_permissions(folder.file(file), std::fs::Permissions::from_mode(mode)).unwrap();
            let output = folder.run(&[args, &["."]].concat()).expect_code(2);
            assert!(output.err().contains(file) && output.err().contains(reason), "{}", output.err());
            assert_eq!((output.out(), folder.read(file)), ("", before), "{file}");
        }
    }
}

#[test]
fn blank_reason_is_a_bad_argument() {
    let folder = folder("");
    for reason in ["", " ", "\n\t"] {
        folder.run(&["--add-suppressions", reason]).expect_code(2);
    }
    folder.run(&["--add-suppressions", "x", "--isolated"]).expect_code(2);
    assert_eq!(folder.read("wflint.toml"), "");
}

#[test]
fn show_lists_severe_findings_and_counts_all() {
    let folder = Folder::with(&[("a.json", ERROR), ("b.json", WARNING)]);
    let output = folder.run(&["--show", "error", "--format", "json"]).expect_code(1);
    assert_eq!(output.found(), ["a.json WF101 error"]);
    assert_eq!(output.json()["summary"]["warnings"], 1);
    let output = folder.run(&["--show", "error", "b.json"]).expect_code(1);
    assert_eq!(output.out(), "Found 1 warning in 1 file (1 not listed).\n");
}
