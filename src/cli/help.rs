//! What follows the options in the help texts: examples and exit codes. Examples have at most 40 columns, so that no
//! terminal breaks their lines. The short help fits a screen: it begins with the first example, and has no groups.

use clap::Command;

use super::options;

/// What `-h` shows, of a command and those below it.
pub fn short(command: Command) -> Command {
    let long = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let command = match first_example(&long) {
        Some(example) => command.before_help(format!("Example:\n{example}")),
        None => command,
    };
    let is_root = command.get_name() == "wflint";
    let command = command.mut_args(|arg| arg.help_heading(None::<&str>)).mut_subcommands(short);
    if !is_root {
        return command.after_help("More options, examples and exit codes: `--help`");
    }
    // One screen: what is said twice is left out.
    command
        .about("Lints and simulates workflow and form documents of an order platform")
        .override_usage("wflint [OPTIONS] [PATHS]... | wflint <COMMAND>")
        .disable_help_subcommand(true)
        .mut_subcommand("check", |check| check.hide(true))
        .mut_arg("format", |format| format.hide_possible_values(true))
        .mut_arg(options::SIMULATE, |simulate| simulate.hide(true))
        .after_help("`wflint --help` lists all options, `wflint <COMMAND> -h` those of a command.")
}

/// The first command of the examples, with its comment.
fn first_example(text: &str) -> Option<String> {
    let (_, examples) = text.split_once("Examples:\n")?;
    let end = examples.lines().position(|line| !line.trim_start().starts_with('#'))?;
    Some(examples.lines().take(end + 1).collect::<Vec<_>>().join("\n"))
}

pub const LINT: &str = "\
Examples:
  # Lint the current folder
  wflint
  # Lint folders and files
  wflint services/sign a.json
  # Check only some rules
  wflint --select WF4,security
  # Show what `--fix` would change
  wflint --diff
  # List the files and what they are
  wflint --show-files
  # Print the configuration of a file
  wflint --show-settings sign/a.json
  # Record the findings, then report only new ones
  wflint --baseline b.json --write-baseline
  wflint --baseline b.json
  # Report only what is new on a branch
  wflint --since main...
  # Lint text that is not saved yet
  wflint - --stdin-filename a.json < text
  # Run scenarios
  wflint --simulate services/sign
  # Lint again after each change
  wflint --watch services/sign

Exit codes:
  0  No finding at or above `--fail-on`
  1  Findings, or scenarios that failed
  2  Invalid arguments, configuration or scenarios, unreadable files, or nothing to lint";

pub const SIMULATE: &str = "\
Examples:
  # Run the scenarios below the current folder
  wflint simulate
  # Run one scenario
  wflint simulate a.scenario.yaml
  # Show only scenarios that fail
  wflint simulate --quiet services
  # Run again after each change
  wflint simulate --watch services
  # Write their coverage, for CI
  wflint simulate --coverage-output a.xml
  # Fail if they cover too little
  wflint simulate --fail-under 80
  # Write scenarios for what is missing
  wflint simulate --suggest --write new
  # List changes that no scenario notices
  wflint simulate --mutants services
  # Change only what a branch has changed
  wflint simulate --mutants --since main...

Exit codes:
  0  All scenarios passed
  1  A scenario failed, coverage is under `--fail-under`, or a change survived that is not accepted
  2  Invalid arguments, configuration or scenarios, unreadable files, no scenario, or `--suggest` could not explore all";

pub const EXPLORE: &str = "\
Examples:
  # List how orders can end
  wflint explore
  # Check one law of one service
  wflint explore order.json --law ends
  # Write a scenario for each end
  wflint explore sign --write explored
  wflint --simulate explored
  # Write as few as reach everything
  wflint explore --write tests --cover
  # Write a report for CI
  wflint explore --output junit:laws.xml

Exit codes:
  0  Every law holds
  1  A law is broken
  2  Invalid arguments or configuration, unreadable files, no workflow, or a service that was not explored completely";

pub const DIFF: &str = "\
Examples:
  # What changed since the branch began
  wflint diff main...
  # What changed in a service since a tag
  wflint diff v1.2:services/sign
  # Compare two revisions
  wflint diff v1.2 main
  # Compare folders, or two documents
  wflint diff exported/old exported/new
  wflint diff old.json new.json

Exit codes:
  0  Both versions mean the same
  1  The versions differ in meaning
  2  Invalid arguments or configuration, unreadable files, or no document";

pub const REPORT: &str = "\
Examples:
  # Write a page about the services here
  wflint report --output report.html
  # About one service, with a heading
  wflint report services/sign \\
    --title Signing --output sign.html
  # With what changed since a release
  wflint report --since v1.2 \\
    --output report.html

Exit codes:
  0  The page was written, whatever it shows
  2  Invalid arguments or configuration, no workflow, or the page could not be written";

pub const INIT: &str = "\
Without options, writes a `wflint.toml` that changes nothing yet: its comments list the services, unknown methods and unknown types of this folder. Existing files are never overwritten.

Examples:
  # Write a commented wflint.toml
  wflint init
  # Write sign/order.scenario.yaml
  wflint init --scenario \\
    sign/order.workflow.json
  # Run wflint in CI and before commits
  wflint init --ci github --pre-commit
  # Take all of these steps, and import modules
  wflint init --all

Exit codes:
  0  The files were written, and are listed
  1  With `--all`: a module has a syntax error
  2  Invalid arguments or configuration, a broken workflow, or a file exists or cannot be written: nothing was written";

pub const FMT: &str = "\
Examples:
  # Format the documents below this folder
  wflint fmt
  # List what is not formatted, for CI
  wflint fmt --check services
  # As a git filter, and as its textconv
  wflint fmt - < a.json
  wflint fmt - a.json

Exit codes:
  0  The documents are formatted; `- FILE` prints a file that cannot be formatted unchanged
  1  With `--check` or `--diff`: a file would change
  2  Invalid arguments or configuration, a document that cannot be read, or nothing to format";

pub const LSP: &str = "\
Editors start this command. It speaks the Language Server Protocol 3.17.
docs/editors.md describes the setup of each editor.

Examples:
  # What an editor is told to start
  wflint lsp

Exit codes:
  0  The editor has shut it down
  1  The editor is gone, or has not shut it down
  2  Invalid arguments";

pub const GRAPH: &str = "\
Examples:
  # Draw a workflow as Mermaid, for Markdown
  wflint graph sign/order.workflow.json
  # Write a picture for the browser
  wflint graph a.json --output a.svg
  # Say in words what happens
  wflint graph a.json --format text
  # Draw each workflow of a folder
  wflint graph services --format svg --output drawn
  # Draw one part with Graphviz
  wflint graph a.json --format dot \\
    --activity 'Wait for the case' \\
    | dot -Tpdf -o a.pdf
  # Show it in a browser while you edit
  wflint graph a.json --serve --open

Exit codes:
  0  The workflow was drawn, whatever its findings
  2  Invalid arguments or configuration, or a file that holds no workflow";

pub const EXPLAIN: &str = "\
Examples:
  wflint explain WF201
  wflint explain unknown-variable
  wflint explain WF201 --all               # with the findings in its examples
  wflint explain WF201 --format markdown
  wflint explain A19                       # an assumption that reports cite
  wflint explain --run order.workflow.json:120   # show a run that proves WF404 there

Exit codes:
  0  The page or the run was printed
  1  Explored completely, and no run shows the finding
  2  Invalid arguments, an unknown rule, no such finding, or not explored completely";

pub const RULES: &str = "\
Examples:
  wflint rules
  wflint rules --format json
  wflint rules --new ORG101-approvals-end  # write a rule of your own and its page
  wflint rules --test                      # run the examples in the pages of your own rules
  wflint rules --test ORG101
  wflint rules --types > rules/wflint.d.ts # what a rule can use, for completion in an editor

Exit codes:
  0  The rules were printed or written, or their examples pass
  1  An example differs from its page
  2  Invalid arguments, an invalid configuration, or a file that exists";

pub const SCHEMA: &str = "\
Examples:
  wflint schema workflow > w.schema.json
  wflint schema report

Exit codes:
  0  The schema was printed
  2  Invalid arguments";

pub const COMPLETIONS: &str = "\
Examples:
  # For this session of bash
  source <(wflint completions bash)
  # For all sessions of fish
  cd ~/.config/fish/completions
  wflint completions fish > wflint.fish
  # For zsh, in a folder of its fpath
  wflint completions zsh > _wflint
  # For PowerShell, in the profile
  wflint completions powershell |
    Out-String | Invoke-Expression

Exit codes:
  0  The script was printed
  2  Invalid arguments";

pub const TOUR: &str = "\
Everything happens in a temporary folder, which is removed at the end.

Examples:
  wflint tour

Exit codes:
  0  The tour was shown
  2  Invalid arguments, or the temporary folder cannot be written";

pub const MAN: &str = "\
Replaces the pages of other versions of wflint, and no other file.

Examples:
  wflint man ~/.local/share/man/man1

Exit codes:
  0  The pages were written, and are listed
  2  Invalid arguments, or a file exists or cannot be written; nothing was changed";

pub const CATALOG: &str = "\
Examples:
  # From the workflows that call their methods
  wflint catalog infer services
  # From the PowerShell modules of plug-ins
  wflint catalog import Payroll.psm1

Exit codes:
  0  The catalogs were printed or written
  1  A file has a syntax error
  2  Invalid arguments, or a file that cannot be read or written";

pub const INFER: &str = "\
Lists on standard error, with file and line, what the calls do not show and where they contradict each other.

Examples:
  # Print the catalog of one plug-in
  wflint catalog infer services/mailbox
  # Write a catalog for each module, or add
  # to existing ones
  wflint catalog infer services \\
    --output catalogs

Exit codes:
  0  The catalogs were printed or written
  2  Invalid arguments or configuration, no workflow, or a file that cannot be read or written";

pub const IMPORT: &str = "\
Examples:
  # Print the catalog of a module
  wflint catalog import Payroll.psm1
  # Write a catalog for each module
  wflint catalog import plugins/*.psm1 \\
    --output catalogs
  # Name the package of the activities
  wflint catalog import Payroll.psm1 \\
    --package corp_payroll
  # Import files that a module loads
  wflint catalog import Public/*.ps1 \\
    --module Activity.Payroll

Exit codes:
  0  The catalogs were printed or written
  1  A file has a syntax error; what can be read was printed or written
  2  Invalid arguments, or a file that cannot be read or written; of the others, what can be read was";

pub const NEW: &str = "\
The catalog is valid as it is, and has commented examples. A file that exists is left as it is.

Examples:
  # Print a catalog
  wflint catalog new Badges
  # Write it to catalogs/Badges.toml
  wflint catalog new Activity.Badges \\
    --output catalogs

Exit codes:
  0  The catalog was printed or written
  2  Invalid arguments, or a file that exists or cannot be written";
