//! Runs scenarios, with a progress bar, into the reports.

use std::cell::RefCell;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPool;

use super::coverage;
use super::mutants::Trials;
use crate::cli::options::{CoverageOptions, RunOptions};
use crate::cli::show;
use crate::cli::world::{Failure, World, print_error, print_line};
use crate::mutants::Mutants;
use crate::report::{Format, Report, RunFormat, SimulationOutput, SimulationReports, Style};
use crate::report::{mutants_summary_line, simulation_summary_line};
use crate::simulate::{FinishedScenario, ScenarioSink, Session, SessionSummary};
use crate::write::Batch;

/// Scenarios from which on a progress bar is shown; fewer are done before it could be read.
const MIN_FOR_PROGRESS: usize = 20;

/// A report of `--output FORMAT:FILE`.
pub struct FurtherReport<'o> {
    pub format: RunFormat,
    pub written_as: Format,
    pub path: &'o Path,
    pub bytes: Vec<u8>,
}

/// What is run, and how it is shown.
pub struct Run<'r> {
    pub options: &'r RunOptions,
    pub format: RunFormat,
    pub report: Report<'r>,
    pub session: &'r Session<'r>,
    pub pool: &'r ThreadPool,
    /// If changes of the workflows are to be tried.
    pub trials: Option<Trials<'r>>,
    /// Whether some scenarios cannot be run.
    pub is_broken: bool,
}

impl Run<'_> {
    /// Runs the scenarios, and writes the report to standard output or to the file of `--output`, the further ones,
    /// and the files of `--coverage-output`.
    pub fn write(
        &self,
        mut further: Vec<FurtherReport<'_>>,
        coverage: &CoverageOptions,
        world: &mut World<'_>,
    ) -> Result<Ran<'_>, Failure> {
        let Self { options, session, .. } = *self;
        let bar = progress(session.scenarios().len(), world.stderr_is_terminal && !options.quiet);
        let style = show::file_style(options, world);
        let program = world.program.clone();
        let mut bytes = Vec::new();
        let done = if options.output_file().is_some() {
            self.run(&bar, &program, &RefCell::new(&mut bytes), style, &mut further)?
        } else {
            let out = RefCell::new(BufWriter::new(BesideBar { bar: &bar, out: &mut *world.stdout }));
            let done = self.run(&bar, &program, &out, style, &mut further)?;
            out.into_inner().flush()?;
            done
        };
        bar.finish_and_clear();
        let mut batch = Batch::default();
        for FurtherReport { written_as, path, bytes, .. } in further {
            show::add_report(written_as, path, bytes, &mut batch, world);
        }
        if let Some(path) = options.output_file() {
            show::add_report(options.format, path, bytes, &mut batch, world);
        }
        coverage::add(coverage, &self.report, &done.summary.coverage, &mut batch, world)?;
        batch.write().map_err(Failure::Message)?;
        if options.output_file().is_some() {
            let line = simulation_summary_line(&done.summary);
            let mutants = done.mutants.as_ref().map(|mutants| mutants_summary_line(mutants.as_ref()));
            for line in std::iter::once(line).chain(mutants).filter(|_| !options.quiet) {
                print_line(world, &line, "")?;
            }
        }
        for warning in &done.warnings {
            print_error(world, &format!("warning: {warning}"));
        }
        let survives = done.mutants.flatten().is_some_and(|mutants| mutants.survived() > 0);
        Ok(Ran { summary: done.summary, survives })
    }

    fn run(
        &self,
        bar: &ProgressBar,
        program: &Path,
        out: &RefCell<impl Write>,
        file_style: Style,
        further: &mut [FurtherReport<'_>],
    ) -> Result<Done<'_>, Failure> {
        let mut shared = Shared(out);
        let mut outputs = vec![SimulationOutput { format: self.format, style: self.report.style, out: &mut shared }];
        let further =
            further.iter_mut().map(|it| SimulationOutput { format: it.format, style: file_style, out: &mut it.bytes });
        outputs.extend(further);
        let mut sink = CountingSink {
            bar,
            reports: SimulationReports::new(self.report, outputs),
            trials: self.trials.as_ref(),
            is_broken: self.is_broken,
            flush: &|| out.borrow_mut().flush(),
            mutants: None,
            warnings: Vec::new(),
            failure: None,
        };
        let summary = self.session.run(self.pool, program, &mut sink);
        match sink.failure {
            Some(reason) => Err(Failure::Message(reason)),
            None => Ok(Done { summary: summary?, mutants: sink.mutants, warnings: sink.warnings }),
        }
    }
}

/// What a run came to.
pub struct Ran<'r> {
    pub summary: SessionSummary<'r>,
    /// Whether a change that is not accepted was not noticed.
    pub survives: bool,
}

/// What scenarios and changes came to.
struct Done<'r> {
    summary: SessionSummary<'r>,
    /// If they were to be tried; `None` inside if a scenario does not pass.
    mutants: Option<Option<Mutants>>,
    warnings: Vec<String>,
}

/// Advances the progress bar by each scenario that it passes to the reports, and tries the changes after the last.
struct CountingSink<'w> {
    bar: &'w ProgressBar,
    reports: SimulationReports<'w>,
    trials: Option<&'w Trials<'w>>,
    is_broken: bool,
    /// Writes what is buffered: another progress bar is shown.
    flush: &'w dyn Fn() -> io::Result<()>,
    mutants: Option<Option<Mutants>>,
    warnings: Vec<String>,
    /// Why the changes could not be tried.
    failure: Option<String>,
}

impl CountingSink<'_> {
    fn try_changes(&mut self, trials: &Trials<'_>, passed: bool) -> io::Result<()> {
        self.bar.finish_and_clear();
        (self.flush)()?;
        let found = match passed.then(|| trials.run()).transpose() {
            Ok(found) => found,
            Err(reason) => {
                self.failure = Some(reason);
                return Err(io::Error::other("the changes could not be tried"));
            }
        };
        let (mutants, warnings) = found.unzip();
        self.reports.set_mutants(mutants.clone());
        self.mutants = Some(mutants);
        self.warnings = warnings.unwrap_or_default();
        Ok(())
    }
}

impl ScenarioSink for CountingSink<'_> {
    fn begin(&mut self) -> io::Result<()> {
        self.reports.begin()
    }

    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        self.bar.inc(1);
        self.reports.scenario(finished)
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        if let Some(trials) = self.trials {
            self.try_changes(trials, summary.failed == 0 && !self.is_broken)?;
        }
        self.reports.end(summary)
    }
}

/// Output that is also flushed elsewhere.
struct Shared<'s, W>(&'s RefCell<W>);

impl<W: Write> Write for Shared<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// Output to a terminal that also shows the progress bar.
struct BesideBar<'w> {
    bar: &'w ProgressBar,
    out: &'w mut dyn Write,
}

impl Write for BesideBar<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bar.suspend(|| self.out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn progress(scenarios: usize, is_terminal: bool) -> ProgressBar {
    if scenarios < MIN_FOR_PROGRESS || !is_terminal {
        return ProgressBar::hidden();
    }
    let count = u64::try_from(scenarios).unwrap_or(u64::MAX);
    let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} scenarios");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
