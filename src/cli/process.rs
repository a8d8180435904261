//! The command as a process: its streams, terminal and environment.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

#[cfg(not(target_family = "wasm"))]
use super::child;
use super::host;
use super::world::{Exit, Shows, Widths, World, today};
use crate::files::read::Unsaved;

/// Runs the command line of this process; or, when the program was started as its own child, the sandbox of scripts or a
/// run for an editor.
pub fn run_process(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(not(target_family = "wasm"))]
    if let Some(code) = child::run_as_child(&arguments) {
        return code;
    }
    host::prepare();
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
