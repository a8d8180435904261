//! The run that breaks a law, in a few lines: those far from the decisive choice are left out.

use std::collections::BTreeSet;

use crate::explore::TimelineLine;
use crate::redaction::Masker;
use crate::report::escape::{guard_lines, visible};
use crate::report::palette::{BOLD, DIM, Painter};
use crate::simulate::show_duration;
use crate::text::{columns, count, fit};

/// Most columns of the time, and of an activity's name in a wide terminal.
const MAX_TIME: usize = 12;
const MAX_NAME_WIDTH: usize = 28;

/// At most `max` lines (at least 2), none wider than the width.
pub(super) fn draw(
    timeline: &[TimelineLine],
    masker: &Masker,
    painter: Painter,
    width: usize,
    max: usize,
) -> Vec<String> {
    let drawing = Drawing::new(timeline, masker, painter, width);
    let mut lines = Vec::new();
    let mut before: Option<&TimelineLine> = None;
    let mut next = 0;
    for index in select(timeline, max) {
        if index > next {
            lines.push(drawing.dim(&format!("… {} …", count(index - next, "more step"))));
            before = None;
        }
        if let Some(line) = timeline.get(index) {
            lines.push(drawing.line(line, before));
            before = Some(line);
        }
        next = index + 1;
    }
    lines
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

struct Drawing<'t> {
    masker: &'t Masker,
    painter: Painter,
    width: usize,
    time_width: usize,
    name_width: usize,
}

impl<'t> Drawing<'t> {
    fn new(timeline: &[TimelineLine], masker: &'t Masker, painter: Painter, width: usize) -> Self {
        let longest_time = timeline.iter().map(|line| show_duration(line.at).len()).max().unwrap_or_default();
        let longest_name = timeline.iter().map(|line| columns(&visible(name(line)))).max().unwrap_or_default();
        Self {
            masker,
            painter,
            width,
            time_width: longest_time.min(MAX_TIME),
            name_width: longest_name.min(MAX_NAME_WIDTH).min(width / 3),
        }
    }

    /// A line, without what repeats the line before.
    fn line(&self, line: &TimelineLine, before: Option<&TimelineLine>) -> String {
        let has_same_time = before.is_some_and(|before| before.at == line.at);
        let has_same_name = has_same_time && before.is_some_and(|before| before.activity == line.activity);
        let time = show_duration(line.at);
        let time = if has_same_time { String::new() } else { fit(&time, self.time_width).into_owned() };
        let name = if has_same_name { "" } else { name(line) };
        let name = fit(&visible(name), self.name_width).into_owned();
        let text = visible(&self.masker.apply(&line.text)).into_owned();
        let mark = if line.is_deciding { ">" } else { " " };
        let room = self.width.saturating_sub(8 + self.time_width + self.name_width);
        let (time_space, name_space) = (self.time_width - columns(&time), self.name_width - columns(&name));
        let (text, time) = (fit(&text, room), self.painter.paint(DIM, &time));
        let text = if line.is_deciding { self.painter.paint(BOLD, &text) } else { text.into_owned() };
        let line = format!("  {mark} {time}{:time_space$}  {name}{:name_space$}  {text}", "", "");
        guard_lines(line.trim_end()).into_owned()
    }

    fn dim(&self, text: &str) -> String {
        let line = format!("    {:1$}  {text}", "", self.time_width);
        self.painter.paint(DIM, &fit(&line, self.width))
    }
}

fn name(line: &TimelineLine) -> &str {
    line.activity.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    fn line(at: i64, text: &str) -> TimelineLine {
        let at = SignedDuration::from_secs(at);
        TimelineLine { at, activity: Some("A".to_owned()), text: text.to_owned(), is_deciding: text == "decides" }
    }

    fn drawn(texts: &[&str], max: usize) -> Vec<String> {
        let timeline: Vec<TimelineLine> = (0..).zip(texts).map(|(at, text)| line(at, text)).collect();
        draw(&timeline, &Masker::default(), Painter { color: false }, 40, max)
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
