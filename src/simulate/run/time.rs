//! Time passes: what is due happens, mails go out.

use std::sync::Arc;

use super::{Run, Timer};
use crate::simulate::activity;
use crate::simulate::clock::{Due, Instant, Priority, show_duration};
use crate::simulate::providers::esign;
use crate::simulate::scenario::MailKind;
use crate::simulate::stop::Stop;
use crate::simulate::trace::{Event, Mail};

impl Run<'_, '_> {
    /// Plans something; at one instant and of one class, what was planned first happens first.
    pub fn plan_timer(&mut self, at: Instant, priority: Priority, timer: Timer) {
        self.planned += 1;
        self.clock.plan(Due { at, priority, order: self.planned }, timer);
    }

    /// Plans what a person does, in the order of the scenario.
    pub fn plan_person(&mut self, at: Instant, order: u64, timer: Timer) {
        self.clock.plan(Due { at, priority: Priority::Person, order }, timer);
    }

    /// Lets everything happen that is due.
    pub fn catch_up(&mut self) -> Result<(), Stop> {
        let now = self.clock.now();
        self.wait_until(Due { at: now, priority: Priority::Waiting, order: u64::MAX })
    }

    /// Lets everything happen that comes before a moment, then goes on to it.
    pub fn wait_until(&mut self, due: Due) -> Result<(), Stop> {
        let limit = self.plan.scenario.limits.virtual_time;
        let end = Instant::START.after(limit);
        let last = Due { at: due.at.min(end), ..due };
        // What people and the clock do is no activity's doing.
        let current = self.current.take();
        while let Some(timer) = self.clock.next_before(last) {
            self.happen(timer);
        }
        self.current = current;
        if due.at > end {
            self.clock.advance_to(end);
            let message = format!("the limit of {} of virtual time is passed", show_duration(limit));
            // Whoever is waited for is no loop's doing.
            return Err(if due.priority == Priority::Waiting { self.stuck(&message) } else { self.stuck_at(&message) });
        }
        self.clock.advance_to(due.at);
        Ok(())
    }

    fn happen(&mut self, timer: Timer) {
        match timer {
            Timer::Sign(case, party, entry) => esign::act(self, case, party, entry),
            Timer::RemindParty(case, party) => esign::remind(self, case, party),
            Timer::Expire(case) => esign::expire(self, case),
            Timer::RemindApprovers(approval) => activity::remind_approvers(self, approval),
        }
    }

    /// Sends a mail.
    pub fn send(&mut self, to: &Arc<str>, kind: MailKind, subject: &Arc<str>) {
        let mail = Mail { at: self.clock.now(), to: Arc::clone(to), kind, subject: Arc::clone(subject) };
        self.record.mails.push(mail);
        self.note(Event::Mailed(self.record.mails.len() - 1));
    }

    /// A new id, the same in every run.
    pub fn generate_id(&mut self) -> String {
        self.generated += 1;
        format!("00000000-0000-4000-8000-{:012x}", self.generated)
    }
}
