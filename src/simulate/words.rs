//! What happened in a run, in words, with the values of masked variables hidden.

use std::borrow::Cow;

use jiff::SignedDuration;

use super::clock::show_duration;
use super::plan::Plan;
use super::strings::ConditionText;
use super::trace::{CaseEvent, Event, Record, Repeat, TraceEntry, times};
use super::variables::Slot;
use crate::model::{ActivityKind, Binding};
use crate::redaction::Masker;
use crate::text::diagnostic::quote;
use crate::text::{count, truncate, without_backticks};

/// Characters of a failure's message.
const MAX_MESSAGE_LEN: usize = 1000;

/// The words for a run, or for a part of one.
#[derive(Clone, Copy)]
pub struct EventWords<'r> {
    pub plan: &'r Plan<'r>,
    pub record: &'r Record<'r>,
    pub masker: &'r Masker,
    /// Characters of a value.
    pub max_value_len: usize,
    /// Whether only names are in backticks: those of documents become other letters.
    pub is_for_page: bool,
}

impl<'r> EventWords<'r> {
    /// A string with masked values hidden.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.masker.apply(text) {
            Cow::Borrowed(text) if self.is_for_page => without_backticks(text),
            Cow::Owned(text) if self.is_for_page => Cow::Owned(without_backticks(&text).into_owned()),
            masked => masked,
        }
    }

    /// The same, for texts in which only names are in backticks.
    #[must_use]
    pub const fn for_page(self) -> Self {
        Self { is_for_page: true, ..self }
    }

    /// A variable's value for display.
    pub fn value<'t>(&self, slot: Slot, value: &'t str) -> Cow<'t, str> {
        match self.plan.names.mask(slot) {
            // The masker replaces character by character, so the mask's positions still hold.
            Some(mask) => Cow::Owned(mask.apply(&self.mask(value))),
            None => self.mask(value),
        }
    }

    /// The message of a failure. It is masked before it is cut: half of a value would not be found.
    pub fn failure(&self, message: &str) -> String {
        truncate(&self.masker.apply(message), MAX_MESSAGE_LEN).into_owned()
    }

    /// The beginning of a message, which has names in backticks, masked.
    fn message(&self, message: &str) -> String {
        truncate(&self.masker.apply(message), self.max_value_len).into_owned()
    }

    /// One line of the trace.
    pub fn event(&self, entry: &TraceEntry<'r>) -> String {
        match &entry.event {
            Event::Filled(slot, value) | Event::Set(slot, value) => self.assignment(*slot, value),
            Event::Evaluated { sides, holds } => {
                let activity = entry.activity.and_then(|id| self.plan.activity(id));
                let expression = activity.and_then(|activity| activity.expression());
                let condition = expression.map_or_else(String::new, |it| ConditionText::of(it).to_string());
                // A literal may be the value of a masked variable.
                let condition = self.mask(&condition);
                format!("{condition} is {holds}: {}", self.condition_values(entry, *sides))
            }
            Event::Called(index) => self.call(*index),
            Event::Lost(name) => format!("undefined variable {}, its value is lost", quote(&self.mask(name))),
            Event::Unset(name) => format!("unset variable {}, read as an empty string", quote(&self.mask(name))),
            Event::Published(index) => format!("published \"{}\"", self.shown(self.record.status(*index))),
            Event::Ran => "ran the script".to_owned(),
            Event::Mailed(index) => self.mail(*index),
            Event::Case(case) => self.case(case),
            Event::Asked(who) => format!("asked {}", self.shown(who)),
            Event::Answered { who, approves } => {
                format!("{} {}", self.shown(who), if *approves { "approved" } else { "rejected" })
            }
            Event::Decided(decision) => format!("decision: {}", decision.word()),
            Event::TimedOut { after, approves } => {
                let counts = if *approves { "approved" } else { "rejected" };
                format!("no decision within {}: counts as {counts}", show_duration(*after))
            }
            Event::Terminated => "terminated the order".to_owned(),
            Event::Skipped(type_name) => format!("{}: not simulated", self.shown(type_name)),
            Event::Warned(message) => format!("warning: {}", self.message(message)),
        }
    }

    /// An event that occurs so often, for people; `None` where it goes without saying: a loop goes on, a script ran.
    pub fn brief(&self, entry: &TraceEntry<'r>, number: u64) -> Option<String> {
        Some(match &entry.event {
            Event::Ran => return None,
            Event::Evaluated { sides, holds } => {
                let what = match (self.is_loop(entry), holds) {
                    (true, true) => return None,
                    (true, false) => "ends",
                    (false, true) => "taken",
                    (false, false) => "skipped",
                };
                format!("{what}, {}", self.condition_values(entry, *sides))
            }
            _ if number > 1 => format!("{} ({number} times)", self.event(entry)),
            _ => self.event(entry),
        })
    }

    fn is_loop(&self, entry: &TraceEntry<'r>) -> bool {
        let activity = entry.activity.and_then(|id| self.plan.activity(id));
        activity.is_some_and(|activity| matches!(activity.kind, ActivityKind::While { .. }))
    }

    /// How many rounds of a loop are like the one before.
    pub fn repeat(&self, repeat: &Repeat) -> String {
        let first = self.record.entries.get(repeat.entries.start);
        let name = first.and_then(|entry| self.activity(entry));
        rounds(name.as_deref(), repeat.times, times(repeat.period, repeat.times))
    }

    /// The beginning of a string, masked.
    pub(super) fn shown(&self, text: &str) -> String {
        truncate(&self.mask(text), self.max_value_len).into_owned()
    }

    /// The values of the variables in a condition: `` `ESignStatus` is `Sent` ``.
    pub fn condition_values(&self, entry: &TraceEntry<'r>, sides: usize) -> String {
        let activity = entry.activity.and_then(|id| self.plan.activity(id));
        let Some(expression) = activity.and_then(|activity| activity.expression()) else { return String::new() };
        let members = [&expression.left, &expression.right];
        let values: Vec<String> = members
            .into_iter()
            .zip(self.record.sides(sides))
            .filter_map(|(member, value)| {
                let (_, name) = member.get().and_then(Binding::target)?;
                let slot = self.plan.names.slot(name);
                let value = slot.map_or_else(|| self.mask(value), |slot| self.value(slot, value));
                let value = truncate(&value, self.max_value_len);
                let value = if value.is_empty() { "empty".to_owned() } else { format!("`{value}`") };
                Some(format!("{} is {value}", quote(&self.mask(name))))
            })
            .collect();
        if values.is_empty() { "both sides are constant".to_owned() } else { values.join(", ") }
    }

    fn assignment(&self, slot: Slot, value: &str) -> String {
        let name = quote(&self.mask(self.plan.names.name(slot)));
        let value = if value.is_empty() { Cow::Borrowed("(empty)") } else { self.value(slot, value) };
        format!("{name} = {}", truncate(&value, self.max_value_len))
    }

    fn call(&self, index: usize) -> String {
        let method = self.mask(self.method(index));
        match self.record.calls.get(index).and_then(|call| call.error.as_deref()) {
            Some(error) => format!("{method} failed: {}", self.message(error)),
            None => format!("called {method}"),
        }
    }

    fn mail(&self, index: usize) -> String {
        match self.record.mails.get(index) {
            Some(mail) => {
                format!("mail to {}: {} ({})", self.shown(&mail.to), self.shown(&mail.subject), mail.kind.word())
            }
            None => "mail".to_owned(),
        }
    }

    fn case(&self, case: &CaseEvent) -> String {
        match case {
            CaseEvent::Created(name) => format!("sent signing case \"{}\"", self.shown(name)),
            CaseEvent::Signed(who) => format!("{} signed", self.shown(who)),
            CaseEvent::Rejected(who) => format!("{} refused to sign, case rejected", self.shown(who)),
            CaseEvent::Finished => "all parties signed, case finished".to_owned(),
            CaseEvent::Expired => "signing case expired".to_owned(),
        }
    }

    /// The method of a call.
    pub fn method(&self, index: usize) -> &'r str {
        let call = self.record.calls.get(index);
        let activity = call.and_then(|call| self.plan.activity(call.activity));
        activity.and_then(|activity| activity.provider()?.method.value()).unwrap_or_default()
    }

    /// The name of an entry's activity.
    pub fn activity(&self, entry: &TraceEntry<'r>) -> Option<Cow<'r, str>> {
        self.plan.activity(entry.activity?)?.name.value().map(|name| self.mask(name))
    }
}

/// Rounds of a loop that are like the one before, and how long they take.
pub fn rounds(name: Option<&str>, number: u64, time: SignedDuration) -> String {
    let (rounds, name) = (count(number, "more round"), quote(name.unwrap_or("a loop")));
    format!("{rounds} of {name} like this in {}", show_duration(time))
}
