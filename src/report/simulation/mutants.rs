//! Changes of workflows that no scenario notices.

use std::io::{self, Write};

use serde::Serialize;

use crate::mutants::{Mutants, NOT_NOTICED, Survivor};
use crate::report::escape::{visible, wrap_guarded};
use crate::report::object::{Array, object};
use crate::report::results::Report;
use crate::report::style::BOLD;
use crate::text::count;
use crate::text::diagnostic::{Diagnostic, Severity};

/// Survivors that people are shown; more of them would hide the scenarios.
const MAX_SHOWN: usize = 100;

/// The results in one line, without its end; `None` if no change was tried, because a scenario failed.
pub fn mutants_summary_line(mutants: Option<&Mutants>) -> String {
    let Some(mutants) = mutants else {
        return "No changes of workflows were tried: all scenarios have to pass.".to_owned();
    };
    let (total, noticed) = (mutants.total(), mutants.noticed);
    if total == 0 {
        return "No changes of workflows to try.".to_owned();
    }
    let mut line = format!("{noticed} of {} noticed ({}", count(total, "change"), percentage(noticed, total));
    if mutants.noticed_by_lint > 0 {
        line = format!("{line}, {} by lint alone", mutants.noticed_by_lint);
    }
    line.push(')');
    if mutants.accepted() > 0 {
        line = format!("{line}, {} accepted", mutants.accepted());
    }
    match mutants.survived() {
        0 => format!("{line}."),
        survived => format!("{line}, {survived} survived."),
    }
}

/// With one decimal, rounded down, so that only all of them are 100%.
fn percentage(part: usize, whole: usize) -> String {
    let tenths = (part as u128 * 1000).checked_div(whole as u128).unwrap_or_default();
    match tenths % 10 {
        0 => format!("{}%", tenths / 10),
        rest => format!("{}.{rest}%", tenths / 10),
    }
}

/// The survivors that are not accepted.
pub(super) fn survivors(mutants: &Mutants) -> impl Iterator<Item = Diagnostic> {
    mutants.unaccepted().map(|Survivor { mutation, message, location, activity, .. }| Diagnostic {
        activity: activity.clone(),
        ..Diagnostic::new(mutation.name(), "surviving-mutant", Severity::Warning, message.clone(), location.clone())
    })
}

/// Each survivor that is not accepted in a line, below its file.
pub(super) fn write_human(report: &Report<'_>, mutants: &Mutants, out: &mut dyn Write) -> io::Result<()> {
    let (width, painter) = (report.style.width, report.style.painter());
    let shown: Vec<&Survivor> = mutants.unaccepted().take(MAX_SHOWN).collect();
    for of_file in shown.chunk_by(|a, b| a.location.file == b.location.file) {
        let Some(first) = of_file.first() else { continue };
        let file = painter.paint(BOLD, &visible(report.file_name(first.location.file)));
        writeln!(out, "{}", wrap_guarded(&format!("{file}: no scenario notices that"), width, "  "))?;
        let places = of_file.iter().map(|survivor| report.range(survivor.location.file, survivor.location.span).0);
        let places: Vec<String> = places.map(|at| format!("{}:{}", at.line, at.column)).collect();
        let (place, name) =
            (widest(places.iter().map(String::as_str)), widest(of_file.iter().map(|it| it.mutation.name())));
        for (survivor, at) in of_file.iter().zip(&places) {
            let clause = survivor.message.strip_prefix(NOT_NOTICED).unwrap_or(&survivor.message);
            let mutation = survivor.mutation.name();
            let line = format!("  {at:place$}  {mutation:name$}  {}", visible(clause));
            writeln!(out, "{}", wrap_guarded(&line, width, "    "))?;
        }
        writeln!(out)?;
    }
    if let Some(more) = mutants.survived().checked_sub(MAX_SHOWN).filter(|&more| more > 0) {
        let line = format!("… {} not shown", count(more, "more survivor"));
        writeln!(out, "{}\n", wrap_guarded(&line, width, "  "))?;
    }
    Ok(())
}

fn widest<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    texts.map(str::len).max().unwrap_or_default()
}

pub(super) fn json<'r>(report: &Report<'r>, mutants: &'r Mutants) -> impl Serialize + use<'r> {
    let report = *report;
    let survivor = move |survivor: &'r Survivor| {
        object()
            .with_place(&report, &survivor.location)
            .with("activity", survivor.activity.as_deref())
            .with("mutation", survivor.mutation.name())
            .with("message", &*survivor.message)
            .with("accepted", survivor.accepted.as_deref())
    };
    object()
        .with("total", mutants.total())
        .with("noticed", mutants.noticed)
        .with("noticedByLint", mutants.noticed_by_lint)
        .with("accepted", mutants.accepted())
        .with("survived", mutants.survived())
        .with("survivors", Array(move || mutants.survivors.iter().map(survivor)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_are_a_hundred_percent() {
        let of = |part| percentage(part, 2_000);
        assert_eq!([of(0), of(1), of(1850), of(1999), of(2000)], ["0%", "0%", "92.5%", "99.9%", "100%"]);
    }
}
