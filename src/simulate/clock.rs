//! The virtual clock and its queue of planned events. Every unit of time of the simulator is
//! converted here: durations are [`SignedDuration`]s, of whole milliseconds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use jiff::{SignedDuration, Timestamp};

/// A point on the virtual clock, in milliseconds from the start of the run.
///
/// Not a [`Timestamp`]: those end with the year 9999, and a run may last longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Instant(i64);

impl Instant {
    pub const START: Self = Self(0);

    pub const fn since_start(self) -> SignedDuration {
        SignedDuration::from_millis(self.0)
    }

    pub const fn since(self, earlier: Self) -> SignedDuration {
        SignedDuration::from_millis(self.0.saturating_sub(earlier.0))
    }

    /// This instant plus a duration; the last possible instant when that overflows.
    #[must_use]
    pub fn after(self, duration: SignedDuration) -> Self {
        let milliseconds = duration.as_secs().saturating_mul(1000).saturating_add(duration.subsec_millis().into());
        Self(self.0.saturating_add(milliseconds))
    }

    /// The calendar time of this instant in a run that started at `start`; `None` after the year 9999.
    pub fn timestamp(self, start: Timestamp) -> Option<Timestamp> {
        start.checked_add(self.since_start()).ok()
    }

    /// Milliseconds since 1970, as JavaScript's `Date` counts them.
    pub fn epoch_milliseconds(self, start: Timestamp) -> i64 {
        start.as_millisecond().saturating_add(self.0)
    }
}

/// The order of events that are due at the same instant, first to last.
///
/// Activities that wait come last: what they look at (the status of a case, an answer) shows
/// everything that happened at that instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A person signs, approves or rejects.
    Person,
    /// An approval times out, or a signing case expires.
    Timeout,
    Reminder,
    /// An activity has waited long enough.
    Waiting,
}

/// When an event is due. The order of the fields is the order of events: by time, then by
/// priority, then by `order`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Due {
    pub at: Instant,
    pub priority: Priority,
    /// For people, their position in the scenario file; otherwise, the order of planning.
    pub order: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Planned<T> {
    due: Due,
    event: T,
}

/// The clock of one run. It advances only when events are taken from it or an activity waits.
#[derive(Debug, Clone)]
pub struct Clock<T> {
    now: Instant,
    planned: BinaryHeap<Reverse<Planned<T>>>,
    /// Events planned in the order in which they were, so far.
    in_order: u64,
}

impl<T: Ord + Copy> Clock<T> {
    pub const fn new() -> Self {
        Self { now: Instant::START, planned: BinaryHeap::new(), in_order: 0 }
    }

    pub const fn now(&self) -> Instant {
        self.now
    }

    pub fn plan(&mut self, due: Due, event: T) {
        self.planned.push(Reverse(Planned { due, event }));
    }

    /// Plans an event that comes after those that were planned before for the same instant and priority.
    pub fn plan_next(&mut self, at: Instant, priority: Priority, event: T) {
        self.in_order += 1;
        self.plan(Due { at, priority, order: self.in_order }, event);
    }

    /// Takes the earliest event that is due before `due`, and advances the clock to it.
    pub fn next_before(&mut self, due: Due) -> Option<T> {
        self.planned.peek().filter(|Reverse(planned)| planned.due < due)?;
        let Reverse(planned) = self.planned.pop()?;
        self.advance_to(planned.due.at);
        Some(planned.event)
    }

    /// All planned events, in no order.
    pub fn planned(&self) -> impl Iterator<Item = (Due, T)> {
        self.planned.iter().map(|Reverse(planned)| (planned.due, planned.event))
    }

    /// When the earliest planned event is due.
    pub fn next_at(&self) -> Option<Instant> {
        self.planned.peek().map(|Reverse(planned)| planned.due.at)
    }

    /// Advances to an instant; an earlier one changes nothing.
    pub fn advance_to(&mut self, at: Instant) {
        self.now = self.now.max(at);
    }
}

/// A number of seconds, rounded to milliseconds and cut at the longest duration; `None` when it is
/// negative or not finite.
pub fn seconds(number: f64) -> Option<SignedDuration> {
    (number >= 0.0 && number.is_finite()).then(|| milliseconds(number * 1000.0))
}

/// A number of days as [`seconds`] reads it; `None` for 0 and less.
pub fn days(number: f64) -> Option<SignedDuration> {
    const MILLISECONDS_OF_A_DAY: f64 = 86_400_000.0;
    (number > 0.0).then(|| milliseconds(number * MILLISECONDS_OF_A_DAY))
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
fn milliseconds(number: f64) -> SignedDuration {
    SignedDuration::from_millis(number.round() as i64)
}

/// A duration of less than 100 days in seconds.
///
/// [`SignedDuration::as_secs_f64`] adds seconds and their fraction, which gives 1.1400000000000001 for 1.14 s.
#[expect(clippy::cast_precision_loss, reason = "100 days have fewer nanoseconds than 2^53")]
pub fn as_seconds(duration: SignedDuration) -> f64 {
    duration.as_nanos() as f64 / 1e9
}

/// A duration for display, without the units that are zero: `1d 2h`, `5m`, `0s`.
pub fn show_duration(duration: SignedDuration) -> String {
    let (seconds, fraction) = (duration.as_secs(), duration.subsec_millis());
    let parts = [(seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m")];
    let mut shown: Vec<String> =
        parts.into_iter().filter(|(number, _)| *number > 0).map(|(number, unit)| format!("{number}{unit}")).collect();
    let rest = seconds % 60;
    if fraction > 0 {
        let fraction = format!("{fraction:03}");
        shown.push(format!("{rest}.{}s", fraction.trim_end_matches('0')));
    } else if rest > 0 || shown.is_empty() {
        shown.push(format!("{rest}s"));
    }
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_one_instant_people_come_first_and_waiting_activities_last() {
        let mut clock = Clock::new();
        let due =
            |at, priority, order| Due { at: Instant::START.after(SignedDuration::from_secs(at)), priority, order };
        clock.plan(due(5, Priority::Reminder, 0), "reminder");
        clock.plan(due(5, Priority::Person, 2), "second person");
        clock.plan(due(5, Priority::Person, 1), "first person");
        clock.plan(due(5, Priority::Timeout, 0), "timeout");
        clock.plan(due(6, Priority::Person, 0), "later");
        let wait = due(5, Priority::Waiting, 0);
        let seen: Vec<_> = std::iter::from_fn(|| clock.next_before(wait)).collect();
        assert_eq!(seen, ["first person", "second person", "timeout", "reminder"]);
        assert_eq!(clock.now().since_start(), SignedDuration::from_secs(5));
    }

    #[test]
    fn seconds_are_rounded_to_milliseconds_and_saturate() {
        assert_eq!(seconds(0.5), Some(SignedDuration::from_millis(500)));
        assert_eq!(seconds(0.0004), Some(SignedDuration::ZERO));
        assert_eq!(seconds(1e300), Some(SignedDuration::from_millis(i64::MAX)));
        assert_eq!(seconds(-1.0), None);
        assert_eq!(seconds(f64::NAN), None);
        assert_eq!(days(1.5), Some(SignedDuration::from_hours(36)));
        assert_eq!(days(0.0), None);
    }

    #[test]
    fn an_instant_beyond_the_calendar_has_no_timestamp() {
        let start: Timestamp = "2024-01-01T08:00:00Z".parse().unwrap();
        let late = Instant::START.after(SignedDuration::from_hours(24 * 10_000_000));
        assert_eq!(late.timestamp(start), None);
        assert_eq!(late.epoch_milliseconds(start), 865_704_096_000_000);
        assert_eq!(Instant::START.after(SignedDuration::MAX).epoch_milliseconds(start), i64::MAX);
    }

    #[test]
    fn units_of_a_duration_that_are_zero_are_left_out() {
        assert_eq!(show_duration(SignedDuration::ZERO), "0s");
        assert_eq!(show_duration(SignedDuration::from_hours(26)), "1d 2h");
        assert_eq!(show_duration(SignedDuration::from_millis(90_061_500)), "1d 1h 1m 1.5s");
    }
}
