//! The run that breaks a law, in a few lines: repeats are counted, and lines far from the decisive choice are left out.

use std::collections::BTreeSet;

use crate::explore::TimelineLine;
use crate::redaction::Masker;
use crate::report::escape::{guard_lines, visible};
use crate::report::palette::{BOLD, DIM, Painter};
use crate::simulate::show_duration;
use crate::text::{columns, count, fit};

/// Most lines of a round that is recognized when it repeats.
const MAX_ROUND: usize = 12;
/// Most columns of the time, and of an activity's name in a wide terminal.
const MAX_TIME: usize = 12;
const MAX_NAME_WIDTH: usize = 28;

/// A part of the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'t> {
    Line(&'t TimelineLine),
    /// The lines before it repeat.
    Repeats {
        lines: usize,
        times: usize,
    },
}

/// At most `max` lines (at least 2), none wider than the width.
pub(super) fn draw(
    timeline: &[TimelineLine],
    masker: &Masker,
    painter: Painter,
    width: usize,
    max: usize,
) -> Vec<String> {
    let parts = collapse(timeline);
    let drawing = Drawing::new(&parts, masker, painter, width);
    let mut lines = Vec::new();
    let mut before: Option<&TimelineLine> = None;
    let mut next = 0;
    for index in select(&parts, max) {
        if index > next {
            lines.push(drawing.dim(&format!("… {} …", count(index - next, "more step"))));
            before = None;
        }
        match parts.get(index) {
            Some(Part::Line(line)) => {
                lines.push(drawing.line(line, before));
                before = Some(*line);
            }
            Some(Part::Repeats { lines: 1, times }) => {
                lines.push(drawing.dim(&format!("… {} …", count(*times, "more time"))));
                before = None;
            }
            Some(Part::Repeats { lines: number, times }) => {
                let what = count(*number, "step");
                lines.push(drawing.dim(&format!("… {what}, {} …", count(*times, "more time"))));
                before = None;
            }
            None => {}
        }
        next = index + 1;
    }
    lines
}

/// The timeline with repeats of up to [`MAX_ROUND`] lines counted, where that makes it shorter. A choice that decides
/// is never part of a repeat.
fn collapse(timeline: &[TimelineLine]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = timeline;
    while let Some((first, after)) = rest.split_first() {
        let rounds = (1..=MAX_ROUND).map(|length| (length, repeats(rest, length)));
        let found = rounds.into_iter().find(|(length, times)| length * times >= 2);
        match found {
            Some((length, times)) => {
                parts.extend(rest.iter().take(length).map(Part::Line));
                parts.push(Part::Repeats { lines: length, times });
                rest = rest.get(length * (times + 1)..).unwrap_or_default();
            }
            None => {
                parts.push(Part::Line(first));
                rest = after;
            }
        }
    }
    parts
}

/// The number of repetitions of the first lines.
fn repeats(timeline: &[TimelineLine], length: usize) -> usize {
    let mut rounds = timeline.chunks_exact(length);
    let Some(first) = rounds.next().filter(|first| first.iter().all(|line| !line.is_deciding)) else { return 0 };
    let is_same = |round: &&[TimelineLine]| {
        let pairs = first.iter().zip(*round);
        pairs.into_iter().all(|(a, b)| a.activity == b.activity && a.text == b.text && !b.is_deciding)
    };
    rounds.take_while(is_same).count()
}

/// Selects the parts to show, in at most `max` lines with those for omitted parts: the last part, the decisive ones,
/// the first, and then those before the end.
fn select(parts: &[Part<'_>], max: usize) -> BTreeSet<usize> {
    let all = 0..parts.len();
    let is_deciding = |index: &usize| matches!(parts.get(*index), Some(Part::Line(line)) if line.is_deciding);
    let order = all.clone().rev().take(1).chain(all.clone().rev().filter(is_deciding));
    let order = order.chain(all.clone().take(1)).chain(all.rev());
    let mut shown = BTreeSet::new();
    let mut failures = 0;
    for index in order {
        if !shown.insert(index) {
            continue;
        }
        if height(&shown, parts.len()) > max {
            shown.remove(&index);
            failures += 1;
            // A part between two shown ones replaces the line for the omission, so a few more are tried.
            if failures > 2 * max {
                break;
            }
        }
    }
    shown
}

/// Lines that the parts take, with one for each gap.
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
    fn new(parts: &[Part<'_>], masker: &'t Masker, painter: Painter, width: usize) -> Self {
        let lines = || {
            parts.iter().filter_map(|part| match part {
                Part::Line(line) => Some(*line),
                Part::Repeats { .. } => None,
            })
        };
        let longest_time = lines().map(|line| show_duration(line.at).len()).max().unwrap_or_default();
        let longest_name = lines().map(|line| columns(&visible(name(line)))).max().unwrap_or_default();
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
    fn repeats_are_counted() {
        assert_eq!(
            drawn(&["a", "b", "c", "b", "c", "b", "c", "d", "d"], 15),
            [
                "    0s  A  a",
                "    1s  A  b",
                "    2s  A  c",
                "        … 2 steps, 2 more times …",
                "    7s  A  d",
                "    8s  A  d",
            ]
        );
        assert_eq!(drawn(&["d", "d", "d"], 15), ["    0s  A  d", "        … 2 more times …"]);
        assert_eq!(drawn(&["decides", "decides", "decides"], 15).len(), 3);
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
