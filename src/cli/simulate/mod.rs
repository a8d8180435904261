//! `wflint --simulate [PATHS]`: run scenarios.

mod coverage;
mod mutants;
mod run;
mod suggest;

use std::path::PathBuf;

use super::options::{RunOptions, SimulateOptions};
use super::request::{boundary, config_source, names_from, paths_from};
use super::scenario_files::check_folder;
use super::show;
use super::targets::Targets;
use super::watch::{Watched, watch};
use super::world::{Exit, Failure, World, print_error};
use crate::config::Config;
use crate::files::lookups::Lookups;
use crate::lint::{Baselines, Outcome, pool};
use crate::report::{Format, Report, RunFormat, Style};
use crate::simulate::{self, Loaded, Request, Session};
use crate::text::suggest::Suggester;
use mutants::{Trials, prepare};
use run::{FurtherReport, Run};
use suggest::Suggest;

const COMMAND: &str = "--simulate";
const NOTHING: &str = "no scenario found, expected a file named `*.scenario.yaml`, `.yml`, `.json` or `.toml`";

pub(super) fn run(options: &SimulateOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let SimulateOptions { paths, run, coverage, .. } = options;
    if !run.watch {
        return simulate(options, world);
    }
    watch(
        Watched {
            paths,
            options: run,
            outputs: coverage.coverage_output.iter().map(|output| output.path.clone()).collect(),
            files: &|world, lookups| read_files(paths, run, lookups, world).unwrap_or_default(),
            run: &mut |world| simulate(options, world),
        },
        world,
    )
}

/// The files that a simulation reads, wherever they are.
fn read_files(paths: &[PathBuf], options: &RunOptions, lookups: &Lookups, world: &World<'_>) -> Option<Vec<PathBuf>> {
    let mut request = request(paths, options, world).ok()?;
    request.unsaved = request.unsaved.remembering(lookups);
    let loaded = simulate::load(&request).ok()?;
    let configs = loaded.configs.iter().flat_map(|config| &config.files);
    Some(loaded.files.iter().chain(configs).cloned().collect())
}

fn request(paths: &[PathBuf], options: &RunOptions, world: &World<'_>) -> Result<Request, Failure> {
    let relative_to = options.relative_to.as_deref();
    let paths = paths_from(paths, relative_to, world);
    if paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::Message("`--simulate` reads scenarios from files, not from standard input".to_owned()));
    }
    let config = config_source(options, world);
    let boundary = boundary(&paths, options, world);
    let current = names_from(relative_to, world)?;
    Ok(Request { current, paths, config, boundary, unsaved: world.unsaved.clone() })
}

fn simulate(all_options: &SimulateOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let SimulateOptions { paths, coverage, run: options, .. } = all_options;
    let format = show::run_format(options.format, COMMAND)?;
    let further = further_reports(options)?;
    show::check_outputs(options, coverage, world)?;
    check_folder(coverage.write.as_deref(), world)?;
    let targets = Targets::new(options, &Baselines::default(), &world.current).with_coverage(coverage, &world.current);
    let request = request(paths, options, world)?;
    let mut loaded = simulate::load(&request).map_err(|error| Failure::Message(error.0))?;
    targets.check(|path| loaded.reads(path)).map_err(Failure::Message)?;
    let style = show::style(options, world.stdout_shows, world);
    let mut outcome = take_outcome(&mut loaded);
    let pool = pool(options.jobs.map(usize::from)).map_err(Failure::Message)?;
    let prepared = prepare(all_options, &request, &loaded, &mut outcome, &pool, world)?;
    targets.check(|path| prepared.as_ref().is_some_and(|it| it.reads(path))).map_err(Failure::Message)?;
    let (suggester, fallback) = (Suggester::default(), Config::default());
    let session = Session::new(&loaded, &suggester, &fallback);
    outcome.diagnostics.extend(session.problems().iter().cloned().map(Box::new));
    outcome.diagnostics.sort_by_key(|problem| (problem.location.file, problem.location.span));
    let errors = outcome.diagnostics.iter_mut().map(Box::as_mut);
    simulate::redact_errors(&loaded, &mut outcome.sources, errors);
    for reason in &outcome.unreadable {
        print_error(world, reason);
    }
    show_problems(&outcome, world)?;
    let is_judged = coverage::warn(coverage, &loaded.uncounted, world);
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
    let (sources, shows_progress) = (&outcome.sources, world.stderr_is_terminal && !options.quiet);
    let trials = prepared.as_ref().map(|prepared| Trials { prepared, sources, shows_progress });
    let is_one_named = matches!(paths.as_slice(), [path] if !world.current.join(path).is_dir());
    let shows_passed = all_options.verbose || is_one_named;
    let run = Run { options, format, report, session: &session, pool: &pool, shows_passed, trials, is_broken };
    let ran = run.write(further, coverage, world)?;
    let (summary, survives) = (&ran.summary, ran.survives());
    coverage::write_pages(all_options, &outcome.sources, (&summary.coverage, &ran.for_pages), world)?;
    let is_enough = coverage::is_enough(coverage, &summary.coverage, world);
    let is_explored = suggest.run(&summary.coverage, world)?;
    Ok(match (is_broken || !is_explored || !is_judged, summary.failed) {
        (true, _) => Exit::Failure,
        (false, 0) if is_enough && !survives => Exit::Clean,
        (false, _) => Exit::Findings,
    })
}

/// What was read, and what is wrong with it, for a report.
fn take_outcome(loaded: &mut Loaded) -> Outcome {
    Outcome {
        sources: std::mem::take(&mut loaded.sources),
        diagnostics: std::mem::take(&mut loaded.problems).into_iter().map(Box::new).collect(),
        unreadable: std::mem::take(&mut loaded.unreadable),
        ..Outcome::default()
    }
}

fn further_reports(options: &RunOptions) -> Result<Vec<FurtherReport<'_>>, Failure> {
    let further = options.further_reports().map(|(written_as, path)| {
        Ok(FurtherReport { format: show::run_format(written_as, COMMAND)?, written_as, path, bytes: Vec::new() })
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
