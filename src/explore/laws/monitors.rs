//! The laws of a configuration that concern one service, and their verdicts on runs.

use std::path::Path;

use super::state::{Breach, Final, MonitorState, Order, OrderState, Tracked, TrackedMethod, Verdict, track};
use crate::common::outcomes::{MailKind, OutcomeKind};
use crate::config::{AtMost, CallBounds, Law, LawCondition, LawMail, RootedPatterns, StatusPatterns};
use crate::simulate::{Plan, Record, Slot, quote, quote_value};

/// The laws that concern one service.
#[derive(Debug)]
pub struct Monitors<'l> {
    laws: Vec<Monitor<'l>>,
    tracked: Tracked<'l>,
}

#[derive(Debug)]
struct Monitor<'l> {
    /// The index among the laws of the configuration.
    index: usize,
    when: Option<Condition<'l>>,
    expect: Option<Condition<'l>>,
    /// Indices of the orders.
    before: Vec<usize>,
}

impl<'l> Monitors<'l> {
    /// Selects the laws that concern the service with this workflow, given by its absolute path.
    pub fn new(laws: &'l [Law], plan: &Plan<'_>, workflow: &Path) -> Self {
        let mut tracked = Tracked::default();
        let concerned = laws.iter().enumerate().filter(|(_, law)| concerns(law, workflow));
        let laws = concerned.map(|(index, law)| Monitor {
            index,
            when: law.when.as_ref().map(|when| Condition::new(when, &mut tracked, plan)),
            expect: law.expect.as_ref().map(|expect| Condition::new(expect, &mut tracked, plan)),
            before: law
                .before
                .iter()
                .map(|(a, b)| track(&mut tracked.orders, Order::new(&a.value, &b.value, plan.workflow)))
                .collect(),
        });
        Self { laws: laws.collect(), tracked }
    }

    pub const fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    /// The state before a run begins.
    pub fn start(&self) -> MonitorState {
        MonitorState::new(&self.tracked)
    }

    /// Advances the state by a segment of a run; `record` is the record of the segment alone.
    pub fn advance(&self, state: &mut MonitorState, record: &Record<'_>, plan: &Plan<'_>) {
        if !self.is_empty() {
            state.advance(&self.tracked, record, plan);
        }
    }

    /// Whether a law asks if everybody has acted.
    pub fn ask_for_people(&self) -> bool {
        self.laws.iter().any(|law| law.when.iter().chain(&law.expect).any(Condition::asks_for_people))
    }

    /// The variables whose final values laws read.
    pub fn variables(&self) -> Vec<Slot> {
        let conditions = self.laws.iter().flat_map(|law| law.when.iter().chain(&law.expect));
        let mut slots: Vec<Slot> = conditions.flat_map(Condition::variables).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The verdict of each law on a run that ends in this state, in the order of the configuration.
    pub fn judge(&self, state: &MonitorState, end: &Final<'_>) -> Vec<Verdict> {
        self.laws.iter().map(|law| law.judge(&self.tracked, state, end)).collect()
    }
}

impl Monitor<'_> {
    fn judge(&self, tracked: &Tracked<'_>, state: &MonitorState, end: &Final<'_>) -> Verdict {
        let is_met = self.when.as_ref().is_none_or(|when| when.mismatches(state, end).is_empty());
        let breach = is_met.then(|| self.too_early(tracked, state).or_else(|| self.unexpected(state, end))).flatten();
        Verdict { law: self.index, is_met, breach }
    }

    fn too_early(&self, tracked: &Tracked<'_>, state: &MonitorState) -> Option<Breach> {
        let broken = self.before.iter().find_map(|index| match state.orders.get(*index)? {
            OrderState::Broken(activity) => Some((tracked.orders.get(*index)?, *activity)),
            OrderState::Waiting | OrderState::Running(_) | OrderState::Kept => None,
        });
        broken.map(|(order, activity)| {
            let message = format!("{} begins before {} has ended", quote(order.first), quote(order.second));
            Breach { activity: Some(activity), message }
        })
    }

    fn unexpected(&self, state: &MonitorState, end: &Final<'_>) -> Option<Breach> {
        let mismatches = self.expect.as_ref()?.mismatches(state, end);
        (!mismatches.is_empty()).then(|| Breach { activity: None, message: mismatches.join("; ") })
    }
}

/// Whether a law applies to the service with this workflow.
pub fn concerns(law: &Law, workflow: &Path) -> bool {
    law.services.as_ref().is_none_or(|patterns| {
        let patterns = patterns.iter().map(|pattern| (law.folder.as_path(), pattern.value.as_str(), ()));
        RootedPatterns::new(patterns).matching(workflow).next().is_some()
    })
}

/// A method whose calls are counted as far as these bounds need it.
fn method(name: &str, bounds: CallBounds) -> TrackedMethod<'_> {
    TrackedMethod { name, enough: if bounds.at_most == Some(AtMost::Once) { 2 } else { 1 } }
}

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
            statuses: source.statuses.as_ref().map(|patterns| track(&mut tracked.statuses, patterns)),
            approvals: source
                .approvals
                .iter()
                .map(|(name, _)| track(&mut tracked.approvals, name.value.as_str()))
                .collect(),
            mails: source.mails.iter().map(|mail| track(&mut tracked.mails, mail)).collect(),
            methods: source
                .calls
                .iter()
                .map(|(name, bounds)| track(&mut tracked.methods, method(&name.value, *bounds)))
                .collect(),
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
