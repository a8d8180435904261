//! Delivers reports: to standard output, or to a file with a summary line for the terminal, and to the files of
//! additional reports.

use std::io::Write;
use std::path::Path;

use rayon::ThreadPool;

use super::options::{Color, CoverageOptions, LintOptions, RunOptions};
use super::statistics::statistics;
use super::world::{Failure, Shows, World};
use crate::lint::Outcome;
use crate::read::FileKey;
use crate::report::{Format, Report, RunFormat, Style};
use crate::text::wrap;
use crate::write::{Batch, can_write, write_whole};

/// Fails when a file of `--output` is given twice or cannot be written, before anything is done.
pub(super) fn check_output(options: &RunOptions, world: &World<'_>) -> Result<(), Failure> {
    check_outputs(options, &CoverageOptions::default(), world)
}

/// As [`check_output`], with the files of `--coverage-output`.
pub(super) fn check_outputs(
    options: &RunOptions,
    coverage: &CoverageOptions,
    world: &World<'_>,
) -> Result<(), Failure> {
    if options.output.iter().filter(|output| output.format.is_none()).count() > 1 {
        let message = "`--output FILE` can be given once; further reports need a format: `--output FORMAT:FILE`";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut keys: Vec<FileKey> = Vec::new();
    let reports = options.output.iter().map(|output| ("--output", &output.path));
    let coverage = coverage.coverage_output.iter().map(|output| ("--coverage-output", &output.path));
    for (option, file) in reports.chain(coverage) {
        let (path, name) = (world.current.join(file), file.display());
        if keys.iter().any(|key| key.is_of(&path)) {
            return Err(Failure::Message(format!("`{option}` names {name} twice")));
        }
        can_write(&path).map_err(|error| Failure::Message(format!("cannot write {name}: {error}")))?;
        keys.push(FileKey::of(&path));
    }
    Ok(())
}

/// Adds the reports of a lint that go to files.
pub(super) fn add_reports(
    run: &RunOptions,
    outcome: &Outcome,
    batch: &mut Batch,
    world: &World<'_>,
) -> Result<(), Failure> {
    add_further_reports(run, outcome, batch, world)?;
    if let Some(path) = run.output_file() {
        let mut bytes = Vec::new();
        Report { outcome, style: style(run, Shows::default(), world) }.write(run.format, &mut bytes)?;
        add_report(run.format, path, bytes, batch, world);
    }
    Ok(())
}

/// Shows a lint on standard output, its summary alone if the report goes to a file. Many findings are drawn on the pool.
pub(super) fn show(
    options: &LintOptions,
    outcome: &Outcome,
    pool: &ThreadPool,
    world: &mut World<'_>,
) -> Result<(), Failure> {
    show_on(options, outcome, pool, world.stdout_shows, world, |world| &mut *world.stdout)
}

/// As [`show`], on standard error, because standard output has another use.
pub(super) fn show_on_stderr(
    options: &LintOptions,
    outcome: &Outcome,
    pool: &ThreadPool,
    world: &mut World<'_>,
) -> Result<(), Failure> {
    show_on(options, outcome, pool, Shows::default(), world, |world| &mut *world.stderr)
}

fn show_on(
    options: &LintOptions,
    outcome: &Outcome,
    pool: &ThreadPool,
    shows: Shows,
    world: &mut World<'_>,
    stream: impl for<'a> Fn(&'a mut World<'_>) -> &'a mut dyn Write,
) -> Result<(), Failure> {
    let run = &options.run;
    let report = Report { outcome, style: style(run, shows, world) };
    let is_for_people = matches!(run.format, Format::Human | Format::Concise);
    let statistics = options.statistics.then(|| statistics(outcome, world.widths.stdout));
    if run.output_file().is_some() {
        let width = world.widths.stdout;
        let stream = stream(world);
        if let Some(statistics) = &statistics {
            stream.write_all(statistics.as_bytes())?;
        }
        if !run.quiet {
            for line in report.fixed_line().into_iter().chain([report.summary_line()]) {
                writeln!(stream, "{}", wrap(&line, width, ""))?;
            }
        }
        return Ok(());
    }
    let mut out = std::io::BufWriter::new(stream(world));
    match &statistics {
        Some(statistics) if is_for_people => out.write_all(statistics.as_bytes())?,
        _ if run.format == Format::Human => report.draw_on(pool, &mut out)?,
        _ => report.write(run.format, &mut out)?,
    }
    out.flush()?;
    drop(out);
    if let Some(statistics) = statistics.filter(|_| !is_for_people) {
        world.stderr.write_all(statistics.as_bytes())?;
    }
    Ok(())
}

/// Adds the reports of `--output FORMAT:FILE`.
pub(super) fn add_further_reports(
    run: &RunOptions,
    outcome: &Outcome,
    batch: &mut Batch,
    world: &World<'_>,
) -> Result<(), Failure> {
    for (format, path) in run.further_reports() {
        let mut bytes = Vec::new();
        Report { outcome, style: file_style(run, world) }.write(format, &mut bytes)?;
        add_report(format, path, bytes, batch, world);
    }
    Ok(())
}

/// Adds a report. One in the summary file of GitHub Actions is appended, because other commands of the step may have
/// written there.
pub(super) fn add_report(format: Format, path: &Path, bytes: Vec<u8>, batch: &mut Batch, world: &World<'_>) {
    let target = world.current.join(path);
    let is_summary = world.step_summary.as_ref().is_some_and(|summary| FileKey::of(summary).is_of(&target));
    if format == Format::Markdown && is_summary {
        batch.append(target, path.display().to_string(), bytes);
    } else {
        add_file(path, bytes, batch, world);
    }
}

/// Adds a file of the command line.
pub(super) fn add_file(path: &Path, bytes: Vec<u8>, batch: &mut Batch, world: &World<'_>) {
    batch.replace(world.current.join(path), path.display().to_string(), bytes);
}

/// The format for a command that runs workflows.
pub(super) fn run_format(format: Format, command: &str) -> Result<RunFormat, Failure> {
    format.of_runs().ok_or_else(|| {
        Failure::Message(format!(
            "`{command}` supports the formats `human`, `concise`, `json`, `github`, `junit` and `markdown`"
        ))
    })
}

/// Whether the format is `json`, for an option that supports only `human` and `json`.
pub(super) fn human_or_json(options: &RunOptions, option: &str) -> Result<bool, Failure> {
    if options.further_reports().next().is_some() {
        return Err(Failure::Message(format!("`{option}` writes no report: use `--output FILE`")));
    }
    match options.format {
        Format::Human => Ok(false),
        Format::Json => Ok(true),
        _ => Err(Failure::Message(format!("`{option}` supports the formats `human` and `json`"))),
    }
}

/// Writes a string to standard output, or to the file of `--output`.
pub(super) fn write_text(options: &RunOptions, text: &[u8], world: &mut World<'_>) -> Result<(), Failure> {
    match options.output_file() {
        Some(path) => write_file(path, text, world),
        None => Ok(world.stdout.write_all(text)?),
    }
}

/// The columns of output for people, on standard output, or in the file of `--output`.
pub(super) fn width(options: &RunOptions, world: &World<'_>) -> usize {
    if options.output_file().is_some() { world.widths.file } else { world.widths.stdout }
}

/// Writes the file of `--output`, completely or not at all.
pub(super) fn write_file(path: &Path, bytes: &[u8], world: &World<'_>) -> Result<(), Failure> {
    let done = write_whole(&world.current.join(path), bytes);
    done.map_err(|error| Failure::Message(format!("cannot write {}: {error}", path.display())))
}

/// The style of a report on a stream, or in the file of `--output`.
pub(super) fn style(options: &RunOptions, shows: Shows, world: &World<'_>) -> Style {
    let shows = if options.output_file().is_some() { Shows::default() } else { shows };
    let color = use_color(options.color, shows.color);
    Style { color, links: shows.links, width: width(options, world), quiet: options.quiet }
}

/// The style of a report in a file.
pub(super) fn file_style(options: &RunOptions, world: &World<'_>) -> Style {
    Style { color: use_color(options.color, false), links: false, width: world.widths.file, quiet: options.quiet }
}

pub(super) const fn use_color(color: Color, is_terminal: bool) -> bool {
    match color {
        Color::Auto => is_terminal,
        Color::Always => true,
        Color::Never => false,
    }
}
