//! The laws for terminals: which hold, and the runs that break the others.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::results::{ExplorationReport, Standing, standing};
use crate::explore::{BrokenLaw, ExploredLaw, TimelineLine};
use crate::redaction::Masker;
use crate::report::escape::{visible, wrap_guarded};
use crate::report::style::{BAD, BOLD, DIM, GOOD, PLAIN, Style, WARNING};
use crate::report::timeline::{MAX_TIME_WIDTH, Row, Timeline};
use crate::simulate::show_duration;
use crate::text::{MAX_NAME, columns, count, fit, truncate};

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
/// Most columns of an activity's name in a timeline, in a wide terminal.
const MAX_NAME_WIDTH: usize = 28;

/// One line for each law, with an empty line after them.
pub(super) fn list(exploration: &ExplorationReport<'_>) -> String {
    let style = exploration.report.style;
    let painter = style.painter();
    let mut out = String::new();
    for law in &exploration.explored.laws {
        let standing = standing(law);
        let color = match standing {
            Standing::Holds => GOOD,
            Standing::Broken => BAD,
            Standing::Accepted | Standing::Unknown => WARNING,
        };
        let space = VERDICT_WIDTH - 2 - standing.word().len();
        let name = visible(&law.name).into_owned() + &note(law, standing);
        let line = format!("  {}{:space$}{name}", painter.paint(color, standing.word()), "");
        let _ = writeln!(out, "{}", wrap_guarded(&line, style.width, &" ".repeat(VERDICT_WIDTH)));
    }
    if out.is_empty() { out } else { out + "\n" }
}

fn note(law: &ExploredLaw, standing: Standing) -> String {
    match standing {
        Standing::Holds if !law.is_met => " (no run meets its `when`)".to_owned(),
        Standing::Unknown if law.has_unknown_names => " (not checked: it has unknown names)".to_owned(),
        Standing::Unknown => " (not decided: not everything was explored)".to_owned(),
        Standing::Accepted => {
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
    let painter = style.painter();
    let name = visible(&truncate(&law.name, MAX_NAME)).into_owned();
    wrap_guarded(&format!("{} {}", painter.paint(BAD, "broken:"), painter.paint(BOLD, &name)), style.width, "  ")
}

/// The place and the reason of a break: at most three lines, unless the name of the file is long.
fn place(exploration: &ExplorationReport<'_>, broken: &BrokenLaw) -> String {
    let (report, width) = (&exploration.report, exploration.report.style.width);
    let place = report.place(&broken.location);
    let message = exploration.mask(broken.workflow, &broken.message);
    let message = truncate(&message, (3 * width).saturating_sub(60));
    wrap_guarded(&format!("  {}: {}", visible(&place), visible(&message)), width, "    ")
}

/// A run that breaks a law, in at most [`MAX_LINES`] lines unless the names in it are very long.
fn run(exploration: &ExplorationReport<'_>, law: &ExploredLaw, broken: &BrokenLaw) -> String {
    let report = &exploration.report;
    let before = format!("{}\n{}\n", heading(exploration, law), place(exploration, broken));
    let mut after = String::new();
    if broken.scenario.is_some() {
        for command in commands(report.file_name(broken.workflow), &law.name) {
            let command = wrap_guarded(&format!("  $ {}", visible(&command)), report.style.width, "      ");
            let painter = report.style.painter();
            let _ = command.lines().try_for_each(|line| writeln!(after, "{}", painter.paint(DIM, line)));
        }
    }
    let used = before.lines().count() + after.lines().count();
    let none = Masker::default();
    let masker = exploration.service(broken.workflow).map_or(&none, |service| &service.masker);
    let max = MAX_LINES.saturating_sub(used).max(MIN_TIMELINE);
    before + &timeline(&broken.timeline, masker, report.style, max) + &after
}

/// A run in at most `max` lines (at least 2), none wider than the width: those far from the decisive choice are left out.
fn timeline(lines: &[TimelineLine], masker: &Masker, style: Style, max: usize) -> String {
    let longest_time = lines.iter().map(|line| show_duration(line.at).len()).max().unwrap_or_default();
    let name = |line: &TimelineLine| masker.apply(line.activity.as_deref().unwrap_or_default()).into_owned();
    let longest_name = lines.iter().map(|line| columns(&visible(&name(line)))).max().unwrap_or_default();
    let widths = [2, longest_time.min(MAX_TIME_WIDTH), longest_name.min(MAX_NAME_WIDTH).min(style.width / 3)];
    let mut timeline = Timeline::new(style.painter(), style.width, widths);
    let mut out = String::new();
    let mut next = 0;
    for index in select(lines, max) {
        if index > next {
            timeline.push_gap(&format!("… {} …", count(index - next, "more step")), &mut out);
            timeline.time = None;
        }
        if let Some(line) = lines.get(index) {
            let (mark, text_style) = if line.is_deciding { ("> ", BOLD) } else { ("", PLAIN) };
            let text = visible(&masker.apply(&line.text)).into_owned();
            // One row is one line.
            let text = fit(&text, timeline.room());
            let row = Row { mark, time: &show_duration(line.at), name: &name(line), text: &text, style: text_style };
            timeline.push(&row, &mut out);
        }
        next = index + 1;
    }
    out
}

/// Selects the lines to show, at most `max` with those for omitted ones: the last line, the decisive ones, the first, and
/// then those before the end.
fn select(timeline: &[TimelineLine], max: usize) -> BTreeSet<usize> {
    let all = 0..timeline.len();
    let is_deciding = |index: &usize| timeline.get(*index).is_some_and(|line| line.is_deciding);
    let order = all.clone().rev().take(1).chain(all.clone().rev().filter(is_deciding));
    let order = order.chain(all.clone().take(1)).chain(all.rev());
    let mut shown = BTreeSet::new();
    let mut failures = 0;
    for index in order {
        if !shown.insert(index) {
            continue;
        }
        if height(&shown, timeline.len()) > max {
            shown.remove(&index);
            failures += 1;
            // A line between two shown ones replaces the line for the omission, so a few more are tried.
            if failures > 2 * max {
                break;
            }
        }
    }
    shown
}

/// Lines that are shown, with one for each gap.
fn height(shown: &BTreeSet<usize>, all: usize) -> usize {
    let mut next = 0;
    let mut lines = 0;
    for &index in shown {
        lines += 1 + usize::from(index > next);
        next = index + 1;
    }
    lines + usize::from(next < all)
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
    use jiff::SignedDuration;

    use super::*;

    #[test]
    fn commands_are_quoted_for_a_shell() {
        assert_eq!(commands("sign/order.json", "ends")[0], "wflint explore sign/order.json --law ends --write DIR");
        assert_eq!(commands("-a b.json", "it's")[0], r"wflint explore './-a b.json' --law 'it'\''s' --write DIR");
    }

    fn line(at: i64, text: &str) -> TimelineLine {
        let at = SignedDuration::from_secs(at);
        TimelineLine { at, activity: Some("A".to_owned()), text: text.to_owned(), is_deciding: text == "decides" }
    }

    fn drawn(texts: &[&str], max: usize) -> Vec<String> {
        let lines: Vec<TimelineLine> = (0..).zip(texts).map(|(at, text)| line(at, text)).collect();
        let style = Style { width: 40, ..Style::default() };
        timeline(&lines, &Masker::default(), style, max).lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_decides_and_the_end_are_kept() {
        let mut texts: Vec<String> = (0..40).map(|number| format!("x{number}")).collect();
        texts[20] = "decides".to_owned();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(
            drawn(&texts, 7),
            [
                "    0s   A  x0",
                "         … 19 more steps …",
                "  > 20s  A  decides",
                "         … 16 more steps …",
                "    37s  A  x37",
                "    38s  A  x38",
                "    39s  A  x39",
            ]
            .map(str::to_owned)
        );
        for max in 2..45 {
            let lines = drawn(&texts, max);
            assert!(lines.len() <= max, "{lines:#?}");
            assert!(lines.last().is_some_and(|last| last.ends_with("x39")), "{lines:#?}");
            assert!(max < 4 || lines.iter().any(|line| line.contains("decides")), "{lines:#?}");
        }
    }
}
