//! The virtual clock, and what is going to happen on it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Milliseconds since the start of a run.
pub type Instant = u64;

/// What happens first of that which happens at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A person acts.
    Person,
    /// A time is over: of an approval, or of a signing case.
    Timeout,
    /// Somebody is reminded.
    Reminder,
    /// An activity has waited long enough.
    Waiting,
}

/// When something happens: by time, then class, then the order of the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// The instant.
    pub at: Instant,
    /// What kind of thing happens.
    pub class: Class,
    /// Its place in the order of the scenario, or of its planning.
    pub order: u64,
}

/// Something that was planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Planned<T> {
    moment: Moment,
    what: T,
}

/// The clock of one run.
#[derive(Debug)]
pub struct Clock<T> {
    now: Instant,
    planned: BinaryHeap<Reverse<Planned<T>>>,
}

impl<T: Ord + Copy> Clock<T> {
    /// At the start of a run.
    pub const fn new() -> Self {
        Self { now: 0, planned: BinaryHeap::new() }
    }

    /// The time.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Plans something.
    pub fn plan(&mut self, moment: Moment, what: T) {
        self.planned.push(Reverse(Planned { moment, what }));
    }

    /// The next thing that happens before a moment, when there is one; the clock goes on to it.
    pub fn next_before(&mut self, moment: Moment) -> Option<T> {
        self.planned.peek().filter(|Reverse(planned)| planned.moment < moment)?;
        let Reverse(planned) = self.planned.pop()?;
        self.go_to(planned.moment.at);
        Some(planned.what)
    }

    /// Goes on to an instant; never back.
    pub fn go_to(&mut self, at: Instant) {
        self.now = self.now.max(at);
    }
}

/// Seconds as milliseconds, as many as fit; `None` for a number that is no duration.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked: at least 0; `as` saturates
pub fn milliseconds(seconds: f64) -> Option<u64> {
    (seconds >= 0.0 && seconds.is_finite()).then(|| (seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_one_instant_people_come_first_and_waiting_activities_last() {
        let mut clock = Clock::new();
        let moment = |at, class, order| Moment { at, class, order };
        clock.plan(moment(5, Class::Reminder, 0), "reminder");
        clock.plan(moment(5, Class::Person, 2), "second person");
        clock.plan(moment(5, Class::Person, 1), "first person");
        clock.plan(moment(5, Class::Timeout, 0), "timeout");
        clock.plan(moment(6, Class::Person, 0), "later");
        let wait = moment(5, Class::Waiting, 0);
        let seen: Vec<_> = std::iter::from_fn(|| clock.next_before(wait)).collect();
        assert_eq!(seen, ["first person", "second person", "timeout", "reminder"]);
        assert_eq!(clock.now(), 5);
    }

    #[test]
    fn seconds_saturate() {
        assert_eq!(milliseconds(0.5), Some(500));
        assert_eq!(milliseconds(1e300), Some(u64::MAX));
        assert_eq!(milliseconds(-1.0), None);
        assert_eq!(milliseconds(f64::NAN), None);
    }
}
