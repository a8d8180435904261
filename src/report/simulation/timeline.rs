//! The timeline of a run: what happened, and when. Rounds of a loop that are like the one before are
//! counted, not shown, and so are equal warnings.

use std::fmt::Write as _;

use anstyle::Style;

use super::run_text::RunText;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::quote;
use crate::model::{ActivityId, ActivityKind};
use crate::report::escape::{visible, wrap_guarded};
use crate::report::palette::{BOLD, DIM, Painter, WARNING};
use crate::simulate::{Event, Instant, Record, Repeat, TraceEntry, show_duration, times};
use crate::text::{columns, count, fit};

/// Most columns of an activity's name, in a wide terminal.
const MAX_NAME_WIDTH: usize = 32;
/// Columns of the time, with the spaces around it.
const TIME_WIDTH: usize = 12;

struct Timeline<'t, 'r> {
    text: &'t RunText<'r>,
    painter: Painter,
    /// Columns of a line.
    width: usize,
    /// Columns of the names of activities.
    name_width: usize,
    /// Day, time and activity of the last line, which are not repeated.
    day: String,
    time: String,
    activity: Option<String>,
    /// How often each warning occurs that was not shown yet.
    warnings: HashMap<Warning<'t>, u64>,
}

pub(super) fn write(text: &RunText<'_>, painter: Painter, width: usize, out: &mut String) {
    let record = &text.run.ended.record;
    let mut timeline = Timeline {
        text,
        painter,
        width,
        name_width: name_width(text, &record.entries, width),
        day: String::new(),
        time: String::new(),
        activity: None,
        warnings: warnings(record),
    };
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

impl<'t, 'r> Timeline<'t, 'r> {
    /// Shows how many rounds of a loop are like the one before.
    fn show_repeat(&mut self, repeat: &Repeat, out: &mut String) {
        let first = self.text.run.ended.record.entries.get(repeat.entries.start);
        let name = first.and_then(|entry| self.text.activity(entry));
        let (rounds, name) = (count(repeat.times, "more round"), quote(name.as_deref().unwrap_or("a loop")));
        let time = show_duration(times(repeat.period, repeat.times));
        let line = format!("… {rounds} of {name} like this in {time} …");
        self.write_wrapped(DIM, &visible(&line), TIME_WIDTH, TIME_WIDTH + 2, out);
        self.activity = None;
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
            let _ = writeln!(out, "  {}", self.painter.paint(DIM, &day));
            self.day = day;
            self.time = String::new();
        }
        let is_new_time = time != self.time;
        let shown_time = if is_new_time { time.as_str() } else { "" };
        let shown_time = self.painter.paint(DIM, &format!("{shown_time:8}"));
        let activity = name_of(self.text, entry);
        let repeats = !is_new_time && self.activity.as_deref() == Some(activity.as_str());
        let name = if repeats { String::new() } else { fit(&visible(&activity), self.name_width).into_owned() };
        let space = self.name_width - columns(&name);
        let _ = write!(out, "  {shown_time}  {name}{:space$}  ", "");
        let (style, event) = self.event(entry, number);
        let indent = TIME_WIDTH + self.name_width + 2;
        self.write_wrapped(style, &event, 0, indent, out);
        self.time = time;
        self.activity = Some(activity);
    }

    /// Writes a text, the first line after `first` spaces, the others after `indent`. All lines have the columns
    /// that are left beside the wider of both.
    fn write_wrapped(&self, style: Style, text: &str, first: usize, indent: usize, out: &mut String) {
        let wrapped = wrap_guarded(text, self.width.saturating_sub(indent.max(first)), "");
        for (index, line) in wrapped.lines().enumerate() {
            let spaces = if index == 0 { first } else { indent };
            let _ = writeln!(out, "{:spaces$}{}", "", self.painter.paint(style, line));
        }
        if wrapped.is_empty() {
            out.push('\n');
        }
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
            _ => Style::new(),
        };
        (style, visible(&text).into_owned())
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
    longest.unwrap_or_default().min(MAX_NAME_WIDTH).min((width - TIME_WIDTH) * 2 / 5)
}
