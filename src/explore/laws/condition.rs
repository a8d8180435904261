//! `when` and `expect` of a law, compared with a run that has ended.

use super::state::MonitorState;
use super::tracked::Tracked;
use super::verdict::Final;
use crate::config::{CallBounds, LawCondition, LawMail, StatusPatterns};
use crate::outcomes::{MailKind, OutcomeKind};
use crate::simulate::{Plan, Slot, quote, quote_value};

/// A condition, with the indices of the variables that it reads.
#[derive(Debug)]
pub struct Condition<'l> {
    source: &'l LawCondition,
    /// `None` for a variable that the service does not have.
    variables: Vec<Option<Slot>>,
    statuses: Option<usize>,
    approvals: Vec<usize>,
    mails: Vec<usize>,
    methods: Vec<usize>,
}

impl<'l> Condition<'l> {
    pub fn new(source: &'l LawCondition, tracked: &mut Tracked<'l>, plan: &Plan<'_>) -> Self {
        Self {
            source,
            variables: source.variables.iter().map(|(name, _)| plan.names.slot(&name.value)).collect(),
            statuses: source.statuses.as_ref().map(|patterns| tracked.statuses(patterns)),
            approvals: source.approvals.iter().map(|(name, _)| tracked.approval(&name.value)).collect(),
            mails: source.mails.iter().map(|mail| tracked.mail(mail)).collect(),
            methods: source.calls.iter().map(|(name, bounds)| tracked.method(&name.value, *bounds)).collect(),
        }
    }

    /// Whether it asks if everybody has acted.
    pub const fn asks_for_people(&self) -> bool {
        self.source.people_act
    }

    /// The variables that it reads.
    pub fn variables(&self) -> impl Iterator<Item = Slot> {
        self.variables.iter().flatten().copied()
    }

    /// The parts of the condition that are not true, in words; empty if all are.
    pub fn mismatches(&self, state: &MonitorState, end: &Final<'_>) -> Vec<String> {
        let mut found = Vec::new();
        found.extend(self.source.outcome.and_then(|expected| outcome(expected, end.outcome)));
        if self.source.ends && end.outcome == OutcomeKind::Stuck {
            found.push("order never ends".to_owned());
        }
        if self.source.people_act && !end.everybody_acted {
            found.push("somebody who is asked never acts".to_owned());
        }
        for ((name, expected), slot) in self.source.variables.iter().zip(&self.variables) {
            // A variable that was never set equals the empty string.
            let actual = slot.and_then(|slot| end.values.get(slot)).map_or("", |value| value);
            if actual != expected {
                let (expected, actual) = (quote_value(expected), quote_value(actual));
                found.push(format!("expected {expected} in {}, found {actual}", quote(&name.value)));
            }
        }
        let progress = self.statuses.and_then(|index| state.statuses.get(index));
        if let (Some(patterns), Some(progress)) = (&self.source.statuses, progress)
            && !progress.is_complete(patterns)
        {
            found.push(format!("published statuses are not {}", list(patterns)));
        }
        for ((name, expected), index) in self.source.approvals.iter().zip(&self.approvals) {
            let actual = state.approvals.get(*index).copied().flatten();
            if actual != Some(*expected) {
                let actual = actual.map_or("no decision".to_owned(), |actual| quote(actual.word()));
                found.push(format!("expected {} of {}, found {actual}", quote(expected.word()), quote(&name.value)));
            }
        }
        for (mail, index) in self.source.mails.iter().zip(&self.mails) {
            if state.mails.get(*index) != Some(&true) {
                found.push(format!("missing mail{}", described(mail)));
            }
        }
        for ((name, bounds), index) in self.source.calls.iter().zip(&self.methods) {
            found.extend(calls(&name.value, *bounds, state.calls.get(*index).copied().unwrap_or(0)));
        }
        found.extend(self.source.failure.as_ref().and_then(|expected| failure(expected, end.failure)));
        found
    }
}

fn outcome(expected: OutcomeKind, actual: OutcomeKind) -> Option<String> {
    let differs = expected != actual;
    differs.then(|| format!("expected outcome {}, found {}", quote(expected.word()), quote(actual.word())))
}

fn list(patterns: &StatusPatterns) -> String {
    let others = patterns.others_before.then(|| "...".to_owned());
    let texts: Vec<String> = others.iter().chain(&patterns.texts).map(|text| quote_value(text)).collect();
    format!("[{}]", texts.join(", "))
}

fn described(mail: &LawMail) -> String {
    let kind = mail.kind.map(MailKind::word).map_or_else(String::new, |kind| format!(" {}", quote(kind)));
    let to = mail.to.as_ref().map_or_else(String::new, |to| format!(" to {}", quote(to.trim())));
    format!("{kind}{to}")
}

fn calls(name: &str, bounds: CallBounds, calls: u8) -> Option<String> {
    if bounds.contain(calls) {
        return None;
    }
    let name = quote(name);
    Some(match calls {
        0 => format!("missing call of {name}"),
        _ if bounds.contain(1) => format!("more than one call of {name}"),
        _ => format!("unexpected call of {name}"),
    })
}

fn failure(expected: &str, actual: Option<&str>) -> Option<String> {
    let expected_words = quote_value(expected);
    match actual.filter(|message| !message.is_empty()) {
        Some(message) if message.contains(expected) => None,
        Some(message) => Some(format!("expected {expected_words} in the failure, found {}", quote_value(message))),
        None => Some(format!("expected a failure with {expected_words}, found no failure")),
    }
}
