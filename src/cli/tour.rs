//! `wflint tour`: what wflint does, on a small service with two mistakes, in a temporary folder.

use std::ffi::OsString;
use std::path::Path;

use super::world::{Exit, Failure, World};
use crate::files::paths::canonicalize;
use crate::files::write::create;

/// The service: an order that waits for a signature, and a scenario of it.
const FILES: [(&str, &str); 3] = [
    ("order.form.json", include_str!("tour/order.form.json")),
    ("order.workflow.json", include_str!("tour/order.workflow.json")),
    ("signed.scenario.yaml", include_str!("tour/signed.scenario.yaml")),
];

/// A command, and the lines of its output that are shown.
struct Step {
    title: &'static str,
    command: &'static [&'static str],
    shown: &'static [Lines],
}

enum Lines {
    /// The line that contains a string.
    With(&'static str),
    /// The lines from one text to another, the last one left out.
    Between(&'static str, &'static str),
}

const STEPS: [Step; 5] = [
    Step {
        title: "Lint: two mistakes, at the exact characters",
        command: &["check"],
        shown: &[
            Lines::Between("WF404", "order.workflow.json:27"),
            Lines::Between("add an If", "Found "),
            Lines::With("Found "),
        ],
    },
    Step {
        title: "Fix: what has one right answer",
        command: &["--fix", "--unsafe-fixes", "--select", "WF101"],
        shown: &[Lines::With("Fixed")],
    },
    Step {
        title: "Explore: play every order, and find out how it can end",
        command: &["explore"],
        shown: &[Lines::Between("ends, explored", "can be reached")],
    },
    Step {
        title: "Prove: one run that never ends, on a virtual clock",
        command: &["explain", "--run", "order.workflow.json:21"],
        shown: &[Lines::Between("more rounds of", "assumes")],
    },
    Step {
        title: "Simulate: a scenario is a test of the order",
        command: &["simulate"],
        shown: &[Lines::With("signed.scenario")],
    },
];

const NEXT: &str = "\
What to do next with your own exports, in their folder:
  wflint init --all  writes wflint.toml, catalogs, scenarios, hooks and CI
  wflint             lints; `wflint explain WF404` explains a rule
  wflint explore     plays every order
";

/// Shows the tour. `run` runs a command line.
pub(super) fn run(world: &mut World<'_>, run: fn(Vec<OsString>, &mut World<'_>) -> Exit) -> Result<Exit, Failure> {
    let cannot = |error: std::io::Error| Failure::Message(format!("cannot write the service of the tour: {error}"));
    let folder = tempfile::tempdir().map_err(cannot)?;
    let root = canonicalize(folder.path()).map_err(cannot)?;
    // The empty configuration keeps out one around the temporary folder.
    for (name, text) in FILES.into_iter().chain([("wflint.toml", "")]) {
        create(&root.join(name), text.as_bytes()).map_err(cannot)?;
    }
    for (number, step) in (1..).zip(&STEPS) {
        let output = output(&root, step.command, world, run);
        writeln!(world.stdout, "{number}. {}\n$ wflint {}", step.title, step.command.join(" "))?;
        let shown: Vec<&str> = step.shown.iter().flat_map(|lines| lines.of(&output)).collect();
        writeln!(world.stdout, "{}\n", shown.join("\n").trim_end())?;
    }
    world.stdout.write_all(NEXT.as_bytes())?;
    Ok(Exit::Clean)
}

/// Runs a command in the folder, and returns what it prints.
fn output(
    folder: &Path,
    command: &[&str],
    world: &World<'_>,
    run: fn(Vec<OsString>, &mut World<'_>) -> Exit,
) -> String {
    let mut printed = Vec::new();
    let mut ignored = Vec::new();
    let mut inside = World {
        current: folder.to_path_buf(),
        stdin: &mut std::io::empty(),
        stdout: &mut printed,
        stderr: &mut ignored,
        program: world.program.clone(),
        step_summary: None,
        stderr_is_terminal: false,
        unsaved: world.unsaved.clone(),
        ..*world
    };
    run(["wflint"].iter().chain(command).map(OsString::from).collect(), &mut inside);
    String::from_utf8_lossy(&printed).into_owned()
}

impl Lines {
    fn of<'o>(&self, output: &'o str) -> Vec<&'o str> {
        let from = |text: &'static str| output.lines().skip_while(move |line| !line.contains(text));
        match self {
            Self::With(text) => from(text).take(1).collect(),
            Self::Between(first, last) => from(first).take_while(|line| !line.contains(last)).collect(),
        }
    }
}
