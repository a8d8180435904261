//! What happened in a run, in words. Values of masked variables are hidden.

use std::borrow::Cow;

use crate::diagnostic::quote;
use crate::model::Expression;
use crate::simulate::{CaseEvent, Ended, Entry, Event, Masker, Plan, sides};

/// Characters of a value that a line of the trace shows, in a report for programs and in one for
/// people.
const LONGEST: (usize, usize) = (2000, 120);

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
    pub fn value<'t>(&self, slot: crate::simulate::Slot, value: &'t str) -> Cow<'t, str> {
        match self.plan.names.mask(slot) {
            Some(mask) => Cow::Owned(mask.apply(value)),
            None => self.mask(value),
        }
    }

    /// One line of the trace.
    pub fn event(&self, entry: &Entry<'p>) -> String {
        let shown = |text: &str| self.cut(&self.mask(text));
        match &entry.event {
            Event::Filled(slot, value) => {
                format!("{} = {}", self.name(*slot), self.cut(&self.value(*slot, value)))
            }
            Event::Set(slot, value) => format!("{} = {}", self.name(*slot), self.cut(&self.value(*slot, value))),
            Event::Evaluated { left, right, holds } => {
                let condition = entry.activity.and_then(|id| self.plan.activity(id)).and_then(|it| it.expression());
                let condition = condition.map_or_else(String::new, words);
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
        match text.char_indices().nth(self.longest) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
            None if text.is_empty() => "(empty)".to_owned(),
            None => text.to_owned(),
        }
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

    fn name(&self, slot: crate::simulate::Slot) -> String {
        quote(self.plan.names.name(slot))
    }

    /// The method of a call.
    pub fn method(&self, index: usize) -> &'p str {
        let call = self.ended.record.calls.get(index);
        let activity = call.and_then(|call| self.plan.activity(call.activity));
        activity.and_then(|activity| activity.provider()?.method.value()).unwrap_or_default()
    }

    /// The name of an entry's activity.
    pub fn activity(&self, entry: &Entry<'p>) -> Option<&'p str> {
        self.plan.activity(entry.activity?)?.name.value()
    }
}

fn words(expression: &Expression<'_>) -> String {
    let (left, word, right) = sides(expression);
    format!("{left} {word} {right}")
}
