//! The timeline of a run: what happened, and when. Rounds of a loop that are like the one before are
//! counted, not shown, and so are equal warnings.

use std::fmt::Write as _;

use super::run_text::RunText;
use crate::common::collections::HashSet;
use crate::report::escape::visible;
use crate::report::style::{BOLD, DIM, PLAIN, Painter, WARNING};
use crate::report::timeline::{Row, Timeline};
use crate::simulate::{Event, Instant, Repeat, TraceEntry, Warnings, show_duration};
use crate::text::columns;

/// Most columns of an activity's name, in a wide terminal.
const MAX_NAME_WIDTH: usize = 32;
/// Columns of the time, without and with the spaces around it.
const TIME_WIDTH: usize = 8;
const WHOLE_TIME_WIDTH: usize = TIME_WIDTH + 4;

struct RunTimeline<'t, 'r> {
    text: &'t RunText<'r>,
    rows: Timeline,
    /// The day of the last row, which is not repeated.
    day: String,
    warnings: Warnings<'t>,
}

pub(super) fn write(text: &RunText<'_>, painter: Painter, width: usize, out: &mut String) {
    let record = &text.run.ended.record;
    let rows = Timeline::new(painter, width, [0, TIME_WIDTH, name_width(text, &record.entries, width)]);
    let mut timeline = RunTimeline { text, rows, day: String::new(), warnings: Warnings::of(record) };
    let mut repeats = record.repeats.iter().peekable();
    for (index, entry) in (1..).zip(&record.entries) {
        timeline.show(entry, out);
        if let Some(repeat) = repeats.next_if(|repeat| repeat.entries.end == index) {
            timeline.show_repeat(repeat, out);
        }
    }
}

impl<'t, 'r> RunTimeline<'t, 'r> {
    /// Shows how many rounds of a loop are like the one before.
    fn show_repeat(&mut self, repeat: &Repeat, out: &mut String) {
        let line = format!("… {} …", self.text.repeat(repeat));
        self.rows.push_gap(&line, out);
    }

    fn show(&mut self, entry: &'t TraceEntry<'r>, out: &mut String) {
        // A warning that was shown is shown no more, and what goes without saying is not shown.
        let Some(number) = self.warnings.take(entry) else { return };
        let Some(text) = self.text.brief(entry, number) else { return };
        let (day, time) = self.moment(entry.at);
        if day != self.day {
            let _ = writeln!(out, "  {}", self.rows.painter.paint(DIM, &day));
            self.day = day;
            self.rows.time = None;
        }
        let name = name_of(self.text, entry);
        let style = match &entry.event {
            Event::Unset(_) | Event::Warned(_) | Event::Lost(_) => WARNING,
            Event::Published(_) => BOLD,
            _ => PLAIN,
        };
        self.rows.push(&Row { mark: "", time: &time, name: &name, text: &text, style }, out);
    }

    /// The day and the time of day, in the offset of the start.
    fn moment(&self, at: Instant) -> (String, String) {
        let scenario = self.text.run.plan.scenario;
        match at.timestamp(scenario.start) {
            Some(timestamp) => {
                let zoned = timestamp.to_zoned(scenario.offset.to_time_zone());
                let day = if scenario.offset.is_zero() { "%a %Y-%m-%d (UTC)" } else { "%a %Y-%m-%d (UTC%:z)" };
                (zoned.strftime(day).to_string(), zoned.strftime("%H:%M:%S").to_string())
            }
            // Beyond the year 9999.
            None => (String::new(), format!("+{}", show_duration(at.since_start()))),
        }
    }
}

/// The name of an entry's activity, or the moment if it happened outside of one.
fn name_of(text: &RunText<'_>, entry: &TraceEntry<'_>) -> String {
    match (&entry.event, text.activity(entry)) {
        (_, Some(name)) => name.into_owned(),
        (Event::Filled(..), None) => "(start)".to_owned(),
        (_, None) => "(meanwhile)".to_owned(),
    }
}

/// The columns of the longest name. In a narrow terminal a name has two fifths of what the time leaves.
fn name_width(text: &RunText<'_>, entries: &[TraceEntry<'_>], width: usize) -> usize {
    let mut seen = HashSet::default();
    let different =
        entries.iter().filter(|entry| seen.insert((entry.activity, matches!(entry.event, Event::Filled(..)))));
    let longest = different.map(|entry| columns(&visible(&name_of(text, entry)))).max();
    longest.unwrap_or_default().min(MAX_NAME_WIDTH).min((width - WHOLE_TIME_WIDTH) * 2 / 5)
}
