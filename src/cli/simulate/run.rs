//! Runs scenarios, with progress, into the reports.

use std::cell::RefCell;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use rayon::ThreadPool;

use super::coverage;
use super::mutants::Trials;
use crate::cli::options::{CoverageOptions, RunOptions};
use crate::cli::progress::Progress;
use crate::cli::show;
use crate::cli::world::{Failure, World, print_error, print_line};
use crate::mutants::Mutants;
use crate::page::{ScenarioCollector, ScenarioRuns};
use crate::report::{Format, Report, RunFormat, SimulationOutput, SimulationReports, Style};
use crate::report::{mutants_summary_line, simulation_summary_line};
use crate::simulate::{FinishedScenario, ScenarioSink, Session, SessionSummary};

/// Scenarios from which on progress is shown; fewer are done before it could be read.
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
    /// Whether the timeline of a scenario that passed is shown, too.
    pub shows_passed: bool,
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
        let scenarios = session.scenarios().len();
        let is_shown = scenarios >= MIN_FOR_PROGRESS && world.stderr_is_terminal && !options.quiet;
        let progress = Progress::new(is_shown, "scenarios");
        progress.begin(scenarios);
        let style = show::file_style(options, world);
        let has_pages = coverage::pages(coverage).next().is_some();
        let program = world.program.clone();
        let mut bytes = Vec::new();
        let done = if options.output_file().is_some() {
            self.run(&progress, &program, &RefCell::new(&mut bytes), (style, has_pages), &mut further)?
        } else {
            let out = Beside { progress: &progress, out: &mut *world.stdout };
            let out = RefCell::new(BufWriter::new(out));
            let done = self.run(&progress, &program, &out, (style, has_pages), &mut further)?;
            out.into_inner().flush()?;
            done
        };
        progress.clear();
        for FurtherReport { written_as, path, bytes, .. } in &further {
            show::write_report(*written_as, path, bytes, world)?;
        }
        if let Some(path) = options.output_file() {
            show::write_report(options.format, path, &bytes, world)?;
        }
        coverage::write(coverage, &self.report, &done.summary.coverage, world)?;
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
        Ok(done)
    }

    fn run(
        &self,
        progress: &Progress,
        program: &Path,
        out: &RefCell<impl Write>,
        (file_style, has_pages): (Style, bool),
        further: &mut [FurtherReport<'_>],
    ) -> Result<Ran<'_>, Failure> {
        let mut shared = Shared(out);
        let mut outputs = vec![SimulationOutput { format: self.format, style: self.report.style, out: &mut shared }];
        let further =
            further.iter_mut().map(|it| SimulationOutput { format: it.format, style: file_style, out: &mut it.bytes });
        outputs.extend(further);
        let mut reports = SimulationReports::new(self.report, outputs).showing_passed(self.shows_passed);
        let flush = || out.borrow_mut().flush();
        let mut for_pages = ScenarioCollector::new(&self.report.outcome.sources);
        let summary = {
            let pages = has_pages.then_some(&mut for_pages);
            let mut sink = ProgressSink { progress, reports: &mut reports, pages, flush: &flush };
            self.session.run(self.pool, program, &mut sink)?
        };
        progress.clear();
        flush()?;
        let (mut mutants, mut warnings) = (None, Vec::new());
        if let Some(trials) = &self.trials {
            let passed = summary.failed == 0 && !self.is_broken;
            let found =
                passed.then(|| trials.run(self.session, program, self.pool)).transpose().map_err(Failure::Message)?;
            let (found, noted) = found.unzip();
            reports.set_mutants(found.clone());
            mutants = Some(found);
            warnings = noted.unwrap_or_default();
        }
        reports.end(&summary)?;
        Ok(Ran { summary, mutants, warnings, for_pages: for_pages.runs })
    }
}

/// What scenarios and changes came to.
pub struct Ran<'r> {
    pub summary: SessionSummary<'r>,
    /// If changes were to be tried; `None` inside if a scenario does not pass.
    mutants: Option<Option<Mutants>>,
    warnings: Vec<String>,
    /// What the pages of `--coverage-output` show of the scenarios, if there are any.
    pub for_pages: ScenarioRuns,
}

impl Ran<'_> {
    /// Whether a change that is not accepted was not noticed.
    pub fn survives(&self) -> bool {
        self.mutants.as_ref().and_then(Option::as_ref).is_some_and(|mutants| mutants.survived() > 0)
    }
}

/// Shows progress with each scenario that it passes to the reports, which end later.
struct ProgressSink<'w, 'r> {
    progress: &'w Progress,
    reports: &'w mut SimulationReports<'r>,
    pages: Option<&'w mut ScenarioCollector<'r>>,
    /// Writes what is buffered: progress must not be shown in the middle of a line.
    flush: &'w dyn Fn() -> io::Result<()>,
}

impl ScenarioSink for ProgressSink<'_, '_> {
    fn begin(&mut self) -> io::Result<()> {
        self.reports.begin()
    }

    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        self.reports.scenario(finished)?;
        self.pages.as_mut().map_or(Ok(()), |pages| pages.scenario(finished))?;
        if self.progress.is_shown() {
            (self.flush)()?;
        }
        self.progress.add(1);
        Ok(())
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        self.pages.as_mut().map_or(Ok(()), |pages| pages.end(summary))
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

/// Output to a terminal that may show progress.
struct Beside<'w> {
    progress: &'w Progress,
    out: &'w mut dyn Write,
}

impl Write for Beside<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress.clear();
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
