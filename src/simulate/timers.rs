//! Time passes: timers that are due happen.
//!
//! The virtual clock is stopped while activities run. It advances when an activity waits, from
//! one due event to the next, and at one instant in the order of [`Priority`].

use jiff::SignedDuration;

use super::approvals::remind_approvers;
use super::clock::{Due, Instant, Priority, show_duration};
use super::providers::{act, expire, remind};
use super::run::{Run, Timer};
use super::trace::Stop;

impl Run<'_, '_> {
    /// Lets every timer that is due now and comes before `priority` happen. No time passes, so no limit is exceeded.
    ///
    /// A lookup needs this: activities that follow one another without waiting never pass control to the clock.
    pub fn catch_up(&mut self, priority: Priority) {
        let now = self.clock.now();
        let _ = self.wait_until(Due { at: now, priority, order: 0 });
    }

    /// Lets every timer that is due before `due` happen, then advances to it.
    ///
    /// # Errors
    /// The run is stuck when the limit of virtual time is exceeded; what is due up to the limit has
    /// happened then.
    pub fn wait_until(&mut self, due: Due) -> Result<(), Stop> {
        let limit = self.plan.scenario.limits.virtual_time;
        let end = Instant::START.after(limit);
        let last = Due { at: due.at.min(end), ..due };
        // In the trace, actions of people and the clock belong to no activity.
        let current = self.current.take();
        while let Some(timer) = self.clock.next_before(last) {
            self.happen(timer);
        }
        self.current = current;
        if due.at > end {
            self.clock.advance_to(end);
            let message = format!("exceeded the limit of {} of virtual time", show_duration(limit));
            // Only a wait of a While can be the fault of a loop; an approval that waits for people is not.
            return Err(if due.priority == Priority::Waiting { self.stuck(&message) } else { self.stuck_at(&message) });
        }
        self.clock.advance_to(due.at);
        Ok(())
    }

    /// Lets the next timer happen if one is due before `due`, which may be never, and returns whether it did. Otherwise
    /// advances to `due`.
    pub fn pass(&mut self, due: Option<Due>) -> bool {
        let never = Due { at: Instant::START.after(SignedDuration::MAX), priority: Priority::Waiting, order: u64::MAX };
        if let Some(timer) = self.clock.next_before(due.unwrap_or(never)) {
            let current = self.current.take();
            self.happen(timer);
            self.current = current;
            return true;
        }
        if let Some(due) = due {
            self.clock.advance_to(due.at);
        }
        false
    }

    fn happen(&mut self, timer: Timer) {
        match timer {
            Timer::Sign { case, party, action } => act(self, case, party, action),
            Timer::RemindParty { case, party } => remind(self, case, party),
            Timer::ExpireCase { case } => expire(self, case),
            Timer::RemindApprovers { approval } => remind_approvers(self, approval),
        }
    }
}
