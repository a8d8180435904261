//! A first look: lints the example services, then simulates their scenarios. `cargo run --example tour`

use std::ffi::OsString;
use std::process::ExitCode;

use wflint::cli::run_process;
use wflint::script::sandbox::WORKER_ARGUMENT;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // Scripts run in a child process of the same program.
    if arguments.get(1).is_some_and(|argument| argument == WORKER_ARGUMENT) {
        return run_process(arguments);
    }
    for command in ["wflint examples --fail-on never", "wflint --simulate examples --quiet"] {
        println!("\n$ {command}");
        let status = run_process(command.split(' ').map(OsString::from));
        if status != ExitCode::SUCCESS {
            return status;
        }
    }
    println!("\nexamples/broken has the mistakes on purpose. Next: wflint explain WF404");
    ExitCode::SUCCESS
}
