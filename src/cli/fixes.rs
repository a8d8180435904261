//! What `--diff` and `--fix` print in addition to the report.

use super::diffs::{self, ShownDiff};
use super::lint_options::LintOptions;
use super::request::refuse_cut;
use super::show;
use super::world::{Exit, Failure, World, print_error, print_note};
use crate::fix::Fixed;
use crate::lint::{Outcome, is_always_reported};
use crate::project::{Project, Request};
use crate::report::style::{BAD, BOLD, CODE, GOOD};
use crate::text::count;
use crate::text::diagnostic::Diagnostic;

/// The changes that `--diff` shows, in colors if standard output has them.
pub(super) fn diff_text(
    options: &LintOptions,
    project: &Project,
    fixed: &Fixed,
    world: &World<'_>,
) -> Result<String, Failure> {
    let is_in_file = options.run.output_file().is_some();
    let color = show::use_color(options.run.color, world.stdout_shows.color && !is_in_file);
    let text = |ShownDiff { note, text }: ShownDiff| {
        let note = note.map_or_else(String::new, |note| note + "\n");
        note + &if color { painted(&text) } else { text }
    };
    let shown = diffs::shown(project, &fixed.changes).map_err(Failure::Message)?;
    Ok(shown.into_iter().map(text).collect())
}

/// Prints the diff, unless `--output` has it. The exit code says whether there are changes.
pub(super) fn show_diff(
    options: &LintOptions,
    fixed: &Fixed,
    text: &str,
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    if options.run.output_file().is_none() {
        world.stdout.write_all(text.as_bytes())?;
    }
    if !options.run.quiet {
        let fixes = fixed.changes.iter().map(|change| change.fixes).sum();
        let line = match fixes {
            0 => "No fixes available.".to_owned(),
            _ => format!("Would fix {} in {}.", count(fixes, "problem"), count(fixed.changes.len(), "file")),
        };
        print_note(world, &line, "")?;
    }
    Ok(if fixed.changes.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// Reports the documents that cannot be linted, since the diff does not show them. Returns whether there are any.
pub(super) fn report_unlinted(outcome: &Outcome, world: &mut World<'_>) -> bool {
    let is_unlinted = |it: &&Diagnostic| is_always_reported(it.code);
    let mut has_some = false;
    for Diagnostic { code, message, location, .. } in outcome.diagnostics.iter().map(Box::as_ref).filter(is_unlinted) {
        let place = outcome.sources.get(&location.file).map_or_else(String::new, |source| {
            let start = source.position(location.span.start);
            format!("{}:{}:{}: ", source.name, start.line, start.column)
        });
        print_error(world, &format!("{place}{message} ({code})"));
        has_some = true;
    }
    has_some
}

/// Prints the text from standard input with its fixes, or unchanged.
pub(super) fn print_fixed(request: &Request, fixed: &Fixed, world: &mut World<'_>) -> Result<(), Failure> {
    request.buffers.iter().try_for_each(refuse_cut)?;
    let read = request.buffers.first().map(|text| text.bytes.as_ref());
    let text = fixed.changes.first().map_or(read.unwrap_or_default(), |change| change.after.as_bytes());
    world.stdout.write_all(text)?;
    world.stdout.flush()?;
    Ok(())
}

/// A diff of one file in colors, as git shows it.
fn painted(diff: &str) -> String {
    let paint = |(number, line): (usize, &str)| {
        let (body, end) = line.split_at(line.trim_end_matches(['\r', '\n']).len());
        let style = match line.as_bytes().first() {
            // The two lines with the name of the file.
            _ if number < 2 => BOLD,
            Some(b'-') => BAD,
            Some(b'+') => GOOD,
            Some(b'@') => CODE,
            _ => return line.to_owned(),
        };
        format!("{style}{body}{style:#}{end}")
    };
    diff.split_inclusive('\n').enumerate().map(paint).collect()
}
