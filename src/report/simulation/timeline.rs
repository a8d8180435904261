//! The timeline of a run: what happened, and when. Rounds of a loop in which nothing changed are
//! counted, not shown, and so are equal warnings.

use std::fmt::Write as _;

use anstyle::Style;
use jiff::SignedDuration;

use super::alike::{MAX_SHOWN, alike_rounds};
use super::rounds::{Repetitions, is_loop};
use super::run_text::RunText;
use crate::collections::HashSet;
use crate::diagnostic::quote;
use crate::model::ActivityId;
use crate::report::escape::{visible, wrap_guarded};
use crate::report::palette::{BOLD, DIM, Painter, WARNING};
use crate::simulate::{Event, Instant, Repeat, TraceEntry, show_duration, times};
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
    repetitions: &'t Repetitions<'t>,
    /// Warnings that were shown.
    warned: HashSet<String>,
}

pub(super) fn write(text: &RunText<'_>, painter: Painter, width: usize, out: &mut String) {
    let record = &text.run.ended.record;
    let entries = &record.entries;
    let repetitions = Repetitions::of(text.run.plan, record);
    let mut timeline = Timeline {
        text,
        painter,
        width,
        name_width: name_width(text, entries, width),
        day: String::new(),
        time: String::new(),
        activity: None,
        repetitions: &repetitions,
        warned: HashSet::default(),
    };
    let alike = alike_rounds(text, &repetitions);
    let mut alike = alike.iter().peekable();
    let mut rounds = repetitions.rounds.iter().peekable();
    let mut repeats = record.repeats.iter().peekable();
    let mut index = 0;
    while let Some(entry) = entries.get(index) {
        if let Some(left_out) = alike.next_if(|alike| alike.entries.start == index) {
            index = left_out.entries.end;
            while rounds.next_if(|round| round.entries.start < index).is_some() {}
            while repeats.next_if(|repeat| repeat.entries.end <= index).is_some() {}
            timeline.show_alike(left_out.activity, left_out.number, left_out.time, out);
            continue;
        }
        let Some(first) = rounds.next_if(|round| round.entries.start == index) else {
            timeline.show(entry.at, entry, out);
            index += 1;
            // Rounds that were skipped, but that the timeline shows because a value changes back and forth in them.
            if let Some(repeat) = repeats.next_if(|repeat| repeat.entries.end == index) {
                timeline.show_repeat(repeat, out);
            }
            continue;
        };
        let mut number = 0_u64;
        let mut next = Some(first);
        while let Some(round) = next {
            index = round.entries.end;
            // A repeat of a loop inside this round is a part of it.
            let inner = std::iter::from_fn(|| repeats.next_if(|repeat| repeat.entries.end <= index));
            let skipped = inner.filter(|repeat| repeat.entries == round.entries).map(|repeat| repeat.times);
            number += 1 + skipped.sum::<u64>();
            next = rounds.next_if(|next| next.activity == first.activity && next.entries.start == index);
        }
        let end = entries.get(index).map_or(Instant::START.after(text.run.ended.elapsed), |next| next.at);
        timeline.show_unchanged(first.activity, number, end.since(entry.at), out);
    }
}

impl<'r> Timeline<'_, 'r> {
    /// Shows rounds that were not played.
    fn show_repeat(&mut self, repeat: &Repeat, out: &mut String) {
        let record = &self.text.run.ended.record;
        let first = record.entries.get(repeat.entries.start).and_then(|entry| entry.activity);
        match first.filter(|_| repeat.times > MAX_SHOWN) {
            Some(id) => self.show_alike(id, repeat.times, times(repeat.period, repeat.times), out),
            None => record.repeated(repeat).for_each(|(at, entry)| self.show(at, entry, out)),
        }
    }

    /// Shows how many rounds of a loop are like those before.
    fn show_alike(&mut self, id: ActivityId, number: u64, time: SignedDuration, out: &mut String) {
        let (rounds, name) = (count(number, "more round"), self.name_of_loop(id));
        self.show_left_out(&format!("… {rounds} of {name} like this in {} …", show_duration(time)), out);
    }

    /// Shows how many rounds of a loop changed nothing.
    fn show_unchanged(&mut self, id: ActivityId, number: u64, time: SignedDuration, out: &mut String) {
        let (rounds, name) = (count(number, "round"), self.name_of_loop(id));
        self.show_left_out(&format!("… {rounds} of {name} without changes in {} …", show_duration(time)), out);
    }

    fn name_of_loop(&self, id: ActivityId) -> String {
        let activity = self.text.run.plan.activity(id).and_then(|activity| activity.name.value());
        quote(&self.text.mask(activity.unwrap_or("a loop")))
    }

    fn show_left_out(&mut self, line: &str, out: &mut String) {
        self.write_wrapped(DIM, &visible(line), TIME_WIDTH, TIME_WIDTH + 2, out);
        self.activity = None;
    }

    /// Whether an entry is not shown: the loop goes on, the script ran, or the warning was shown before.
    fn is_left_out(&mut self, entry: &TraceEntry<'r>) -> bool {
        match &entry.event {
            Event::Ran => true,
            Event::Evaluated { holds, .. } => *holds && self.is_loop(entry),
            Event::Lost(_) | Event::Warned(_) => {
                let key = format!("{:?} {}", entry.activity, self.text.event(entry));
                !self.warned.insert(key)
            }
            _ => false,
        }
    }

    fn is_loop(&self, entry: &TraceEntry<'r>) -> bool {
        entry.activity.is_some_and(|id| is_loop(self.text.run.plan, id))
    }

    fn show(&mut self, at: Instant, entry: &TraceEntry<'r>, out: &mut String) {
        if self.is_left_out(entry) {
            return;
        }
        let (day, time) = self.moment(at);
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
        let (style, event) = self.event(entry);
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

    /// The text of an event, and its style.
    fn event(&self, entry: &TraceEntry<'r>) -> (Style, String) {
        let text = match &entry.event {
            Event::Evaluated { sides, holds } => {
                let what = match (self.is_loop(entry), holds) {
                    (true, _) => "ends",
                    (false, true) => "taken",
                    (false, false) => "skipped",
                };
                format!("{what}, {}", self.text.condition_values(entry, *sides))
            }
            _ => self.text.event(entry) + &self.times(entry),
        };
        let style = match &entry.event {
            Event::Unset(_) | Event::Warned(_) | Event::Lost(_) => WARNING,
            Event::Published(_) => BOLD,
            _ => Style::new(),
        };
        (style, visible(&text).into_owned())
    }

    /// The number of times a warning occurs, if more than once.
    fn times(&self, entry: &TraceEntry<'r>) -> String {
        match self.repetitions.count(entry) {
            Some(number) if number > 1 => format!(" ({number} times)"),
            _ => String::new(),
        }
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
