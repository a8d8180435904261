//! The timeline of a run: what changed, and when. Rounds of a loop in which nothing changed are
//! counted, not shown.

use std::fmt::Write as _;
use std::sync::Arc;

use anstyle::Style;

use super::run_text::RunText;
use crate::collections::HashMap;
use crate::diagnostic::quote;
use crate::model::{ActivityId, ActivityKind};
use crate::report::escape::visible;
use crate::report::palette::{BOLD, DIM, Painter, WARNING};
use crate::simulate::{Event, Instant, Slot, TraceEntry, show_duration};
use crate::text::{columns, count, wrap};

/// Columns of an activity's name, in a wide terminal.
const MAX_NAME_WIDTH: usize = 32;
/// Columns of the time, with the spaces around it.
const TIME_WIDTH: usize = 12;

/// Rounds of a loop in which nothing changed, since the last line that was shown.
struct UnchangedRounds {
    count: usize,
    /// When the first of them began.
    since: Instant,
    /// The loop, quoted.
    name: String,
}

impl UnchangedRounds {
    const NONE: Self = Self { count: 0, since: Instant::START, name: String::new() };
}

struct Timeline<'t, 'r> {
    text: &'t RunText<'r>,
    painter: Painter,
    /// Columns of a line.
    width: usize,
    /// Day, time and activity of the last line: what repeats it is left out.
    day: String,
    time: String,
    activity: Option<String>,
    unchanged: UnchangedRounds,
    /// The values that variables were last seen to have.
    values: HashMap<Slot, Arc<str>>,
    /// The result and the sides of conditions when they were last seen.
    evaluated: HashMap<ActivityId, (bool, String, String)>,
}

pub(super) fn write(text: &RunText<'_>, painter: Painter, width: usize, out: &mut String) {
    let mut timeline = Timeline {
        text,
        painter,
        width,
        day: String::new(),
        time: String::new(),
        activity: None,
        unchanged: UnchangedRounds::NONE,
        values: HashMap::default(),
        evaluated: HashMap::default(),
    };
    let entries = &text.run.ended.record.entries;
    for (index, entry) in entries.iter().enumerate() {
        let rest = entries.get(index + 1..).unwrap_or_default();
        if timeline.changes_nothing(entry, rest) {
            timeline.count_round(entry);
        } else {
            timeline.show(entry, out);
        }
    }
    timeline.show_unchanged(timeline.unchanged.count, Instant::START.after(text.run.ended.elapsed), out);
}

impl<'r> Timeline<'_, 'r> {
    /// Whether an entry is left out: nothing changes by it, or another line says the same.
    fn changes_nothing(&mut self, entry: &TraceEntry<'r>, rest: &[TraceEntry<'r>]) -> bool {
        let run = self.text.run;
        match &entry.event {
            Event::Evaluated { left, right, holds } => {
                self.is_known_evaluation(entry, left.as_str(), right.as_str(), *holds)
            }
            Event::Ran => true,
            Event::Filled(slot, value) => {
                self.values.insert(*slot, Arc::clone(value));
                false
            }
            Event::Called(index) => {
                let failed = run.ended.record.calls.get(*index).is_some_and(|call| call.error.is_some());
                // The activity's next entry is what the call changed. Entries without an activity are
                // acts of people that fall between the two.
                let next = rest.iter().find(|next| next.activity.is_some());
                let changes = next.is_some_and(|next| {
                    next.activity == entry.activity && !matches!(next.event, Event::Evaluated { .. } | Event::Called(_))
                });
                !failed && !changes
            }
            Event::Set(slot, value) => {
                let is_the_same = self.values.insert(*slot, Arc::clone(value)).as_ref() == Some(value);
                // Outputs that all methods have say only that the call ended, as the next line does,
                // or the failure.
                is_the_same || run.plan.config.catalog.is_common_output(run.plan.names.name(*slot))
            }
            _ => false,
        }
    }

    /// Whether a condition is not worth a line: it begins a round, or gives what it gave before.
    fn is_known_evaluation(&mut self, entry: &TraceEntry<'r>, left: &str, right: &str, holds: bool) -> bool {
        let Some(id) = entry.activity else { return true };
        if holds && self.is_loop(entry) {
            return true;
        }
        let now = (holds, left.to_owned(), right.to_owned());
        self.evaluated.insert(id, now.clone()) == Some(now)
    }

    fn is_loop(&self, entry: &TraceEntry<'r>) -> bool {
        let activity = entry.activity.and_then(|id| self.text.run.plan.activity(id));
        activity.is_some_and(|activity| matches!(activity.kind, ActivityKind::While { .. }))
    }

    /// Counts a round when an entry begins one.
    fn count_round(&mut self, entry: &TraceEntry<'r>) {
        if self.is_loop(entry) && matches!(entry.event, Event::Evaluated { holds: true, .. }) {
            if self.unchanged.count == 0 {
                self.unchanged.since = entry.at;
            }
            self.unchanged.count += 1;
            self.unchanged.name = quote(self.text.activity(entry).as_deref().unwrap_or("a loop"));
        }
    }

    /// Shows how many rounds changed nothing until a moment, and forgets them.
    fn show_unchanged(&mut self, rounds: usize, until: Instant, out: &mut String) {
        let UnchangedRounds { since, name, .. } = std::mem::replace(&mut self.unchanged, UnchangedRounds::NONE);
        if rounds == 0 {
            return;
        }
        let time = show_duration(until.since(since));
        let line = format!("… {} of {name} without changes in {time} …", count(rounds, "round"));
        self.write_wrapped(DIM, &visible(&line), TIME_WIDTH, TIME_WIDTH + 2, out);
        self.activity = None;
    }

    fn show(&mut self, entry: &TraceEntry<'r>, out: &mut String) {
        // The last round that was counted is the one in which this entry lies.
        self.show_unchanged(self.unchanged.count.saturating_sub(1), entry.at, out);
        let (day, time) = self.moment(entry.at);
        if day != self.day {
            let _ = writeln!(out, "  {}", self.painter.paint(DIM, &day));
            self.day = day;
            self.time = String::new();
        }
        let is_new_time = time != self.time;
        let shown_time = if is_new_time { time.as_str() } else { "" };
        let shown_time = self.painter.paint(DIM, &format!("{shown_time:8}"));
        let activity = match (&entry.event, self.text.activity(entry)) {
            (_, Some(name)) => name.into_owned(),
            (Event::Filled(..), None) => "(start)".to_owned(),
            (_, None) => "(meanwhile)".to_owned(),
        };
        let repeats = !is_new_time && self.activity.as_deref() == Some(activity.as_str());
        // In a narrow terminal the name has two fifths of what the time leaves.
        let name_width = ((self.width - TIME_WIDTH) * 2 / 5).min(MAX_NAME_WIDTH);
        let name = if repeats { String::new() } else { fit(&visible(&activity), name_width) };
        let space = name_width - columns(&name);
        let _ = write!(out, "  {shown_time}  {name}{:space$}  ", "");
        let (style, event) = self.event(entry);
        let indent = TIME_WIDTH + name_width + 2;
        self.write_wrapped(style, &event, 0, indent, out);
        self.time = time;
        self.activity = Some(activity);
    }

    /// Writes a text, the first line after `first` spaces, the others after `indent`. All lines have the columns
    /// that are left beside the wider of both.
    fn write_wrapped(&self, style: Style, text: &str, first: usize, indent: usize, out: &mut String) {
        let wrapped = wrap(text, self.width.saturating_sub(indent.max(first)), "");
        for (index, line) in wrapped.lines().enumerate() {
            let spaces = if index == 0 { first } else { indent };
            let _ = writeln!(out, "{:spaces$}{}", "", self.painter.paint(style, line));
        }
        if wrapped.is_empty() {
            out.push('\n');
        }
    }

    /// What happened, and how it looks.
    fn event(&self, entry: &TraceEntry<'r>) -> (Style, String) {
        let text = match &entry.event {
            Event::Evaluated { left, right, holds } => {
                let what = match (self.is_loop(entry), holds) {
                    (true, _) => "ends",
                    (false, true) => "taken",
                    (false, false) => "skipped",
                };
                format!("{what}, {}", self.text.condition_values(entry, left.as_str(), right.as_str()))
            }
            _ => self.text.event(entry),
        };
        let style = match &entry.event {
            Event::Unset(_) | Event::Warned(_) | Event::Lost(_) => WARNING,
            Event::Published(_) => BOLD,
            _ => Style::new(),
        };
        (style, visible(&text).into_owned())
    }

    /// The day and the time of day, in UTC.
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

/// A name, cut to the width of its column.
fn fit(name: &str, width: usize) -> String {
    if columns(name) <= width {
        return name.to_owned();
    }
    let mut fitting = String::new();
    for character in name.chars() {
        if columns(&fitting) + columns(character.encode_utf8(&mut [0; 4])) >= width {
            break;
        }
        fitting.push(character);
    }
    fitting + "…"
}
