//! The `wflint` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    wflint::cli::run_process(std::env::args_os())
}
