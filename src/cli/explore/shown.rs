//! Writes the reports of an exploration, and determines its exit code.

use crate::cli::options::RunOptions;
use crate::cli::show;
use crate::cli::world::{Exit, Failure, World, print_error, print_line};
use crate::diagnostic::FileId;
use crate::explore::{Explored, ExploredLaw};
use crate::lint::Outcome;
use crate::report::{ExplorationReport, Report};
use crate::write::Batch;

const COMMAND: &str = "wflint explore";

/// Fails when a report has a format that the command does not support.
pub(super) fn check_formats(options: &RunOptions) -> Result<(), Failure> {
    options.formats().try_for_each(|format| show::run_format(format, COMMAND).map(drop))
}

/// Writes the reports, and to standard error why they are incomplete.
pub(super) fn show(
    explored: &Explored,
    outcome: &Outcome,
    options: &RunOptions,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    let style = show::style(options, world.stdout_shows, world);
    let shown = ExplorationReport { explored, report: Report { outcome, style } };
    let file_style = show::file_style(options, world);
    let in_file = ExplorationReport { explored, report: Report { outcome, style: file_style } };
    let mut batch = Batch::default();
    for (format, path) in options.further_reports() {
        show::add_report(format, path, bytes(&in_file, format)?, &mut batch, world);
    }
    let report = bytes(&shown, options.format)?;
    if let Some(path) = options.output_file() {
        show::add_report(options.format, path, report.clone(), &mut batch, world);
    }
    batch.write().map_err(Failure::Message)?;
    match options.output_file() {
        Some(_) if options.quiet => {}
        Some(_) => print_line(world, &shown.summary_line(), "")?,
        None => {
            world.stdout.write_all(&report)?;
            world.stdout.flush()?;
        }
    }
    let problems = problems(explored, outcome);
    for problem in &problems {
        print_error(world, problem);
    }
    Ok(match (problems.is_empty(), explored.laws.iter().any(ExploredLaw::is_broken)) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Findings,
        (true, false) => Exit::Clean,
    })
}

fn bytes(report: &ExplorationReport<'_>, format: crate::report::Format) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    report.write(show::run_format(format, COMMAND)?, &mut bytes)?;
    Ok(bytes)
}

/// Why the results are not complete.
fn problems(explored: &Explored, outcome: &Outcome) -> Vec<String> {
    let name = |file: &FileId| outcome.sources.get(file).map_or("", |source| source.name.as_str());
    let mut problems = outcome.unreadable.clone();
    let unexplored = explored.unexplored.iter();
    problems.extend(unexplored.map(|(file, reason)| format!("cannot explore {}: {reason}", name(file))));
    for (service, cut) in explored.services.iter().filter_map(|service| Some((service, service.cut?))) {
        let (file, reason) = (name(&service.workflow), cut.reason(service.states));
        let help = cut.help().map(|help| format!("; {help}, or use `--max-states N`")).unwrap_or_default();
        problems.push(format!("{file} was not explored completely: {reason}{help}"));
    }
    problems
}
