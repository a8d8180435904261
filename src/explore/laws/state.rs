//! What the laws of a service ask about runs: the state of a run that they remember, and its end.

use std::hash::{Hash, Hasher};

use crate::common::collections::HashSet;
use crate::common::outcomes::{Decision, OutcomeKind};
use crate::config::{LawMail, StatusPatterns};
use crate::model::{ActivityId, Workflow};
use crate::simulate::{Plan, Record, Values};
use crate::text::is_match;

/// The state of the laws of a service in a run. The laws do not distinguish runs with equal states.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MonitorState {
    /// The number of calls of each method, up to the largest number that matters.
    pub(super) calls: Vec<u8>,
    /// Whether each mail was sent.
    pub(super) mails: Vec<bool>,
    /// The last decision of each Approval.
    pub(super) approvals: Vec<Option<Decision>>,
    pub(super) statuses: Vec<Progress>,
    pub(super) orders: Vec<OrderState>,
}

impl MonitorState {
    pub(super) fn new(tracked: &Tracked<'_>) -> Self {
        Self {
            calls: vec![0; tracked.methods.len()],
            mails: vec![false; tracked.mails.len()],
            approvals: vec![None; tracked.approvals.len()],
            statuses: vec![Progress::start(); tracked.statuses.len()],
            orders: vec![OrderState::Waiting; tracked.orders.len()],
        }
    }

    pub(super) fn advance(&mut self, tracked: &Tracked<'_>, record: &Record<'_>, plan: &Plan<'_>) {
        for (calls, method) in self.calls.iter_mut().zip(&tracked.methods) {
            let called = record.calls.iter().filter(|call| {
                let provider = plan.activity(call.activity).and_then(|activity| activity.provider());
                provider.and_then(|provider| provider.method.value()) == Some(method.name)
            });
            let called = called.take(usize::from(method.enough)).map(|_| 1).sum::<u8>();
            *calls = calls.saturating_add(called).min(method.enough);
        }
        for (is_sent, expected) in self.mails.iter_mut().zip(&tracked.mails) {
            *is_sent |= record.mails.iter().any(|mail| {
                expected.to.as_ref().is_none_or(|to| to.trim().eq_ignore_ascii_case(&mail.to))
                    && expected.kind.is_none_or(|kind| kind == mail.kind)
            });
        }
        for (last, name) in self.approvals.iter_mut().zip(&tracked.approvals) {
            let has_name = |id| plan.activity(id).is_some_and(|activity| activity.name.value() == Some(*name));
            let decided = record.approvals.iter().rev().find(|(id, _)| has_name(*id));
            *last = decided.map(|(_, decision)| *decision).or(*last);
        }
        for (progress, patterns) in self.statuses.iter_mut().zip(&tracked.statuses) {
            for (_, text) in &record.statuses {
                progress.advance(patterns, text.as_str());
            }
        }
        for (state, order) in self.orders.iter_mut().zip(&tracked.orders) {
            for begun in &record.begun {
                *state = order.advance(*state, *begun, plan.workflow);
            }
        }
    }

    /// Adds the state to the bytes of a key. Two states of one service are equal when their bytes are.
    pub fn write(&self, key: &mut Vec<u8>) {
        self.hash(&mut KeyBytes(key));
    }
}

/// The hashed bytes themselves.
struct KeyBytes<'k>(&'k mut Vec<u8>);

impl Hasher for KeyBytes<'_> {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// The tracked items, in the order of the state.
#[derive(Debug, Default)]
pub struct Tracked<'l> {
    pub methods: Vec<TrackedMethod<'l>>,
    pub mails: Vec<&'l LawMail>,
    /// Names of Approvals.
    pub approvals: Vec<&'l str>,
    pub statuses: Vec<&'l StatusPatterns>,
    pub orders: Vec<Order<'l>>,
}

#[derive(Debug)]
pub struct TrackedMethod<'l> {
    pub name: &'l str,
    /// Larger numbers of calls are not distinguished from this one.
    pub enough: u8,
}

/// Adds an item that is tracked; its index.
pub fn track<T>(tracked: &mut Vec<T>, item: T) -> usize {
    tracked.push(item);
    tracked.len() - 1
}

/// A pair of names, with the activities that have them.
#[derive(Debug)]
pub struct Order<'l> {
    pub first: &'l str,
    /// The activity that must have ended when `first` begins.
    pub second: &'l str,
    of_first: HashSet<ActivityId>,
    of_second: HashSet<ActivityId>,
}

/// The state of an order in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderState {
    /// The second has not begun.
    Waiting,
    /// The second, this activity, has begun; it ends when an activity outside of it begins.
    Running(ActivityId),
    /// The second has ended, so the first may begin.
    Kept,
    /// The first has begun too early: this activity.
    Broken(ActivityId),
}

impl<'l> Order<'l> {
    pub fn new(first: &'l str, second: &'l str, workflow: &Workflow<'_>) -> Self {
        let named = |name: &str| {
            let named = workflow.activities.iter().filter(|activity| activity.name.value() == Some(name));
            named.map(|activity| activity.id).collect()
        };
        Self { first, second, of_first: named(first), of_second: named(second) }
    }

    /// The state after an activity has begun.
    pub fn advance(&self, state: OrderState, begun: ActivityId, workflow: &Workflow<'_>) -> OrderState {
        let has_ended = match state {
            OrderState::Kept | OrderState::Broken(_) => return state,
            OrderState::Waiting => false,
            OrderState::Running(second) => {
                // Activities run one after the other: only those inside of one begin before it has ended.
                workflow.activity(second).is_none_or(|second| begun <= second.id || begun >= second.end)
            }
        };
        if has_ended {
            OrderState::Kept
        } else if self.of_first.contains(&begun) {
            OrderState::Broken(begun)
        } else if self.of_second.contains(&begun) {
            OrderState::Running(begun)
        } else {
            state
        }
    }
}

/// The states of the nondeterministic automaton of the patterns, in increasing order: each is a number of leading
/// patterns that the last texts match.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Progress(Vec<u32>);

impl Progress {
    /// Before any text.
    pub fn start() -> Self {
        Self(vec![0])
    }

    /// After one more text.
    pub fn advance(&mut self, patterns: &StatusPatterns, text: &str) {
        let matched = |&position: &u32| {
            let pattern = patterns.texts.get(position as usize)?;
            is_match(pattern, text).then_some(position + 1)
        };
        let later = self.0.iter().filter_map(matched);
        self.0 = if patterns.others_before { [0].into_iter().chain(later).collect() } else { later.collect() };
    }

    /// Whether the texts so far are those of the patterns.
    pub fn is_complete(&self, patterns: &StatusPatterns) -> bool {
        self.0.last().is_some_and(|last| *last as usize == patterns.texts.len())
    }
}

/// The end of a run.
#[derive(Debug, Clone, Copy)]
pub struct Final<'f> {
    /// `Stuck` for a cycle; never `Refused`.
    pub outcome: OutcomeKind,
    pub values: &'f Values,
    /// The message of the failure.
    pub failure: Option<&'f str>,
    /// Whether everybody who was asked to approve or sign acted.
    pub everybody_acted: bool,
}

/// The verdict of a law on a run that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Index of the law in the configuration.
    pub law: usize,
    /// Whether the run meets the law's `when`.
    pub is_met: bool,
    pub breach: Option<Breach>,
}

/// How a run breaks a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The activity at fault; `None` for the one at which the run ends.
    pub activity: Option<ActivityId>,
    /// In one line. It may hold values of masked variables, which reports hide.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asterisks_stand_for_any_text() {
        for (pattern, text, wanted) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("", "", true),
            ("*", "", true),
            ("*", "a*b", true),
            ("**", "a", true),
            ("a*", "ba", false),
            ("a*", "a", true),
            ("*a", "ba", true),
            ("*a", "ab", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*rejected*", "The contract was rejected.", true),
            ("*rejected*", "Rejected", false),
            ("a*b*c", "a c b c", true),
            ("a*b*c", "a c b", false),
            ("*aab*", "aaab", true),
            ("*é*", "é", true),
        ] {
            assert_eq!(is_match(pattern, text), wanted, "{pattern} {text}");
        }
    }

    fn is_complete(others_before: bool, patterns: &[&str], texts: &[&str]) -> bool {
        let texts_of = patterns.iter().map(|&text| text.to_owned()).collect();
        let patterns = StatusPatterns { others_before, texts: texts_of };
        let mut progress = Progress::start();
        for text in texts {
            progress.advance(&patterns, text);
        }
        progress.is_complete(&patterns)
    }

    #[test]
    fn all_texts_match_in_order_or_the_last_ones() {
        for (others_before, patterns, texts, wanted) in [
            (false, &["a", "b"][..], &["a", "b"][..], true),
            (false, &["a", "b"], &["a"], false),
            (false, &["a", "b"], &["a", "b", "b"], false),
            (false, &["a", "b"], &["x", "a", "b"], false),
            (false, &[], &[], true),
            (false, &[], &["a"], false),
            (true, &["a", "b"], &["x", "a", "b"], true),
            (true, &["a", "b"], &["a", "b"], true),
            (true, &["a", "b"], &["a", "b", "x"], false),
            (true, &["a", "b"], &["b"], false),
            (true, &["a", "a", "b"], &["a", "a", "a", "b"], true),
            (true, &["*", "b"], &["x", "b", "b"], true),
            (true, &[], &["a"], true),
        ] {
            assert_eq!(is_complete(others_before, patterns, texts), wanted, "{others_before} {patterns:?} {texts:?}");
        }
    }
}
