//! The reports of `wflint --simulate`.

mod human;
mod json;
mod junit;
mod timeline;
mod words;

use std::io::{self, Write};
use std::path::Path;

use super::{Report, TOOL, visible};
use crate::diagnostic::Diagnostic;
use crate::simulate::{Coverage, Finished, Session};
use words::Told;

/// The formats of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulationFormat {
    /// A timeline, and what was expected.
    Human,
    /// One object.
    Json,
    /// One test case a scenario.
    Junit,
}

/// A scenario that cannot be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its file.
    pub file: String,
    /// Why.
    pub message: String,
}

/// How many scenarios did what was expected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Scenarios that ran.
    pub scenarios: usize,
    /// Those in which everything came out as expected.
    pub passed: usize,
    /// The others.
    pub failed: usize,
}

/// Runs every scenario of a session and writes the report.
///
/// # Errors
/// When it cannot be written.
pub fn run(
    report: &Report<'_>,
    format: SimulationFormat,
    session: &Session<'_>,
    program: &Path,
    done: &(dyn Fn() + Sync),
    out: &mut dyn Write,
) -> io::Result<Summary> {
    match format {
        SimulationFormat::Human => {
            let finished = session.run_all(program, done, |plan, ended, checks| {
                human::scenario(report, &Told::new(plan, ended).briefly(), checks)
            });
            let coverage = session.coverage(&finished);
            let summary = summary(&finished);
            for run in &finished {
                out.write_all(run.rendered.as_bytes())?;
            }
            if !report.style.quiet {
                write_coverage(report, &coverage, out)?;
                writeln!(out, "{}", summary.line())?;
            }
            Ok(summary)
        }
        SimulationFormat::Json => {
            let finished = session
                .run_all(program, done, |plan, ended, checks| json::scenario(report, &Told::new(plan, ended), checks));
            let (coverage, summary) = (session.coverage(&finished), summary(&finished));
            let scenarios: Result<Vec<_>, _> = finished.into_iter().map(|run| run.rendered).collect();
            json::write(report, scenarios?, &coverage, summary, out)?;
            Ok(summary)
        }
        SimulationFormat::Junit => {
            let finished = session
                .run_all(program, done, |plan, ended, checks| junit::scenario(report, &Told::new(plan, ended), checks));
            let summary = summary(&finished);
            let problems: Vec<Problem> = report.diagnostics().iter().map(|found| problem(report, found)).collect();
            junit::write(finished, &problems, out)?;
            Ok(summary)
        }
    }
}

fn problem(report: &Report<'_>, found: &Diagnostic) -> Problem {
    let file = report.file_name(found.location.file).to_owned();
    let (start, _) = report.range(found.location.file, found.location.span);
    Problem { message: format!("{file}:{}:{}: {}", start.line, start.column, found.message), file }
}

fn summary<R>(finished: &[Finished<R>]) -> Summary {
    let passed = finished.iter().filter(|run| run.passed).count();
    Summary { scenarios: finished.len(), passed, failed: finished.len() - passed }
}

impl Summary {
    /// The summary in one line.
    pub fn line(self) -> String {
        let scenarios = super::count(self.scenarios, "scenario");
        match self.failed {
            0 => format!("{scenarios} passed."),
            failed => format!("{scenarios}: {} passed, {failed} failed.", self.passed),
        }
    }
}

/// Which activities no scenario reached.
fn write_coverage(report: &Report<'_>, coverage: &[Coverage], out: &mut dyn Write) -> io::Result<()> {
    const SHOWN: usize = 5;
    for workflow in coverage {
        let file = visible(report.file_name(workflow.file)).into_owned();
        let (reached, all) = (workflow.count(), workflow.reached.len());
        if reached == all {
            writeln!(out, "{file}: every activity reached")?;
            continue;
        }
        let names: Vec<String> = workflow.names.iter().take(SHOWN).map(|name| visible(name).into_owned()).collect();
        let more = if workflow.names.len() > SHOWN { ", …" } else { "" };
        writeln!(out, "{file}: {reached} of {all} activities reached; never: {}{more}", names.join(", "))?;
    }
    Ok(())
}
