//! The laws for terminals: which hold, and the runs that break the others.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::input::ExplorationReport;
use super::timeline;
use super::verdict::{Verdict, verdict};
use crate::explore::{BrokenLaw, ExploredLaw};
use crate::redaction::Masker;
use crate::report::escape::{visible, wrap_guarded};
use crate::report::palette::{BAD, BOLD, DIM, GOOD, Painter, WARNING};
use crate::text::{MAX_NAME, count, truncate};

/// Lines of a run that breaks a law.
const MAX_LINES: usize = 15;
/// Lines of its timeline at least, also where names need many lines.
const MIN_TIMELINE: usize = 4;
/// Runs that are shown for one law.
const MAX_RUNS: usize = 20;
/// Characters of a reason.
const MAX_REASON: usize = 240;
/// Columns of a verdict with the spaces around it.
const VERDICT_WIDTH: usize = 12;

/// One line for each law, with an empty line after them.
pub(super) fn list(exploration: &ExplorationReport<'_>) -> String {
    let style = exploration.report.style;
    let painter = Painter { color: style.color };
    let mut out = String::new();
    for law in &exploration.explored.laws {
        let verdict = verdict(law);
        let color = match verdict {
            Verdict::Holds => GOOD,
            Verdict::Broken => BAD,
            Verdict::Accepted | Verdict::Unknown => WARNING,
        };
        let space = VERDICT_WIDTH - 2 - verdict.word().len();
        let name = visible(&law.name).into_owned() + &note(law, verdict);
        let line = format!("  {}{:space$}{name}", painter.paint(color, verdict.word()), "");
        let _ = writeln!(out, "{}", wrap_guarded(&line, style.width, &" ".repeat(VERDICT_WIDTH)));
    }
    if out.is_empty() { out } else { out + "\n" }
}

fn note(law: &ExploredLaw, verdict: Verdict) -> String {
    match verdict {
        Verdict::Holds if !law.is_met => " (no run meets its `when`)".to_owned(),
        Verdict::Unknown if law.has_unknown_names => " (not checked: it has unknown names)".to_owned(),
        Verdict::Unknown => " (not decided: not everything was explored)".to_owned(),
        Verdict::Accepted => {
            let reasons = law.broken.iter().find_map(|broken| broken.accepted.as_deref()).unwrap_or_default();
            format!(" ({})", visible(&truncate(reasons, MAX_REASON)))
        }
        _ => String::new(),
    }
}

/// The runs that break laws, with an empty line after each.
pub(super) fn write_broken(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for law in &exploration.explored.laws {
        let (runs, places): (Vec<&BrokenLaw>, Vec<&BrokenLaw>) =
            law.broken().partition(|broken| broken.scenario.is_some() || !broken.timeline.is_empty());
        for broken in runs.iter().take(MAX_RUNS) {
            writeln!(out, "{}", run(exploration, law, broken))?;
        }
        for places in places.chunk_by(|a, b| a.workflow == b.workflow) {
            writeln!(out, "{}", without_run(exploration, law, places))?;
        }
        let more = runs.len().saturating_sub(MAX_RUNS) + law.unlisted.values().sum::<usize>();
        if more > 0 {
            let line = format!("… {} of {} not shown", count(more, "more run"), visible(&law.name));
            writeln!(out, "{}\n", wrap_guarded(&line, exploration.report.style.width, "  "))?;
        }
    }
    Ok(())
}

/// The place where a service breaks a law, if no run can show it, in at most [`MAX_LINES`] lines.
fn without_run(exploration: &ExplorationReport<'_>, law: &ExploredLaw, places: &[&BrokenLaw]) -> String {
    let width = exploration.report.style.width;
    let mut lines: Vec<String> = heading(exploration, law).lines().map(str::to_owned).collect();
    let mut shown = 0;
    for broken in places {
        let place = place(exploration, broken);
        if lines.len() + place.lines().count() >= MAX_LINES {
            break;
        }
        lines.extend(place.lines().map(str::to_owned));
        shown += 1;
    }
    let more = places.len() - shown;
    if more > 0 {
        lines.push(wrap_guarded(&format!("  … {} not shown", count(more, "more place")), width, "    "));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn heading(exploration: &ExplorationReport<'_>, law: &ExploredLaw) -> String {
    let style = exploration.report.style;
    let painter = Painter { color: style.color };
    let name = visible(&truncate(&law.name, MAX_NAME)).into_owned();
    wrap_guarded(&format!("{} {}", painter.paint(BAD, "broken:"), painter.paint(BOLD, &name)), style.width, "  ")
}

/// The place and the reason of a break: at most three lines, unless the name of the file is long.
fn place(exploration: &ExplorationReport<'_>, broken: &BrokenLaw) -> String {
    let (report, width) = (&exploration.report, exploration.report.style.width);
    let (start, _) = report.range(broken.location.file, broken.location.span);
    let file = visible(report.file_name(broken.location.file));
    let message = exploration.mask(broken.workflow, &broken.message);
    let message = truncate(&message, (3 * width).saturating_sub(60));
    wrap_guarded(&format!("  {file}:{}:{}: {}", start.line, start.column, visible(&message)), width, "    ")
}

/// A run that breaks a law, in at most [`MAX_LINES`] lines unless the names in it are very long.
fn run(exploration: &ExplorationReport<'_>, law: &ExploredLaw, broken: &BrokenLaw) -> String {
    let report = &exploration.report;
    let painter = Painter { color: report.style.color };
    let width = report.style.width;
    let before = format!("{}\n{}\n", heading(exploration, law), place(exploration, broken));
    let mut after = String::new();
    if broken.scenario.is_some() {
        for command in commands(report.file_name(broken.workflow), &law.name) {
            let command = wrap_guarded(&format!("  $ {}", visible(&command)), width, "      ");
            let _ = command.lines().try_for_each(|line| writeln!(after, "{}", painter.paint(DIM, line)));
        }
    }
    let used = before.lines().count() + after.lines().count();
    let none = Masker::default();
    let masker = exploration.service(broken.workflow).map_or(&none, |service| &service.masker);
    let lines =
        timeline::draw(&broken.timeline, masker, painter, width, MAX_LINES.saturating_sub(used).max(MIN_TIMELINE));
    let timeline: String = lines.iter().map(|line| format!("{line}\n")).collect();
    before + &timeline + &after
}

/// The commands that replay a run that breaks a law, for a POSIX shell.
fn commands(workflow: &str, law: &str) -> [String; 2] {
    // A folder keeps a name that begins with `-` from being an option.
    let folder = if workflow.starts_with('-') { "./" } else { "" };
    [
        format!("wflint explore {} --law {} --write DIR", shell_word(&format!("{folder}{workflow}")), shell_word(law)),
        "wflint --simulate DIR".to_owned(),
    ]
}

/// An argument of a POSIX shell: in single quotes unless it is plain.
fn shell_word(text: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:@%+,=".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted_for_a_shell() {
        assert_eq!(commands("sign/order.json", "ends")[0], "wflint explore sign/order.json --law ends --write DIR");
        assert_eq!(commands("-a b.json", "it's")[0], r"wflint explore './-a b.json' --law 'it'\''s' --write DIR");
    }
}
