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
use crate::simulate::{Check, Coverage, Ended, Plan, Session};
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

/// Scenarios that run before what they showed is written and forgotten.
const AT_ONCE: usize = 128;

/// A run of all scenarios of a session.
pub struct Simulation<'r> {
    /// The files, what is wrong with scenarios, and how the report looks.
    pub report: Report<'r>,
    /// The scenarios.
    pub session: &'r Session<'r>,
    /// Where they run.
    pub pool: &'r rayon::ThreadPool,
    /// This program, for scripts.
    pub program: &'r Path,
    /// Called after each scenario.
    pub done: &'r (dyn Fn() + Sync),
}

impl Simulation<'_> {
    /// Runs every scenario and writes the report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, format: SimulationFormat, out: &mut dyn Write) -> io::Result<Summary> {
        match format {
            SimulationFormat::Human => self.write_human(out),
            SimulationFormat::Json => self.write_json(out),
            SimulationFormat::Junit => self.write_junit(out),
        }
    }

    fn write_human(&self, out: &mut dyn Write) -> io::Result<Summary> {
        let report = &self.report;
        let render = |told: Told<'_, '_>, checks: &[Check]| human::scenario(report, &told.briefly(), checks);
        let (summary, coverage) = self.run(render, |shown: String| out.write_all(shown.as_bytes()))?;
        if !report.style.quiet {
            write_coverage(report, &coverage, out)?;
            writeln!(out, "{}", summary.line())?;
        }
        Ok(summary)
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<Summary> {
        let report = &self.report;
        json::begin(out)?;
        let mut is_first = true;
        let render = |told: Told<'_, '_>, checks: &[Check]| json::scenario(report, &told, checks);
        let (summary, coverage) = self.run(render, |scenario: io::Result<Vec<u8>>| {
            json::separate(out, std::mem::take(&mut is_first))?;
            out.write_all(&scenario?)
        })?;
        json::end(out, report, &coverage, summary)?;
        Ok(summary)
    }

    fn write_junit(&self, out: &mut dyn Write) -> io::Result<Summary> {
        let report = &self.report;
        let mut cases = Vec::new();
        let render = |told: Told<'_, '_>, checks: &[Check]| junit::scenario(report, &told, checks);
        let (summary, _) = self.run(render, |case| {
            cases.push(case);
            Ok(())
        })?;
        let problems: Vec<Problem> = report.diagnostics().iter().map(|found| problem(report, found)).collect();
        junit::write(cases, &problems, out)?;
        Ok(summary)
    }

    /// Runs all scenarios, so many at once, and takes what is shown of them in their order.
    fn run<R: Send>(
        &self,
        render: impl Fn(Told<'_, '_>, &[Check]) -> R + Sync,
        mut take: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<(Summary, Vec<Coverage<'_>>)> {
        let (mut summary, mut coverage) = (Summary::default(), self.session.coverage());
        for scenarios in self.session.scenarios().chunks(AT_ONCE) {
            let finished = self.pool.install(|| {
                let render =
                    |plan: &Plan<'_>, ended: &Ended<'_>, checks: &[Check]| render(Told::new(plan, ended), checks);
                self.session.run(scenarios, self.program, self.done, render)
            });
            for run in finished {
                summary.scenarios += 1;
                *(if run.passed { &mut summary.passed } else { &mut summary.failed }) += 1;
                if let Some(workflow) = coverage.iter_mut().find(|workflow| workflow.file == run.workflow) {
                    workflow.add(&run.reached);
                }
                take(run.rendered)?;
            }
        }
        Ok((summary, coverage))
    }
}

fn problem(report: &Report<'_>, found: &Diagnostic) -> Problem {
    let file = report.file_name(found.location.file).to_owned();
    let (start, _) = report.range(found.location.file, found.location.span);
    Problem { message: format!("{file}:{}:{}: {}", start.line, start.column, found.message), file }
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

fn shown_name(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { visible(name).into_owned() }
}

/// Which activities no scenario reached.
fn write_coverage(report: &Report<'_>, coverage: &[Coverage<'_>], out: &mut dyn Write) -> io::Result<()> {
    const SHOWN: usize = 5;
    for workflow in coverage {
        let file = visible(report.file_name(workflow.file)).into_owned();
        let (reached, all) = (workflow.count(), workflow.activities());
        if reached == all {
            writeln!(out, "{file}: every activity reached")?;
            continue;
        }
        let names: Vec<String> = workflow.missed().take(SHOWN).map(|(_, name)| shown_name(name)).collect();
        let more = if all - reached > SHOWN { ", …" } else { "" };
        writeln!(out, "{file}: {reached} of {all} activities reached; never: {}{more}", names.join(", "))?;
    }
    Ok(())
}
