//! What happened in a run, in words. Values of masked variables are hidden.

use std::borrow::Cow;

use crate::diagnostic::quote;
use crate::simulate::{CaseEvent, Check, Condition, Ended, Entry, Event, Masker, Plan, Slot};

/// Characters of a value that a line of the trace shows, in a report for programs and in one for
/// people.
const LONGEST: (usize, usize) = (500, 120);

/// Characters of a failure's message.
const LONGEST_MESSAGE: usize = 1000;

/// A run and what hides its values.
pub(super) struct Told<'r, 'p> {
    pub plan: &'r Plan<'p>,
    pub ended: &'r Ended<'p>,
    pub masker: Masker,
    longest: usize,
}

impl<'r, 'p> Told<'r, 'p> {
    pub fn new(plan: &'r Plan<'p>, ended: &'r Ended<'p>) -> Self {
        Self { plan, ended, masker: Masker::new(ended.values.masked()), longest: LONGEST.0 }
    }

    /// With lines that a person reads at a glance.
    pub fn briefly(self) -> Self {
        Self { longest: LONGEST.1, ..self }
    }

    /// A text with masked values hidden.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.masker.apply(text)
    }

    /// A variable's value as it is shown.
    pub fn value<'t>(&self, slot: Slot, value: &'t str) -> Cow<'t, str> {
        match self.plan.names.mask(slot) {
            // Hiding keeps the number of characters, so both can be done.
            Some(mask) => Cow::Owned(mask.apply(&self.mask(value))),
            None => self.mask(value),
        }
    }

    /// What an expectation expected, or what was seen.
    pub fn checked<'t>(&self, check: &Check, text: &'t str) -> Cow<'t, str> {
        check.variable.map_or_else(|| self.mask(text), |slot| self.value(slot, text))
    }

    /// Why a run failed: every masked value hidden, and cut when it is very long.
    pub fn failure(&self, message: &str) -> String {
        shorten(&self.mask(message), LONGEST_MESSAGE)
    }

    /// One line of the trace.
    pub fn event(&self, entry: &Entry<'p>) -> String {
        let shown = |text: &str| self.cut(&self.mask(text));
        match &entry.event {
            Event::Filled(slot, value) | Event::Set(slot, value) => self.assignment(*slot, value),
            Event::Evaluated { left, right, holds } => {
                let condition = entry.activity.and_then(|id| self.plan.activity(id)).and_then(|it| it.expression());
                let condition = condition.map_or_else(String::new, |condition| Condition::of(condition).to_string());
                let (left, right) = (shown(left.as_str()), shown(right.as_str()));
                format!("{condition} is {holds}: \"{left}\" and \"{right}\"")
            }
            Event::Called(index) => {
                let method = self.method(*index);
                match self.ended.record.calls.get(*index).and_then(|call| call.error.as_deref()) {
                    Some(error) => format!("called {method}: failed: {}", shown(error)),
                    None => format!("called {method}"),
                }
            }
            Event::Lost(name) => format!("{} is no variable, so its value is lost", quote(&self.mask(name))),
            Event::Unset(name) => format!("{} is read but has no value: it counts as empty", quote(name)),
            Event::Published(text) => format!("published \"{}\"", shown(text.as_str())),
            Event::Ran => "ran the script".to_owned(),
            Event::Mailed(index) => match self.ended.record.mails.get(*index) {
                Some(mail) => format!("mail to {}: {} ({})", shown(&mail.to), shown(&mail.subject), mail.kind.word()),
                None => "mail".to_owned(),
            },
            Event::Case(case) => self.case(case),
            Event::Asked(who) => format!("asked {}", shown(who)),
            Event::Answered { who, approves } => {
                format!("{} {}", shown(who), if *approves { "approves" } else { "rejects" })
            }
            Event::Decided(decision) => format!("the approval is {}", decision.word()),
            Event::Terminated => "ended the process".to_owned(),
            Event::Warned(message) => format!("warning: {}", shown(message)),
        }
    }

    /// The beginning of a long text.
    fn cut(&self, text: &str) -> String {
        shorten(text, self.longest)
    }

    /// A variable and its value.
    fn assignment(&self, slot: Slot, value: &str) -> String {
        let value = if value.is_empty() { Cow::Borrowed("(empty)") } else { self.value(slot, value) };
        format!("{} = {}", self.name(slot), self.cut(&value))
    }

    fn case(&self, case: &CaseEvent) -> String {
        let shown = |text: &str| self.cut(&self.mask(text));
        match case {
            CaseEvent::Created(name) => format!("the signing case \"{}\" is sent", shown(name)),
            CaseEvent::Signed(who) => format!("{} signs", shown(who)),
            CaseEvent::Rejected(who) => format!("{} refuses to sign: the case is rejected", shown(who)),
            CaseEvent::Finished => "all have signed: the case is finished".to_owned(),
            CaseEvent::Expired => "the time of the case is over: it is expired".to_owned(),
        }
    }

    fn name(&self, slot: Slot) -> String {
        quote(&self.mask(self.plan.names.name(slot)))
    }

    /// The method of a call.
    pub fn method(&self, index: usize) -> &'p str {
        let call = self.ended.record.calls.get(index);
        let activity = call.and_then(|call| self.plan.activity(call.activity));
        activity.and_then(|activity| activity.provider()?.method.value()).unwrap_or_default()
    }

    /// The name of an entry's activity.
    pub fn activity(&self, entry: &Entry<'p>) -> Option<Cow<'p, str>> {
        self.plan.activity(entry.activity?)?.name.value().map(|name| self.mask(name))
    }
}

/// The beginning of a text that is longer than so many characters.
fn shorten(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
