//! A first look: lints the example services, then simulates their scenarios. `cargo run --example tour`

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use wflint::cli::{Exit, run_process, run_to};
use wflint::script::sandbox::WORKER_ARGUMENT;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // Scripts run in a child process of the same program.
    if arguments.get(1).is_some_and(|argument| argument == WORKER_ARGUMENT) {
        return run_process(arguments);
    }
    if !show("wflint examples --fail-on never", usize::MAX) {
        return ExitCode::FAILURE;
    }
    println!("The mistakes in examples/broken are there to be found. `wflint explain WF404` explains one.");
    // Of the timelines only the end: which activities ran, and whether all scenarios passed.
    if !show("wflint --simulate examples", 6) {
        return ExitCode::FAILURE;
    }
    println!("`wflint --simulate examples/sign-upload` shows what each order does.");
    ExitCode::SUCCESS
}

/// Runs a command and shows the last lines of its output. Returns whether it ended well.
fn show(command: &str, lines: usize) -> bool {
    println!("\n$ {command}");
    let _ = std::io::stdout().flush();
    let mut output = Vec::new();
    let exit = run_to(&mut output, command.split(' ').map(OsString::from).collect());
    let output = String::from_utf8_lossy(&output);
    let skipped = output.lines().count().saturating_sub(lines);
    for line in output.lines().skip(skipped) {
        println!("{line}");
    }
    exit == Exit::Clean
}
