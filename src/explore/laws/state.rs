//! The state of laws in a run.

use super::before::OrderState;
use super::statuses::Progress;
use super::tracked::Tracked;
use crate::outcomes::Decision;
use crate::simulate::{Plan, Record};

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
        key.extend(&self.calls);
        key.extend(self.mails.iter().map(|is_sent| u8::from(*is_sent)));
        let decision = |decision: &Option<Decision>| match decision {
            None => 0,
            Some(Decision::Approved) => 1,
            Some(Decision::Rejected) => 2,
            Some(Decision::TimedOut) => 3,
        };
        key.extend(self.approvals.iter().map(decision));
        self.statuses.iter().for_each(|progress| progress.write(key));
        self.orders.iter().for_each(|order| order.write(key));
    }
}
