//! Runs the command line in-process. The only place in the tests that depends on how this is done.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::Path;

use clap::ValueEnum;
use jiff::civil::{Date, date};
use serde_json::Value;
use wflint::cli::{self, Shows, Widths, World};
use wflint::files::read::Unsaved;
use wflint::report::Format;

/// The day on which all tests run.
pub const TODAY: Date = date(2026, 6, 15);

/// The exit and output of a run.
#[derive(Debug)]
pub struct Output {
    pub code: u8,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Output {
    /// Standard output, which is always UTF-8.
    pub fn out(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("standard output is UTF-8")
    }

    /// Standard error, which is always UTF-8.
    pub fn err(&self) -> &str {
        std::str::from_utf8(&self.stderr).expect("standard error is UTF-8")
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        let parsed = serde_json::from_slice(&self.stdout);
        parsed.unwrap_or_else(|error| panic!("no JSON on standard output: {error}\n{self:#?}"))
    }

    /// The findings of a JSON report, each as `file code severity`.
    pub fn found(&self) -> Vec<String> {
        findings_of(&self.json())
    }

    /// Fails the test, showing the output, unless the run ended with this exit code.
    #[track_caller]
    pub fn expect_code(self, code: u8) -> Self {
        let (out, err) = (String::from_utf8_lossy(&self.stdout), String::from_utf8_lossy(&self.stderr));
        assert_eq!(self.code, code, "the exit code\nstandard output:\n{out}\nstandard error:\n{err}");
        self
    }
}

/// The findings of a parsed JSON report, each as `file code severity`.
pub fn findings_of(report: &Value) -> Vec<String> {
    let word = |finding: &Value, member: &str| finding[member].as_str().expect("a text").to_owned();
    let line = |finding: &Value| ["file", "code", "severity"].map(|member| word(finding, member)).join(" ");
    report["diagnostics"].as_array().expect("a list of diagnostics").iter().map(line).collect()
}

/// Runs `wflint` with these arguments in this folder.
pub fn run_cli<S: AsRef<OsStr>>(args: &[S], folder: &Path, stdin: &[u8]) -> Output {
    let mut stdout = Vec::new();
    let (code, stderr) = run_with(args, folder, &mut &*stdin, &mut stdout, false);
    Output { code, stdout, stderr }
}

/// Runs `wflint` with these columns.
pub fn run_narrow<S: AsRef<OsStr>>(args: &[S], folder: &Path, widths: Widths) -> Output {
    let mut stdout = Vec::new();
    let (code, stderr) = run_anywhere(args, folder, &mut std::io::empty(), &mut stdout, false, widths);
    Output { code, stdout, stderr }
}

/// Runs `wflint` with any input and output; returns the exit code and standard error.
pub fn run_with<S: AsRef<OsStr>>(
    args: &[S],
    folder: &Path,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    is_terminal: bool,
) -> (u8, Vec<u8>) {
    run_anywhere(args, folder, stdin, stdout, is_terminal, Widths::default())
}

fn run_anywhere<S: AsRef<OsStr>>(
    args: &[S],
    folder: &Path,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    is_terminal: bool,
    widths: Widths,
) -> (u8, Vec<u8>) {
    let mut stderr = Vec::new();
    let mut world = World {
        current: folder.to_path_buf(),
        stdin,
        stdout,
        stderr: &mut stderr,
        stdout_shows: Shows { color: is_terminal, links: false },
        stderr_has_color: false,
        widths,
        stderr_is_terminal: false,
        program: env!("CARGO_BIN_EXE_wflint").into(),
        today: TODAY,
        step_summary: None,
        unsaved: Unsaved::default(),
    };
    let program = OsString::from("wflint");
    let arguments = std::iter::once(program).chain(args.iter().map(|arg| arg.as_ref().to_owned()));
    let exit = cli::run(arguments, &mut world);
    (exit.code(), stderr)
}

/// A command that runs a real `wflint` process in this folder.
pub fn process(folder: &Path) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_wflint"));
    command.current_dir(folder).env_remove("NO_COLOR").env_remove("COLUMNS");
    command.timeout(std::time::Duration::from_secs(120));
    command
}

/// What `--format` accepts beside `--simulate`.
pub const SIMULATION_FORMATS: [&str; 6] = ["human", "concise", "json", "github", "junit", "markdown"];

/// What `--format` accepts.
pub fn format_names() -> Vec<String> {
    let name = |format: &Format| format.to_possible_value().map(|value| value.get_name().to_owned());
    Format::value_variants().iter().filter_map(name).collect()
}

/// A SARIF report without the pages of the rules, which would be most of it.
pub fn without_pages(report: &str) -> String {
    let is_page =
        |line: &&str| ["\"text\": \"WF", "\"markdown\": \"# WF"].iter().any(|it| line.trim_start().starts_with(it));
    let lines: Vec<&str> = report.lines().filter(|line| !is_page(line)).collect();
    lines.join("\n") + "\n"
}
