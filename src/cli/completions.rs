//! `wflint completions`: scripts that complete commands and options in a shell.

use clap::{Arg, CommandFactory};
use clap_complete::Shell;

use super::command_line::Cli;
use super::world::{Exit, Failure, World};

pub(super) fn run(shell: Shell, world: &mut World<'_>) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "wflint", &mut script);
    let script = String::from_utf8_lossy(&script);
    let script = match shell {
        Shell::Zsh => first_is_command_or_path(&script),
        Shell::Fish => complete_values(&script),
        _ => script.into_owned(),
    };
    world.stdout.write_all(script.as_bytes())?;
    Ok(Exit::Clean)
}

/// `clap_complete` takes the first argument for a path and the second for the command, but the first may be either.
fn first_is_command_or_path(script: &str) -> String {
    const FIRST: &str = "\
(( $+functions[_wflint_first] )) ||
_wflint_first() {
    _alternative 'commands:command:_wflint_commands' 'files:file:_files'
}

(( $+functions[_wflint_commands] )) ||
";
    let is_path = |line: &str| line.starts_with("'::paths ");
    // The line of `wflint` itself; those of commands stay.
    let root = script.lines().position(is_path);
    let lines = script.lines().enumerate().filter(|(index, _)| Some(*index) != root).map(|(_, line)| line);
    lines
        .collect::<Vec<_>>()
        .join("\n")
        .replacen("\":: :_wflint_commands\"", "\":: :_wflint_first\"", 1)
        .replace("$line[2]", "$line[1]")
        .replacen("(( $+functions[_wflint_commands] )) ||\n", FIRST, 1)
}

/// `clap_complete` completes nothing while an option of `wflint` itself lacks its value, and no value that is an
/// argument of a command.
fn complete_values(script: &str) -> String {
    let mut script = script.replacen("2>/dev/null\n    or return\n", "2>/dev/null\n    or return 0\n", 1);
    for command in Cli::command().get_subcommands() {
        let values = command.get_positionals().flat_map(Arg::get_possible_values);
        let values: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
        if !values.is_empty() {
            let name = command.get_name();
            script.push_str("complete -c wflint -n \"__fish_wflint_using_subcommand ");
            script.push_str(&[name, "\" -f -a \"", &values.join(" "), "\"\n"].concat());
        }
    }
    script
}
