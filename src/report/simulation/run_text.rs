//! The events and values of a run in words, with the values of masked variables hidden.

use std::borrow::Cow;

use crate::model::Binding;
use crate::simulate::{CaseEvent, Check, ConditionText, Event, FinishedScenario, Slot, TraceEntry, show_duration};
use crate::text::diagnostic::quote;
use crate::text::truncate;

/// Characters of a value in a line of the trace, for programs.
pub(super) const MAX_VALUE_LEN: usize = 500;
/// Characters of a value in a line of the trace, short enough to read the line at a glance.
pub(super) const MAX_BRIEF_VALUE_LEN: usize = 120;
/// Characters of a failure's message.
const MAX_MESSAGE_LEN: usize = 1000;

pub(super) struct RunText<'r> {
    pub run: &'r FinishedScenario<'r>,
    max_value_len: usize,
}

impl<'r> RunText<'r> {
    pub fn new(run: &'r FinishedScenario<'r>, max_value_len: usize) -> Self {
        Self { run, max_value_len }
    }

    /// A string with masked values hidden.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.run.masker.apply(text)
    }

    /// A variable's value for display.
    pub fn value<'t>(&self, slot: Slot, value: &'t str) -> Cow<'t, str> {
        match self.run.plan.names.mask(slot) {
            // The masker replaces character by character, so the mask's positions still hold.
            Some(mask) => Cow::Owned(mask.apply(&self.mask(value))),
            None => self.mask(value),
        }
    }

    /// The expected or actual value of an expectation.
    pub fn checked<'t>(&self, check: &Check, text: &'t str) -> Cow<'t, str> {
        check.variable.map_or_else(|| self.mask(text), |slot| self.value(slot, text))
    }

    /// Whether both values of an expectation that failed look alike, because they differ where a mask hides them.
    pub fn differs_where_hidden(&self, check: &Check) -> bool {
        !check.passed
            && check.expected != check.actual
            && self.checked(check, &check.expected) == self.checked(check, &check.actual)
    }

    /// The message of a failure. It is masked before it is cut: half of a value would not be found.
    pub fn failure(&self, message: &str) -> String {
        truncate(&self.mask(message), MAX_MESSAGE_LEN).into_owned()
    }

    /// One line of the trace.
    pub fn event(&self, entry: &TraceEntry<'r>) -> String {
        match &entry.event {
            Event::Filled(slot, value) | Event::Set(slot, value) => self.assignment(*slot, value),
            Event::Evaluated { sides, holds } => {
                let activity = entry.activity.and_then(|id| self.run.plan.activity(id));
                let expression = activity.and_then(|activity| activity.expression());
                let condition = expression.map_or_else(String::new, |it| ConditionText::of(it).to_string());
                // A literal may be the value of a masked variable.
                let condition = self.mask(&condition);
                format!("{condition} is {holds}: {}", self.condition_values(entry, *sides))
            }
            Event::Called(index) => self.call(*index),
            Event::Lost(name) => format!("undefined variable {}, its value is lost", quote(&self.mask(name))),
            Event::Unset(name) => format!("unset variable {}, read as an empty string", quote(name)),
            Event::Published(index) => format!("published \"{}\"", self.shown(self.run.ended.record.status(*index))),
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
            Event::Warned(message) => format!("warning: {}", self.shown(message)),
        }
    }

    /// The beginning of a string, masked.
    fn shown(&self, text: &str) -> String {
        truncate(&self.mask(text), self.max_value_len).into_owned()
    }

    /// The values of the variables in a condition: `` `ESignStatus` is `Sent` ``.
    pub fn condition_values(&self, entry: &TraceEntry<'r>, sides: usize) -> String {
        let activity = entry.activity.and_then(|id| self.run.plan.activity(id));
        let Some(expression) = activity.and_then(|activity| activity.expression()) else { return String::new() };
        let members = [&expression.left, &expression.right];
        let values: Vec<String> = members
            .into_iter()
            .zip(self.run.ended.record.sides(sides))
            .filter_map(|(member, value)| {
                let (_, name) = member.get().and_then(Binding::target)?;
                let slot = self.run.plan.names.slot(name);
                let value = slot.map_or_else(|| self.mask(value), |slot| self.value(slot, value));
                let value = truncate(&value, self.max_value_len);
                let value = if value.is_empty() { "empty".to_owned() } else { format!("`{value}`") };
                Some(format!("{} is {value}", quote(name)))
            })
            .collect();
        if values.is_empty() { "both sides are constant".to_owned() } else { values.join(", ") }
    }

    fn assignment(&self, slot: Slot, value: &str) -> String {
        let name = quote(&self.mask(self.run.plan.names.name(slot)));
        let value = if value.is_empty() { Cow::Borrowed("(empty)") } else { self.value(slot, value) };
        format!("{name} = {}", truncate(&value, self.max_value_len))
    }

    fn call(&self, index: usize) -> String {
        let method = self.method(index);
        match self.run.ended.record.calls.get(index).and_then(|call| call.error.as_deref()) {
            Some(error) => format!("{method} failed: {}", self.shown(error)),
            None => format!("called {method}"),
        }
    }

    fn mail(&self, index: usize) -> String {
        match self.run.ended.record.mails.get(index) {
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
        let call = self.run.ended.record.calls.get(index);
        let activity = call.and_then(|call| self.run.plan.activity(call.activity));
        activity.and_then(|activity| activity.provider()?.method.value()).unwrap_or_default()
    }

    /// The name of an entry's activity.
    pub fn activity(&self, entry: &TraceEntry<'r>) -> Option<Cow<'r, str>> {
        self.run.plan.activity(entry.activity?)?.name.value().map(|name| self.mask(name))
    }
}
