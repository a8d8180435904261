//! The timeline of a run: what happened, and when. Rounds of a loop that are like the one before are
//! counted, not shown, and so are equal warnings.

use std::fmt::Write as _;

use anstyle::Style;

use super::run_text::RunText;
use crate::common::collections::{HashMap, HashSet};
use crate::model::{ActivityId, ActivityKind};
use crate::report::escape::visible;
use crate::report::style::{BOLD, DIM, PLAIN, Painter, WARNING};
use crate::report::timeline::{Row, Timeline};
use crate::simulate::{Event, Instant, Record, Repeat, TraceEntry, show_duration, times};
use crate::text::diagnostic::quote;
use crate::text::{columns, count};

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
    /// How often each warning occurs that was not shown yet.
    warnings: HashMap<Warning<'t>, u64>,
}

pub(super) fn write(text: &RunText<'_>, painter: Painter, width: usize, out: &mut String) {
    let record = &text.run.ended.record;
    let rows = Timeline::new(painter, width, [0, TIME_WIDTH, name_width(text, &record.entries, width)]);
    let mut timeline = RunTimeline { text, rows, day: String::new(), warnings: warnings(record) };
    let mut repeats = record.repeats.iter().peekable();
    for (index, entry) in (1..).zip(&record.entries) {
        timeline.show(entry, out);
        if let Some(repeat) = repeats.next_if(|repeat| repeat.entries.end == index) {
            timeline.show_repeat(repeat, out);
        }
    }
}

/// The activity and the words of a warning.
type Warning<'t> = (Option<ActivityId>, &'t str);

fn warning<'t>(entry: &'t TraceEntry<'_>) -> Option<Warning<'t>> {
    match &entry.event {
        Event::Lost(words) | Event::Warned(words) => Some((entry.activity, words)),
        _ => None,
    }
}

/// How often each warning occurs.
fn warnings<'t>(record: &'t Record<'_>) -> HashMap<Warning<'t>, u64> {
    let mut warnings = HashMap::default();
    let repeated = record.repeats.iter().flat_map(|repeat| {
        let round = record.entries.get(repeat.entries.clone()).unwrap_or_default();
        round.iter().map(|entry| (entry, repeat.times))
    });
    for (entry, times) in record.entries.iter().map(|entry| (entry, 1)).chain(repeated) {
        if let Some(warning) = warning(entry) {
            *warnings.entry(warning).or_default() += times;
        }
    }
    warnings
}

impl<'t, 'r> RunTimeline<'t, 'r> {
    /// Shows how many rounds of a loop are like the one before.
    fn show_repeat(&mut self, repeat: &Repeat, out: &mut String) {
        let first = self.text.run.ended.record.entries.get(repeat.entries.start);
        let name = first.and_then(|entry| self.text.activity(entry));
        let (rounds, name) = (count(repeat.times, "more round"), quote(name.as_deref().unwrap_or("a loop")));
        let time = show_duration(times(repeat.period, repeat.times));
        let line = format!("… {rounds} of {name} like this in {time} …");
        self.rows.push_gap(&line, out);
    }

    /// Whether an entry is not shown: the loop goes on, or the script ran.
    fn is_left_out(&self, entry: &TraceEntry<'r>) -> bool {
        match &entry.event {
            Event::Ran => true,
            Event::Evaluated { holds, .. } => *holds && self.is_loop(entry),
            _ => false,
        }
    }

    fn is_loop(&self, entry: &TraceEntry<'r>) -> bool {
        let activity = entry.activity.and_then(|id| self.text.run.plan.activity(id));
        activity.is_some_and(|activity| matches!(activity.kind, ActivityKind::While { .. }))
    }

    fn show(&mut self, entry: &'t TraceEntry<'r>, out: &mut String) {
        let mut number = 1;
        if let Some(warning) = warning(entry) {
            // One that was shown is shown no more.
            let Some(times) = self.warnings.remove(&warning) else { return };
            number = times;
        }
        if self.is_left_out(entry) {
            return;
        }
        let (day, time) = self.moment(entry.at);
        if day != self.day {
            let _ = writeln!(out, "  {}", self.rows.painter.paint(DIM, &day));
            self.day = day;
            self.rows.time = None;
        }
        let (style, text) = self.event(entry, number);
        let name = name_of(self.text, entry);
        self.rows.push(&Row { mark: "", time: &time, name: &name, text: &text, style }, out);
    }

    /// The text of an event that occurs so often, and its style.
    fn event(&self, entry: &TraceEntry<'r>, number: u64) -> (Style, String) {
        let text = match &entry.event {
            Event::Evaluated { sides, holds } => {
                let what = match (self.is_loop(entry), holds) {
                    (true, _) => "ends",
                    (false, true) => "taken",
                    (false, false) => "skipped",
                };
                format!("{what}, {}", self.text.condition_values(entry, *sides))
            }
            _ if number > 1 => format!("{} ({number} times)", self.text.event(entry)),
            _ => self.text.event(entry),
        };
        let style = match &entry.event {
            Event::Unset(_) | Event::Warned(_) | Event::Lost(_) => WARNING,
            Event::Published(_) => BOLD,
            _ => PLAIN,
        };
        (style, text)
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
