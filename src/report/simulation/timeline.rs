//! The timeline of a run: what changed, and when. Rounds of a loop in which nothing changed are
//! counted, not shown.

use std::fmt::Write as _;
use std::sync::Arc;

use jiff::tz::TimeZone;

use super::human::Ink;
use super::words::Told;
use crate::collections::HashMap;
use crate::diagnostic::quote;
use crate::report::{human, visible};
use crate::simulate::{Entry, Event, Instant, Slot, show_duration};

/// Characters for the name of an activity.
const NAMES: usize = 32;

/// What has been shown so far.
struct Timeline<'t, 'r, 'p> {
    told: &'t Told<'r, 'p>,
    ink: Ink,
    day: String,
    time: String,
    /// Whose name was shown last.
    who: Option<String>,
    /// Rounds in which nothing changed, and when the first of them began.
    quiet: usize,
    quiet_since: Instant,
    /// The loop whose rounds they are.
    looped: String,
    /// The values that variables were last seen to have.
    values: HashMap<Slot, Arc<str>>,
}

/// Writes the timeline of a run.
pub(super) fn write(told: &Told<'_, '_>, ink: Ink, out: &mut String) {
    let mut timeline = Timeline {
        told,
        ink,
        day: String::new(),
        time: String::new(),
        who: None,
        quiet: 0,
        quiet_since: Instant::START,
        looped: String::new(),
        values: HashMap::default(),
    };
    let entries = &told.ended.record.entries;
    for (index, entry) in entries.iter().enumerate() {
        let rest = entries.get(index + 1..).unwrap_or_default();
        if timeline.is_quiet(entry, rest) {
            timeline.pass(entry);
        } else {
            timeline.show(entry, out);
        }
    }
    timeline.show_quiet(timeline.quiet, Instant::START.after(told.ended.elapsed), out);
}

impl<'p> Timeline<'_, '_, 'p> {
    /// Whether an entry changes nothing that a reader would look for.
    fn is_quiet(&mut self, entry: &Entry<'p>, rest: &[Entry<'p>]) -> bool {
        let record = &self.told.ended.record;
        match &entry.event {
            Event::Evaluated { .. } | Event::Ran => true,
            Event::Filled(slot, value) => {
                self.values.insert(*slot, Arc::clone(value));
                false
            }
            Event::Called(index) => {
                let failed = record.calls.get(*index).is_some_and(|call| call.error.is_some());
                // What a call changes follows it, and tells of it; meanwhile people may have acted.
                let next = rest.iter().find(|next| next.activity.is_some());
                let changes = next.is_some_and(|next| {
                    next.activity == entry.activity && !matches!(next.event, Event::Evaluated { .. } | Event::Called(_))
                });
                !failed && !changes
            }
            // The next line, or the failure, says the same.
            Event::Set(slot, value) => {
                let is_the_same = self.values.insert(*slot, Arc::clone(value)).as_ref() == Some(value);
                is_the_same || self.told.plan.config.catalog.is_common_output(self.told.plan.names.name(*slot))
            }
            _ => false,
        }
    }

    fn pass(&mut self, entry: &Entry<'p>) {
        let is_round = matches!(entry.event, Event::Evaluated { holds: true, .. })
            && entry.activity.and_then(|id| self.told.plan.activity(id)).is_some_and(is_loop);
        if is_round {
            if self.quiet == 0 {
                self.quiet_since = entry.at;
            }
            self.quiet += 1;
            self.looped = quote(self.told.activity(entry).as_deref().unwrap_or("a loop"));
        }
    }

    /// Says how many rounds of a loop changed nothing.
    fn show_quiet(&mut self, rounds: usize, until: Instant, out: &mut String) {
        self.quiet = 0;
        if rounds == 0 {
            return;
        }
        let time = show_duration(until.since(self.quiet_since));
        let rounds = human::count(rounds, "round");
        let text = visible(&format!("… {rounds} of {} in {time}, nothing new …", self.looped)).into_owned();
        let _ = writeln!(out, "  {:8}  {}", "", self.ink.paint(Ink::DIM, &text));
        self.who = None;
    }

    fn show(&mut self, entry: &Entry<'p>, out: &mut String) {
        // The last round is the one in which something changed.
        self.show_quiet(self.quiet.saturating_sub(1), entry.at, out);
        let (day, time) = self.moment(entry.at);
        if day != self.day {
            let _ = writeln!(out, "  {}", self.ink.paint(Ink::DIM, &day));
            self.day = day;
            self.time = String::new();
        }
        let is_new = time != self.time;
        let shown_time = if is_new { time.clone() } else { String::new() };
        self.time = time;
        let who = match (&entry.event, self.told.activity(entry)) {
            (_, Some(name)) => name.into_owned(),
            (Event::Filled(..), None) => "(start)".to_owned(),
            (_, None) => "(meanwhile)".to_owned(),
        };
        let is_same = !is_new && self.who.as_deref() == Some(who.as_str());
        let name = if is_same { String::new() } else { fit(&visible(&who)) };
        let text = visible(&self.told.event(entry)).into_owned();
        let text = match &entry.event {
            Event::Unset(_) | Event::Warned(_) | Event::Lost(_) => self.ink.paint(Ink::WARN, &text),
            Event::Published(_) => self.ink.paint(Ink::BOLD, &text),
            _ => text,
        };
        let time = self.ink.paint(Ink::DIM, &format!("{shown_time:8}"));
        let _ = writeln!(out, "  {time}  {name:NAMES$}  {text}");
        self.who = Some(who);
    }

    /// Day and time of day, in UTC.
    fn moment(&self, at: Instant) -> (String, String) {
        match at.timestamp(self.told.plan.scenario.start) {
            Some(timestamp) => {
                let zoned = timestamp.to_zoned(TimeZone::UTC);
                (zoned.strftime("%a %Y-%m-%d").to_string(), zoned.strftime("%H:%M:%S").to_string())
            }
            // Beyond the year 9999.
            None => (String::new(), format!("+{}", show_duration(at.since_start()))),
        }
    }
}

fn is_loop(activity: &crate::model::Activity<'_>) -> bool {
    matches!(activity.kind, crate::model::Kind::While { .. })
}

/// A name in the room that there is.
fn fit(name: &str) -> String {
    match name.char_indices().nth(NAMES) {
        Some(_) => {
            let cut = name.char_indices().nth(NAMES - 1).map_or(name.len(), |(at, _)| at);
            format!("{}…", name.get(..cut).unwrap_or_default())
        }
        None => name.to_owned(),
    }
}
