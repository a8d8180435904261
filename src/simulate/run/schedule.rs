//! Planning events on the clock, sending mails, generating ids.

use std::sync::Arc;

use super::state::{Run, Timer};
use crate::simulate::clock::{Due, Instant, Priority};
use crate::simulate::scenario::MailKind;
use crate::simulate::trace::{Event, Mail};

/// The start of every generated id.
pub const GENERATED_ID_PREFIX: &str = "00000000-0000-4000-8000-";
/// Hexadecimal digits after it.
pub const GENERATED_ID_DIGITS: usize = 12;

impl Run<'_, '_> {
    /// Plans a timer; of those with one instant and priority, the one planned first happens first.
    pub fn plan_timer(&mut self, at: Instant, priority: Priority, timer: Timer) {
        self.planned += 1;
        self.clock.plan(Due { at, priority, order: self.planned }, timer);
    }

    /// Plans what a person does; `order` is the position in the scenario file.
    pub fn plan_person(&mut self, at: Instant, order: u64, timer: Timer) {
        self.clock.plan(Due { at, priority: Priority::Person, order }, timer);
    }

    pub fn send(&mut self, to: &Arc<str>, kind: MailKind, subject: &Arc<str>) {
        let mail = Mail { at: self.clock.now(), to: Arc::clone(to), kind, subject: Arc::clone(subject) };
        self.record.mails.push(mail);
        self.note(Event::Mailed(self.record.mails.len() - 1));
    }

    /// A new id. The sequence of ids is the same in every run.
    pub fn generate_id(&mut self) -> String {
        self.generated += 1;
        format!("{GENERATED_ID_PREFIX}{:0GENERATED_ID_DIGITS$x}", self.generated)
    }
}
