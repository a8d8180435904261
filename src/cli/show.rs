//! Delivers reports: to standard output, or to a file with a summary line for the terminal, and to the files of
//! additional reports.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use rayon::ThreadPool;

use super::lint_options::LintOptions;
use super::options::{Color, CoverageOptions, RunOptions};
use super::world::{Failure, Shows, World, unwritable};
use crate::files::read::FileKey;
use crate::files::write::{append, can_write, replace};
use crate::lint::Outcome;
use crate::report::{Format, Report, RunFormat, Style};
use crate::text::diagnostic::{Applicability, Diagnostic};
use crate::text::wrap;

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
        can_write(&path).map_err(|error| unwritable(&name, &error))?;
        keys.push(FileKey::of(&path));
    }
    Ok(())
}

/// Writes the reports of a lint that go to files.
pub(super) fn write_reports(run: &RunOptions, outcome: &Outcome, world: &World<'_>) -> Result<(), Failure> {
    write_further_reports(run, outcome, world)?;
    let Some(path) = run.output_file() else { return Ok(()) };
    let mut bytes = Vec::new();
    Report { outcome, style: style(run, Shows::default(), world) }.write(run.format, &mut bytes)?;
    write_report(run.format, path, &bytes, world)
}

/// Shows a lint on standard output, its summary alone if the report goes to a file; on standard error if standard output
/// has another use. Many findings are drawn on the pool.
pub(super) fn show(
    options: &LintOptions,
    outcome: &Outcome,
    pool: &ThreadPool,
    on_stderr: bool,
    world: &mut World<'_>,
) -> Result<(), Failure> {
    let shows = if on_stderr { Shows::default() } else { world.stdout_shows };
    let run = &options.run;
    let report = Report { outcome, style: style(run, shows, world) };
    let is_for_people = matches!(run.format, Format::Human | Format::Concise);
    let statistics = options.statistics.then(|| statistics(outcome, world.widths.stdout));
    if run.output_file().is_some() {
        let width = world.widths.stdout;
        let stream = if on_stderr { &mut *world.stderr } else { &mut *world.stdout };
        if let Some(statistics) = &statistics {
            stream.write_all(statistics.as_bytes())?;
        }
        if !run.quiet {
            for line in report.fixed_line().into_iter().chain([report.summary_line()]).chain(report.loudest_line()) {
                writeln!(stream, "{}", wrap(&line, width, ""))?;
            }
        }
        return Ok(());
    }
    let mut out = std::io::BufWriter::new(if on_stderr { &mut *world.stderr } else { &mut *world.stdout });
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

/// Writes the reports of `--output FORMAT:FILE`.
pub(super) fn write_further_reports(run: &RunOptions, outcome: &Outcome, world: &World<'_>) -> Result<(), Failure> {
    for (format, path) in run.further_reports() {
        let mut bytes = Vec::new();
        Report { outcome, style: file_style(run, world) }.write(format, &mut bytes)?;
        write_report(format, path, &bytes, world)?;
    }
    Ok(())
}

/// Writes a report to a file. One in the summary file of GitHub Actions is appended, because other commands of the step
/// may have written there.
pub(super) fn write_report(format: Format, path: &Path, bytes: &[u8], world: &World<'_>) -> Result<(), Failure> {
    let target = world.current.join(path);
    let is_summary = world.step_summary.as_ref().is_some_and(|summary| FileKey::of(summary).is_of(&target));
    if format == Format::Markdown && is_summary {
        return append(&target, bytes).map_err(|error| unwritable(&path.display(), &error));
    }
    write_file(path, bytes, world)
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
    replace(&world.current.join(path), bytes).map_err(|error| unwritable(&path.display(), &error))
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

/// Indents continuation lines to the column of the fix marks.
const INDENT: &str = "               ";

#[derive(Default)]
struct Counted {
    findings: usize,
    /// Whether any finding has a safe fix, or an unsafe one.
    has_safe: bool,
    has_unsafe: bool,
}

impl Counted {
    fn add(&mut self, diagnostic: &Diagnostic) {
        self.findings += 1;
        match diagnostic.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => self.has_safe = true,
            Some(Applicability::Unsafe) => self.has_unsafe = true,
            None => {}
        }
    }

    fn mark(&self) -> &'static str {
        match (self.has_safe, self.has_unsafe) {
            (true, _) => "[*]",
            (false, true) => "[-]",
            (false, false) => "[ ]",
        }
    }
}

/// A line for each rule with findings: their number, the code, a mark of fixes, and the name; the most frequent first.
fn statistics(outcome: &Outcome, width: usize) -> String {
    let mut rules: BTreeMap<(&str, &str), Counted> = BTreeMap::new();
    for diagnostic in &outcome.diagnostics {
        rules.entry((diagnostic.code, diagnostic.name)).or_default().add(diagnostic);
    }
    for omitted in &outcome.omitted {
        rules.entry((omitted.code, omitted.name)).or_default().findings += omitted.count;
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by_key(|(rule, counted)| (Reverse(counted.findings), *rule));
    let has_fixes = rules.iter().any(|(_, counted)| counted.has_safe || counted.has_unsafe);
    let line = |((code, name), counted): &((&str, &str), Counted)| {
        let mark = if has_fixes { format!("{} ", counted.mark()) } else { String::new() };
        format!("{:>6}  {code}  {mark}{name}", counted.findings)
    };
    let mut text: String = rules.iter().map(|rule| wrap(&line(rule), width, INDENT) + "\n").collect();
    let with = |mark: &str| rules.iter().any(|(_, counted)| counted.mark() == mark);
    let legend = [("[*]", "`--fix`"), ("[-]", "`--fix --unsafe-fixes`")].into_iter().filter(|(mark, _)| with(mark));
    let legend: Vec<String> = legend.map(|(mark, option)| format!("{mark} fixable with {option}")).collect();
    if !legend.is_empty() {
        text += &wrap(&legend.join(", "), width, "");
        text.push('\n');
    }
    text
}
