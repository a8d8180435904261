//! The command as a process: its streams, terminal and environment.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::world::{Exit, Shows, Widths, World, today};
use crate::files::read::Unsaved;
use crate::files::write;
use crate::lsp::{RUN_ARGUMENT, RunRequest, Work};
use crate::own_rules::engine::RuleWorker;
use crate::script::sandbox;

/// The exit code after Ctrl-C, by the convention of shells: 128 and the number of SIGINT.
const INTERRUPTED: i32 = 130;
/// That of a run for an editor when the language server, which has started it, is gone.
const ABANDONED: i32 = 130;

/// Runs the command line of this process; or, when the program was started as its own child, the sandbox of scripts or a
/// run for an editor.
pub fn run_process(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|argument| argument == OsStr::new(sandbox::WORKER_ARGUMENT)) {
        return sandbox::worker(std::io::stdin(), std::io::stdout(), RuleWorker::default);
    }
    if arguments.get(1).is_some_and(|argument| argument == OsStr::new(RUN_ARGUMENT)) {
        return run_for_editor();
    }
    // A signal that is ignored, as after `nohup`, stays ignored.
    let _ = ctrlc::try_set_handler(|| {
        write::stop();
        std::process::exit(INTERRUPTED);
    });
    ExitCode::from(run_to(&mut std::io::stdout(), arguments).code())
}

/// Runs a command line in this process, with standard output replaced.
pub fn run_to(stdout: &mut dyn Write, arguments: Vec<OsString>) -> Exit {
    let current = match std::env::current_dir() {
        Ok(current) => current,
        Err(error) => {
            eprintln!("wflint: cannot read the current folder: {error}");
            return Exit::Failure;
        }
    };
    let (out_is_terminal, err_is_terminal) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
    let forced = forced_color(|name| std::env::var(name).ok());
    let shows_color = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    let has_color = |is_terminal: bool| forced.unwrap_or(is_terminal && shows_color);
    let mut world = World {
        current,
        // Not locked: the language server reads and writes them from threads of its own.
        stdin: &mut std::io::stdin(),
        stdout,
        // Not locked: the progress bar, and a panic, write to it from other threads.
        stderr: &mut std::io::stderr(),
        stdout_shows: Shows {
            color: has_color(out_is_terminal),
            links: supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
        },
        stderr_has_color: has_color(err_is_terminal),
        stderr_is_terminal: err_is_terminal,
        program: std::env::current_exe().unwrap_or_else(|_| "wflint".into()),
        widths: Widths::measured(),
        today: today(),
        step_summary: std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from),
        unsaved: Unsaved::default(),
    };
    super::run(arguments, &mut world)
}

/// Reads what to run from standard input, and runs it; the report is as in a pipe. Ends when standard input is closed.
fn run_for_editor() -> ExitCode {
    let request = match RunRequest::read(std::io::stdin()) {
        Ok(request) => request,
        Err(error) => {
            eprintln!("wflint: invalid request: {error}");
            return ExitCode::from(Exit::Failure.code());
        }
    };
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(ABANDONED);
    });
    let mut world = World {
        current: request.folder.clone(),
        stdin: &mut std::io::empty(),
        stdout: &mut std::io::stdout(),
        stderr: &mut std::io::stderr(),
        stdout_shows: Shows::default(),
        stderr_has_color: false,
        stderr_is_terminal: false,
        program: std::env::current_exe().unwrap_or_else(|_| "wflint".into()),
        widths: Widths::default(),
        today: today(),
        step_summary: None,
        unsaved: request.unsaved(),
    };
    let exit = match &request.work {
        Work::Command(arguments) => {
            let program = OsString::from("wflint");
            super::run(std::iter::once(program).chain(arguments.iter().map(OsString::from)), &mut world)
        }
        Work::Plays(order) => super::print_plays(order, &mut world),
    };
    ExitCode::from(exit.code())
}

/// Whether the environment asks for color, or for none; the terminal decides when it does neither. `FORCE_COLOR` comes
/// first, as with ruff and Node.js; then <https://no-color.org> and <https://bixense.com/clicolors>.
fn forced_color(variable: impl Fn(&str) -> Option<String>) -> Option<bool> {
    let given = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(value) = given("FORCE_COLOR") {
        return Some(!matches!(value.as_str(), "0" | "false"));
    }
    if given("NO_COLOR").is_some() {
        return Some(false);
    }
    given("CLICOLOR_FORCE").filter(|value| value != "0").map(|_| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_asks_for_color_or_for_none() {
        let forced = |variables: &[(&str, &str)]| {
            forced_color(|name| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(forced(&[]), None);
        assert_eq!(forced(&[("NO_COLOR", "1")]), Some(false));
        assert_eq!(forced(&[("NO_COLOR", ""), ("CLICOLOR_FORCE", "0")]), None);
        assert_eq!(forced(&[("CLICOLOR_FORCE", "1")]), Some(true));
        assert_eq!(forced(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), Some(false));
        assert_eq!(forced(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]), Some(true));
        assert_eq!(forced(&[("FORCE_COLOR", "0"), ("CLICOLOR_FORCE", "1")]), Some(false));
    }
}
