//! Changes of workflows that no scenario notices.

use std::io::{self, Write};

use serde::Serialize;

use super::failures::Failure;
use crate::diagnostic::{Diagnostic, Severity};
use crate::mutants::{Mutants, Survivor};
use crate::report::escape::wrap_guarded;
use crate::report::findings::{Report, Style};
use crate::report::human::draw_finding;
use crate::report::json::{JsonRange, range};
use crate::text::count;

/// Survivors that people are shown; more of them would hide the scenarios.
const MAX_SHOWN: usize = 100;

const NAME: &str = "surviving-mutant";

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

/// Each survivor that is not accepted, with the lines of the document.
pub(super) fn write_human(report: &Report<'_>, mutants: Option<&Mutants>, out: &mut dyn Write) -> io::Result<()> {
    let report = Report { style: Style { links: false, ..report.style }, ..*report };
    for survivor in mutants.into_iter().flat_map(Mutants::unaccepted).take(MAX_SHOWN) {
        let drawn = draw_finding(&report, &diagnostic(survivor)).map_err(io::Error::other)?;
        writeln!(out, "{drawn}")?;
    }
    let survived = mutants.map_or(0, Mutants::survived);
    if let Some(more) = survived.checked_sub(MAX_SHOWN).filter(|&more| more > 0) {
        let line = format!("… {} not shown", count(more, "more survivor"));
        writeln!(out, "{}\n", wrap_guarded(&line, report.style.width, "  "))?;
    }
    Ok(())
}

fn diagnostic(survivor: &Survivor) -> Diagnostic {
    Diagnostic {
        code: survivor.mutation.name(),
        name: NAME,
        severity: Severity::Warning,
        message: survivor.message.clone(),
        location: survivor.location.clone(),
        also: None,
        activity: survivor.activity.clone(),
        help: None,
        related: Vec::new(),
        flow: Vec::new(),
        fix: None,
        fingerprint: None,
    }
}

/// The survivors that are not accepted.
pub(super) fn failures<'r>(report: &Report<'r>, mutants: Option<&Mutants>) -> Vec<Failure<'r>> {
    let failure = |survivor: &Survivor| {
        let (start, end) = report.range(survivor.location.file, survivor.location.span);
        Failure {
            file: report.file_name(survivor.location.file),
            start,
            end,
            code: survivor.mutation.name(),
            severity: Severity::Warning,
            message: survivor.message.clone(),
        }
    };
    mutants.into_iter().flat_map(Mutants::unaccepted).map(failure).collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JsonMutants<'r> {
    total: usize,
    noticed: usize,
    noticed_by_lint: usize,
    accepted: usize,
    survived: usize,
    survivors: Vec<JsonSurvivor<'r>>,
}

#[derive(Serialize)]
struct JsonSurvivor<'r> {
    file: &'r str,
    pointer: &'r str,
    range: JsonRange,
    activity: Option<&'r str>,
    mutation: &'r str,
    message: &'r str,
    accepted: Option<&'r str>,
}

pub(super) fn json<'r>(report: &Report<'r>, mutants: &'r Mutants) -> JsonMutants<'r> {
    let survivor = |survivor: &'r Survivor| JsonSurvivor {
        file: report.file_name(survivor.location.file),
        pointer: &survivor.location.pointer,
        range: range(report, survivor.location.file, survivor.location.span),
        activity: survivor.activity.as_deref(),
        mutation: survivor.mutation.name(),
        message: &survivor.message,
        accepted: survivor.accepted.as_deref(),
    };
    JsonMutants {
        total: mutants.total(),
        noticed: mutants.noticed,
        noticed_by_lint: mutants.noticed_by_lint,
        accepted: mutants.accepted(),
        survived: mutants.survived(),
        survivors: mutants.survivors.iter().map(survivor).collect(),
    }
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
