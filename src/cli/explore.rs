//! `wflint explore`: how orders can end, and which laws are broken.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::options::headings::{LAWS, MISCELLANEOUS, OUTPUT, SCENARIOS};
use super::options::{Color, OutputFile, RunOptions, SettingsOptions};
use super::progress::Progress;
use super::request::{boundary, config_source, names_from, paths_from};
use super::scenario_files::{ScenarioTarget, check_folder, incomplete, write_scenarios};
use super::show;
use super::targets::Targets;
use super::world::{Exit, Failure, World, print_error, print_line, print_note};
use crate::explore::{Covers, Explored, ExploredLaw, ExploredProject, Request, explore_project};
use crate::files::boundary::Boundary;
use crate::files::paths::clean_path;
use crate::files::read::FileKey;
use crate::init::{ScenarioChoice, explored_scenarios};
use crate::lint::{Baselines, Outcome, pool};
use crate::project::{self, Project};
use crate::report::{ExplorationReport, Format, Report};
use crate::text::diagnostic::{FileId, Location};
use crate::text::source::SourceFile;
use crate::text::{MAX_NAME, truncate};

const COMMAND: &str = "wflint explore";
const NOTHING: &str = "nothing to explore: no workflow found";

#[derive(Debug, Args)]
pub(super) struct ExploreOptions {
    /// Workflows, or folders that contain them [default: .]
    pub paths: Vec<PathBuf>,
    /// Check only this law: a built-in one (`ends`, `no-fault`, `reached`), or the name of a `[[law]]`; repeatable
    #[arg(long, help_heading = LAWS, value_name = "NAME")]
    pub law: Vec<String>,
    /// Write a scenario for each end to this folder, and with `--law` for each run that breaks the law; overwrites only
    /// files that it wrote before
    #[arg(long, help_heading = SCENARIOS, value_name = "DIR")]
    pub write: Option<PathBuf>,
    /// Write as few scenarios as possible that together reach every reachable activity and branch, instead of one for
    /// each end
    #[arg(long, help_heading = SCENARIOS, requires = "write")]
    pub cover: bool,
    /// Output format
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Write the report to this file, and a one-line summary to the terminal; `FORMAT:FILE` writes another report in
    /// that format, repeatable
    #[arg(long, help_heading = OUTPUT, value_name = "FILE", value_parser = OutputFile::parser())]
    pub output: Vec<OutputFile>,
    /// Folder that paths in reports are relative to [default: the current folder]
    #[arg(long, hide_short_help = true, help_heading = OUTPUT, value_name = "DIR")]
    pub relative_to: Option<PathBuf>,
    /// Print only broken laws and errors
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Control when colored output is used
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Stop exploring a service after this many states [default: 200000]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_states: Option<u32>,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

impl ExploreOptions {
    /// Those that other commands have as well.
    pub fn run_options(&self) -> RunOptions {
        RunOptions {
            format: self.format,
            output: self.output.clone(),
            relative_to: self.relative_to.clone(),
            quiet: self.quiet,
            color: self.color,
            watch: false,
            settings: self.settings.clone(),
            jobs: self.jobs,
        }
    }
}

pub(super) fn run(options: &ExploreOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let run_options = options.run_options();
    check_formats(&run_options)?;
    show::check_output(&run_options, world)?;
    check_folder(options.write.as_deref(), world)?;
    let request = project_request(options, &run_options, world)?;
    let project = project::find(&request).map_err(|error| Failure::Message(error.0))?;
    let targets = Targets::new(&run_options, &Baselines::default(), &world.current);
    targets.check(|file| project.reads(file)).map_err(Failure::Message)?;
    let progress = Progress::new(world.stderr_is_terminal && !options.quiet, "states");
    let found = explore_all(&project, &request.boundary, options, world, &progress);
    progress.clear();
    let mut found = found.map_err(Failure::Message)?;
    targets.check(|file| found.reads(file)).map_err(Failure::Message)?;
    found.unreadable.splice(..0, project.unreadable);
    finish(found, options, world)
}

/// Explores the services of a project; `progress` counts the states of all.
fn explore_all(
    project: &Project,
    boundary: &Boundary,
    options: &ExploreOptions,
    world: &World<'_>,
    progress: &Progress,
) -> Result<ExploredProject, String> {
    let request = Request {
        project,
        program: &world.program,
        boundary,
        max_states: options.max_states.and_then(|states| usize::try_from(states).ok()),
        covers: if options.cover { Covers::Everything } else { Covers::Nothing },
        proves: false,
        embeds: None,
        overrides: &project.overrides(&world.unsaved),
        progress: &|states| progress.add(states),
    };
    let pool = pool(options.jobs.map(usize::from))?;
    explore_project(&request, &options.law, world.today, &pool)
}

fn project_request(
    options: &ExploreOptions,
    run_options: &RunOptions,
    world: &World<'_>,
) -> Result<project::Request, Failure> {
    if options.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::Message("`wflint explore` reads files, not standard input".to_owned()));
    }
    Ok(project::Request {
        current: names_from(options.relative_to.as_deref(), world)?,
        paths: paths_from(&options.paths, options.relative_to.as_deref(), world),
        config: config_source(run_options, world),
        boundary: boundary(&options.paths, run_options, world),
        unsaved: world.unsaved.clone(),
        ..project::Request::default()
    })
}

/// Writes the scenarios and the report.
fn finish(found: ExploredProject, options: &ExploreOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let ExploredProject { explored, sources, mut unreadable, errors, .. } = found;
    unreadable.extend(errors);
    for warning in &explored.warnings {
        print_error(world, &format!("warning: {}", placed(&warning.location, &warning.message, &sources)));
    }
    for law in explored.laws.iter().filter(|law| law.is_unmet()) {
        let Some(place) = &law.declared else { continue };
        let message = format!("no run meets `when` of law `{}`", truncate(&law.name, MAX_NAME));
        print_error(world, &format!("warning: {}", placed(place, &message, &sources)));
    }
    if explored.services.is_empty() && explored.unexplored.is_empty() && unreadable.is_empty() {
        return Err(Failure::Message(NOTHING.to_owned()));
    }
    let run_options = options.run_options();
    let outcome = Outcome { sources, unreadable, ..Outcome::default() };
    let exit = show_reports(&explored, &outcome, &run_options, world)?;
    // A search may have taken long: its report is shown even if a scenario cannot be written.
    let written = write(&explored, &outcome.sources, options, world)?;
    if let Some(line) = written.filter(|_| !options.quiet) {
        print_note(world, &line, "")?;
    }
    Ok(exit)
}

/// A warning with its place, in one line.
fn placed(place: &Location, message: &str, sources: &BTreeMap<FileId, SourceFile>) -> String {
    let Some(source) = sources.get(&place.file) else { return message.to_owned() };
    let start = source.position(place.span.start);
    format!("{}:{}:{}: {message}", source.name, start.line, start.column)
}

/// Fails when a report has a format that the command does not support.
fn check_formats(options: &RunOptions) -> Result<(), Failure> {
    options.formats().try_for_each(|format| show::run_format(format, COMMAND).map(drop))
}

/// Writes the reports, and to standard error why they are incomplete.
fn show_reports(
    explored: &Explored,
    outcome: &Outcome,
    options: &RunOptions,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    let style = show::style(options, world.stdout_shows, world);
    let shown = ExplorationReport { explored, report: Report { outcome, style } };
    let file_style = show::file_style(options, world);
    let in_file = ExplorationReport { explored, report: Report { outcome, style: file_style } };
    for (format, path) in options.further_reports() {
        show::write_report(format, path, &bytes(&in_file, format)?, world)?;
    }
    let report = bytes(&shown, options.format)?;
    match options.output_file() {
        Some(path) => {
            show::write_report(options.format, path, &report, world)?;
            if !options.quiet {
                print_line(world, &shown.summary_line(), "")?;
            }
        }
        None => {
            world.stdout.write_all(&report)?;
            world.stdout.flush()?;
        }
    }
    let mut problems = outcome.unreadable.clone();
    problems.extend(incomplete(explored, &outcome.sources, ", or use `--max-states N`"));
    for problem in &problems {
        print_error(world, problem);
    }
    Ok(match (problems.is_empty(), explored.laws.iter().any(ExploredLaw::is_broken)) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Findings,
        (true, false) => Exit::Clean,
    })
}

fn bytes(report: &ExplorationReport<'_>, format: Format) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    report.write(show::run_format(format, COMMAND)?, &mut bytes)?;
    Ok(bytes)
}

/// Writes the scenarios of `--write`. Returns a line to print about them.
fn write(
    explored: &Explored,
    sources: &BTreeMap<FileId, SourceFile>,
    options: &ExploreOptions,
    world: &World<'_>,
) -> Result<Option<String>, Failure> {
    let Some(folder) = &options.write else { return Ok(None) };
    let choice = ScenarioChoice {
        folder: &clean_path(folder, &world.current).0,
        current: &world.current,
        common: None,
        covers: options.cover,
        keeps_files: false,
        breaks_laws: !options.law.is_empty(),
    };
    let scenarios = explored_scenarios(explored, sources, choice);
    let reports = options.output.iter().map(|output| FileKey::of(&world.current.join(&output.path)));
    let target = ScenarioTarget { folder, reports: reports.collect(), allow_outside: options.settings.allow_outside };
    write_scenarios(&scenarios, sources, &target, world).map(Some)
}
