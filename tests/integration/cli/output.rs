//! Formats of reports, and where they are written.

use std::io::{self, Write};
use std::path::Path;

use crate::support::folder::{Folder, copy_of};
use crate::support::run::{findings_of, format_names, run_cli, run_with};
use crate::support::samples::{BROKEN, ERROR, FINE, INFO, WARNING};

#[test]
fn format_is_human_by_default() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    assert_eq!(folder.run(&["."]).out(), folder.run(&["--format", "human"]).out());
}

#[test]
fn concise_report_has_one_line_for_each_finding() {
    let folder = Folder::with(&[("a.json", ERROR), ("b.json", WARNING)]);
    let output = folder.run(&["--format", "concise"]).expect_code(1);
    let lines: Vec<&str> = output.out().lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("a.json:2:93: WF101 error "), "{}", lines[0]);
    assert!(lines[1].starts_with("b.json:2:28: WF414 warning "), "{}", lines[1]);
}

#[test]
fn human_report_ends_with_a_summary_line() {
    let output = Folder::with(&[("a.json", ERROR), ("b.json", WARNING), ("c.json", INFO)]).run(&["--select", "ALL"]);
    let summary = "Found 1 error, 1 warning and 1 info in 3 files.";
    assert_eq!(output.out().lines().last(), Some(summary));
    assert_eq!(output.out().matches(summary).count(), 1, "{}", output.out());
    let output = Folder::with(&[("a.json", FINE)]).run(&["."]);
    assert_eq!(output.out(), "No problems in 1 file.\n");
}

#[test]
fn human_report_shows_at_most_100_findings_of_a_rule_in_a_file() {
    let status = |number: usize| {
        format!(r#"{{ "name": "Say", "type": "Status", "status": {{ "isBound": true, "boundTo": "X{number}" }} }}"#)
    };
    let activities = (0..103).map(status).collect::<Vec<_>>().join(", ");
    let text = format!("{{ \"activities\": [{activities}], \"variables\": [] }}");
    let output = Folder::with(&[("a.json", &text), ("b.json", ERROR)]).run(&["."]).expect_code(1);
    assert_eq!(output.out().matches("[WF101]").count(), 101, "100 of a.json, 1 of b.json");
    assert!(output.out().contains("3 more"), "how many are left off is said");
    assert!(output.out().contains("Found 104 errors"));
}

#[test]
fn clean_run_is_reported_in_every_format() {
    for format in format_names() {
        let output = Folder::with(&[("a.json", FINE)]).run(&["--format", &format]).expect_code(0);
        assert_eq!(output.err(), "", "{format}");
    }
}

#[test]
fn quiet_prints_only_findings_and_errors() {
    for option in ["--quiet", "-q"] {
        assert_eq!(Folder::with(&[("a.json", FINE)]).run(&[option]).expect_code(0).out(), "");
        let folder = Folder::with(&[("a.json", ERROR)]);
        let output = folder.run(&[option]).expect_code(1);
        assert!(output.out().contains("WF101") && !output.out().contains("Found 1 error"), "{}", output.out());
        assert!(!folder.run(&[option, "missing.json"]).expect_code(2).err().is_empty());
        assert_eq!(folder.run(&[option, "--format", "json"]).found(), ["a.json WF101 error"]);
    }
}

#[test]
fn statistics_count_findings_by_rule_most_frequent_first() {
    let folder = Folder::with(&[("a.json", ERROR), ("b.json", WARNING), ("c/b.json", WARNING)]);
    let output = folder.run(&["--statistics"]).expect_code(1);
    let lines: Vec<Vec<&str>> = output.out().lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["2", "WF414", "empty-status"]);
    assert_eq!(lines[1], ["1", "WF101", "unknown-variable"]);
    assert!(!output.out().contains("Nobody"), "the findings themselves are not shown");
}

#[test]
fn times_are_printed_beside_the_same_report() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let plain = run_cli(&["examples/sign-json"], root, b"").expect_code(0);
    let timed = run_cli(&["examples/sign-json", "--timing"], root, b"").expect_code(0);
    assert_eq!(timed.out(), plain.out());
    for part in [
        "Time of phases:\n",
        " ms  find files\n",
        "Slowest services:\n",
        " ms  examples/sign-json/order.form.json\n",
        "Slowest rules, ",
        " ms  `Build case description` in examples/sign-json/order.workflow.json\n",
    ] {
        assert!(timed.err().contains(part), "{part:?} in {}", timed.err());
    }
    assert_eq!(plain.err(), "");
}

#[test]
fn summary_of_many_findings_names_the_rules_with_most() {
    let status = r#"{ "name": "S", "type": "Status" }"#;
    let text = |number: usize| {
        let unknown = ERROR.replacen("[{", &format!("[{}{{", format!("{status}, ").repeat(number)), 1);
        Folder::with(&[("a b/x.json", &unknown)])
    };
    let out = |folder: &Folder, args: &[&str]| folder.run(args).out().replace('\n', " ");
    let most = "Most are WF414 empty-status (30) and WF101 unknown-variable (1); `wflint --select WF414 [PATHS]` shows \
                one rule alone. ";
    assert!(out(&text(30), &[]).ends_with(most));
    assert!(out(&text(30), &["--output", "r.txt"]).ends_with(most));
    for (findings, args) in
        [(29, &[][..]), (30, &["--select", "WF414"]), (30, &["--quiet"]), (30, &["--format", "concise"])]
    {
        let out = out(&text(findings), args);
        assert!(!out.contains("Most are"), "{findings} {args:?}: {out}");
    }
}

#[test]
fn statistics_mark_rules_with_fixes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = run_cli(&["--statistics", "examples/broken"], root, b"").expect_code(1);
    let line = |code: &str| output.out().lines().find(|line| line.contains(code)).unwrap();
    assert!(line("WF101").contains("WF101  [-] unknown-variable"), "{}", output.out());
    assert!(line("WF603").contains("WF603  [ ] "), "{}", output.out());
    assert!(output.out().ends_with("[-] fixable with `--fix --unsafe-fixes`\n"), "{}", output.out());
}

#[test]
fn diff_is_colored_by_its_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let args = ["--diff", "--unsafe-fixes", "examples/broken"];
    let plain = run_cli(&args, root, b"").expect_code(1);
    assert!(!plain.out().contains('\x1b'));
    let colored = run_cli(&[&args[..], &["--color", "always"]].concat(), root, b"").expect_code(1);
    let line = |start: &str| colored.out().lines().any(|line| line.starts_with(start) && line.ends_with("\x1b[0m"));
    assert!(line("\x1b[31m-") && line("\x1b[32m+") && line("\x1b[36m@@") && line("\x1b[1m+++"), "{}", colored.out());
    let without: String =
        colored.out().split('\x1b').map(|part| part.split_once('m').map_or(part, |(_, rest)| rest)).collect();
    assert_eq!(without.len(), plain.out().len());
}

#[test]
fn help_is_colored_on_a_terminal() {
    let folder = Folder::with(&[]);
    for args in [&["--help"][..], &["check", "-h"], &["graph", "--help"]] {
        let mut stdout = Vec::new();
        run_with(args, folder.path(), &mut io::empty(), &mut stdout, true);
        let help = String::from_utf8(stdout).unwrap();
        assert!(help.contains("\x1b[1m\x1b[32mUsage:") || help.contains("\x1b[1;32mUsage:"), "{help:?}");
        assert!(!run_cli(args, folder.path(), b"").out().contains('\x1b'));
    }
}

#[test]
fn statistics_do_not_change_a_machine_readable_report() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let output = folder.run(&["--statistics", "--format", "json"]).expect_code(1);
    assert_eq!(output.found(), ["a.json WF101 error"]);
    assert!(output.err().contains("WF101"), "{}", output.err());
}

#[test]
fn color_is_used_on_terminals_or_on_demand_and_only_in_human_formats() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let has_color = |args: &[&str], is_terminal: bool| {
        let mut stdout = Vec::new();
        run_with(args, folder.path(), &mut io::empty(), &mut stdout, is_terminal);
        stdout.contains(&b'\x1b')
    };
    assert!(!has_color(&[], false));
    assert!(has_color(&[], true));
    assert!(has_color(&["--color", "always"], false));
    assert!(!has_color(&["--color", "never"], true));
    assert!(has_color(&["--color", "auto"], true));
    for format in format_names().iter().filter(|format| !matches!(format.as_str(), "human" | "concise")) {
        assert!(!has_color(&["--color", "always", "--format", format], true), "{format}");
    }
}

#[test]
fn output_file_gets_the_report_and_standard_output_a_summary() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let summary = "Found 1 error in 1 file.\n";
    for format in format_names() {
        let shown = folder.run(&["--format", &format, "a.json"]).expect_code(1);
        let output = folder.run(&["--format", &format, "--output", "report", "a.json"]).expect_code(1);
        let report = folder.read("report");
        assert_eq!(report.trim_end_matches(summary), shown.out().trim_end_matches(summary), "{format}");
        assert_eq!(output.out(), summary, "{format}");
    }
}

#[test]
fn output_file_gets_color_only_on_demand() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    run_with(&["--output", "report"], folder.path(), &mut io::empty(), &mut Vec::new(), true);
    assert!(!folder.read("report").contains('\x1b'));
}

#[test]
fn quiet_with_an_output_file_prints_nothing() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    assert_eq!(folder.run(&["--quiet", "--output", "report"]).expect_code(1).out(), "");
    assert!(folder.read("report").contains("WF101"));
}

#[test]
fn report_is_written_completely_or_not_at_all() {
    let folder = Folder::with(&[("a.json", ERROR), ("report", "old"), ("taken/file", "")]);
    for path in ["taken", "missing/report", "a.json/report"] {
        let output = folder.run(&["--format", "json", "--output", path, "a.json"]).expect_code(2);
        assert_eq!(output.out(), "", "{path}");
        assert!(output.err().contains(path), "{}", output.err());
    }
    assert_eq!(folder.names(), ["a.json", "report", "taken"], "nothing is left behind");
    folder.run(&["--format", "json", "--output", "report"]).expect_code(1);
    assert_eq!(findings_of(&serde_json::from_str(&folder.read("report")).unwrap()), ["a.json WF101 error"]);
}

#[cfg(target_os = "linux")]
#[test]
fn report_that_cannot_be_written_is_an_error_and_changes_of_files_stay() {
    let fixable = copy_of("examples/broken").read("order.workflow.json");
    let folder = Folder::with(&[("a.json", &fixable), ("b.scenario.yaml", "workflow: a.json\n")]);
    let full = ["--output", "junit:/dev/full"];
    for args in [
        &["--simulate", "--coverage-output", "new.info", "."][..],
        &["explore", "--write", "found", "a.json"],
        &["--baseline", "known.json", "--write-baseline", "a.json"],
        &["--fix", "--unsafe-fixes", "a.json"],
        &["--add-suppressions", "as agreed", "a.json"],
    ] {
        let output = folder.run(&[args, &full].concat()).expect_code(2);
        assert!(output.err().contains("cannot write /dev/full"), "{args:?}: {}", output.err());
    }
    assert_eq!(folder.names(), ["a.json", "b.scenario.yaml", "wflint.toml"]);
    assert_ne!(folder.read("a.json"), fixable);
    assert!(folder.read("wflint.toml").contains("as agreed"));
}

#[test]
fn failed_run_leaves_an_old_report_unchanged() {
    let folder = Folder::with(&[("a.json", ERROR), ("report", "old")]);
    folder.run(&["--output", "report", "--select", "WF999"]).expect_code(2);
    folder.run(&["--output", "report", "missing.json"]).expect_code(2);
    assert_eq!(folder.read("report"), "old");
    assert_eq!(folder.names(), ["a.json", "report"]);
}

#[test]
fn report_is_written_even_when_a_file_is_unreadable() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    folder.run(&["--format", "json", "--output", "report", "a.json", "missing.json"]).expect_code(2);
    assert_eq!(findings_of(&serde_json::from_str(&folder.read("report")).unwrap()), ["a.json WF101 error"]);
}

#[test]
fn report_does_not_depend_on_the_number_of_threads() {
    let folder = copy_of("examples");
    // So many findings are drawn on all threads.
    for number in 0..60 {
        folder.write(format!("more/{number}/a.json"), [ERROR, WARNING, INFO, BROKEN][number % 4]);
    }
    for format in format_names() {
        let run = |jobs: &str| folder.run(&["--format", &format, "--jobs", jobs]).expect_code(1).stdout;
        let one = run("1");
        assert!(one == run("4") && one == run("4") && one == run("64"), "{format}");
    }
    // A report in a file is drawn on one thread.
    let shown = folder.run(&["more"]).expect_code(1).stdout;
    folder.run(&["more", "--output", "report"]).expect_code(1);
    assert_eq!(folder.read("report").as_bytes(), shown);
}

/// The arguments of every command that prints.
fn printing_commands(format: &str) -> [Vec<&str>; 5] {
    [
        vec!["--format", format, "a.json"],
        vec!["rules"],
        vec!["explain", "WF101"],
        vec!["schema", "form"],
        vec!["--help"],
    ]
}

/// An output to which every write fails.
struct Broken(io::ErrorKind);

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn closed_output_ends_the_run_quietly() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    for format in format_names() {
        for args in printing_commands(&format) {
            let (code, stderr) =
                run_with(&args, folder.path(), &mut io::empty(), &mut Broken(io::ErrorKind::BrokenPipe), false);
            assert_eq!((code, String::from_utf8(stderr).unwrap().as_str()), (2, ""), "{args:?}");
        }
    }
}

#[test]
fn unwritable_output_exits_with_2_and_a_reason() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    for format in format_names() {
        for args in printing_commands(&format) {
            let (code, stderr) =
                run_with(&args, folder.path(), &mut io::empty(), &mut Broken(io::ErrorKind::StorageFull), false);
            let reason = String::from_utf8(stderr).unwrap();
            assert!(code == 2 && reason.starts_with("wflint: "), "{args:?}: {code} {reason}");
        }
    }
}

#[test]
fn unreadable_file_exits_with_2_even_when_the_rest_is_clean() {
    let folder = Folder::with(&[("a.json", FINE)]);
    run_cli(&["a.json", "missing.json"], folder.path(), b"").expect_code(2);
}

fn with_script(script: &str) -> Folder {
    let workflow = serde_json::json!({
        "activities": [{ "name": "Long", "type": "Code", "parameters": [], "script": script }],
        "variables": [{ "name": "Json", "id": 1, "isOutputParameter": true }]
    });
    Folder::with(&[("a.json", &workflow.to_string())])
}

#[test]
fn long_scripts_are_read() {
    let script = format!("Json = 'x';\n{}Jsno();", "var a = 'it is'; // Fill.\n".repeat(20_000));
    assert_eq!(with_script(&script).found(&["--no-scripts", "."]), ["a.json WF803 warning"]);
}

#[test]
fn script_too_deep_to_be_read_is_a_finding() {
    let folder = with_script(&format!("Json = 'x'; {}", "(".repeat(1 << 20)));
    assert_eq!(folder.run(&["--no-scripts", "."]).expect_code(0).err(), "");
    assert_eq!(folder.found(&["--no-scripts", "."]), ["a.json WF806 info"]);
    let form = serde_json::json!({ "fields": [{ "name": "A", "type": "InputText", "onLoad": "a+".repeat(1 << 20) }], "variables": [] });
    let folder = Folder::with(&[("a.form.json", &form.to_string())]);
    assert!(folder.run(&["."]).out().contains("WF806"));
}
