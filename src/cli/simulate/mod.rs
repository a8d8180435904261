//! `wflint --simulate [PATHS]`: run scenarios.

mod coverage;
mod suggest;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::options::{CoverageOptions, RunOptions, SimulateOptions};
use super::request::{boundary, config_source};
use super::show;
use super::targets::Targets;
use super::watch::{Watched, watch};
use super::world::{Exit, Failure, World, print_error};
use super::written::check_folder;
use crate::config::Config;
use crate::lint::{Baselines, Outcome, pool};
use crate::report::{Format, Report, RunFormat, SimulationSinks, Style};
use crate::report::{simulation_sink, simulation_summary_line};
use crate::simulate::{self, FinishedScenario, Request, ScenarioSink, Session, SessionSummary};
use crate::suggest::Suggester;
use crate::text::wrap;
use suggest::Suggest;

const NOTHING: &str = "no scenario found, expected a file named `*.scenario.yaml`, `.yml`, `.json` or `.toml`";

/// Scenarios from which on a progress bar is shown; fewer are done before it could be read.
const MIN_FOR_PROGRESS: usize = 20;

pub(super) fn run(options: &SimulateOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let SimulateOptions { paths, coverage, run: options } = options;
    if !options.watch {
        return simulate(paths, options, coverage, world);
    }
    watch(
        Watched {
            paths,
            options,
            files: &|world| read_files(paths, options, world).unwrap_or_default(),
            run: &mut |world| simulate(paths, options, coverage, world),
        },
        world,
    )
}

/// The files that a simulation reads, wherever they are.
fn read_files(paths: &[PathBuf], options: &RunOptions, world: &World<'_>) -> Option<Vec<PathBuf>> {
    let loaded = simulate::load(&request(paths, options, world).ok()?).ok()?;
    let configs = loaded.configs.iter().flat_map(|config| &config.files);
    Some(loaded.files.iter().chain(configs).cloned().collect())
}

fn request(paths: &[PathBuf], options: &RunOptions, world: &World<'_>) -> Result<Request, Failure> {
    let paths = match paths {
        [] => vec![PathBuf::from(".")],
        paths => paths.to_vec(),
    };
    if paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::Message("`--simulate` reads scenarios from files, not from standard input".to_owned()));
    }
    let config = config_source(options, world);
    let boundary = boundary(&paths, options, world);
    Ok(Request { current: world.current.clone(), paths, config, boundary })
}

fn simulate(
    paths: &[PathBuf],
    options: &RunOptions,
    coverage: &CoverageOptions,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    let format = simulation_format(options.format)?;
    let further = further_reports(options)?;
    show::check_outputs(options, coverage, world)?;
    check_folder(coverage.write.as_deref(), world)?;
    let targets = Targets::new(options, &Baselines::default(), &world.current).with_coverage(coverage, &world.current);
    let request = request(paths, options, world)?;
    let mut loaded = simulate::load(&request).map_err(|error| Failure::Message(error.0))?;
    targets.check(|path| loaded.reads(path)).map_err(Failure::Message)?;
    let style = show::style(options, world.stdout_shows, world);
    let mut outcome = Outcome {
        sources: std::mem::take(&mut loaded.sources),
        diagnostics: std::mem::take(&mut loaded.problems),
        unreadable: std::mem::take(&mut loaded.unreadable),
        ..Outcome::default()
    };
    let (suggester, fallback) = (Suggester::default(), Config::default());
    let session = Session::new(&loaded, &suggester, &fallback);
    outcome.diagnostics.extend(session.problems().iter().cloned());
    outcome.diagnostics.sort_by_key(|problem| (problem.location.file, problem.location.span));
    for reason in &outcome.unreadable {
        print_error(world, reason);
    }
    show_problems(&outcome, world)?;
    coverage::warn(coverage, &loaded.uncounted, world);
    let is_broken = !outcome.unreadable.is_empty() || !outcome.diagnostics.is_empty();
    let mut formats = further.iter().map(|further| further.format).chain([format]);
    let lists_problems = formats.any(RunFormat::lists_problems);
    let suggest = Suggest { paths, options, coverage, sources: &outcome.sources };
    suggest.check(&session.coverage(), &targets, world)?;
    if session.scenarios().is_empty() && !(is_broken && lists_problems) {
        if !is_broken {
            print_error(world, NOTHING);
        }
        // The first scenarios of a service are suggested as well.
        suggest.run(&session.coverage(), world)?;
        return Ok(Exit::Failure);
    }
    let report = Report { outcome: &outcome, style };
    let summary = write(options, format, further, report, &session, world)?;
    coverage::write(coverage, &report, &summary.coverage, world)?;
    let is_enough = coverage::is_enough(coverage, &summary.coverage, world);
    let is_explored = suggest.run(&summary.coverage, world)?;
    Ok(match (is_broken || !is_explored, summary.failed) {
        (true, _) => Exit::Failure,
        (false, 0) if is_enough => Exit::Clean,
        (false, _) => Exit::Findings,
    })
}

fn simulation_format(format: Format) -> Result<RunFormat, Failure> {
    show::run_format(format, "--simulate")
}

/// A report of `--output FORMAT:FILE`.
struct FurtherReport<'o> {
    format: RunFormat,
    written_as: Format,
    path: &'o Path,
    bytes: Vec<u8>,
}

fn further_reports(options: &RunOptions) -> Result<Vec<FurtherReport<'_>>, Failure> {
    let further = options.further_reports().map(|(written_as, path)| {
        Ok(FurtherReport { format: simulation_format(written_as)?, written_as, path, bytes: Vec::new() })
    });
    further.collect()
}

/// Prints the problems of scenario files to standard error: the report is about those that ran.
fn show_problems(outcome: &Outcome, world: &mut World<'_>) -> Result<(), Failure> {
    if outcome.diagnostics.is_empty() {
        return Ok(());
    }
    let style =
        Style { color: false, links: false, width: world.widths.stderr.unwrap_or(world.widths.file), quiet: true };
    let mut bytes = Vec::new();
    Report { outcome, style }.write(Format::Human, &mut bytes)?;
    world.stderr.write_all(&bytes)?;
    Ok(())
}

/// Runs the scenarios, and writes the report to standard output or to the file of `--output`, and the further ones.
fn write<'s>(
    options: &RunOptions,
    format: RunFormat,
    mut further: Vec<FurtherReport<'_>>,
    report: Report<'_>,
    session: &'s Session<'s>,
    world: &mut World<'_>,
) -> Result<SessionSummary<'s>, Failure> {
    let pool = pool(options.jobs.map(usize::from)).map_err(Failure::Message)?;
    let bar = progress(session.scenarios().len(), world.stderr_is_terminal && !options.quiet);
    let file_report = Report { style: show::file_style(options, world), ..report };
    let run = |out: &mut dyn Write, further: &mut [FurtherReport<'_>]| {
        let mut sinks = vec![simulation_sink(format, report, out)];
        sinks.extend(further.iter_mut().map(|it| simulation_sink(it.format, file_report, &mut it.bytes)));
        session.run(&pool, &world.program, &mut CountingSink { bar: &bar, sink: SimulationSinks(sinks) })
    };
    let (summary, bytes) = if options.output_file().is_some() {
        let mut bytes = Vec::new();
        (run(&mut bytes, &mut further)?, bytes)
    } else {
        let mut out = BufWriter::new(BesideBar { bar: &bar, out: &mut *world.stdout });
        let summary = run(&mut out, &mut further)?;
        out.flush()?;
        (summary, Vec::new())
    };
    bar.finish_and_clear();
    for FurtherReport { written_as, path, bytes, .. } in &further {
        show::write_report(*written_as, path, bytes, world)?;
    }
    if let Some(path) = options.output_file() {
        show::write_report(options.format, path, &bytes, world)?;
        if !options.quiet {
            writeln!(world.stdout, "{}", wrap(&simulation_summary_line(&summary), world.widths.stdout, ""))?;
        }
    }
    Ok(summary)
}

/// Advances the progress bar by each scenario that it passes to another sink.
struct CountingSink<'w> {
    bar: &'w ProgressBar,
    sink: SimulationSinks<'w>,
}

impl ScenarioSink for CountingSink<'_> {
    fn begin(&mut self) -> io::Result<()> {
        self.sink.begin()
    }

    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        self.bar.inc(1);
        self.sink.scenario(finished)
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        self.sink.end(summary)
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
