//! One run of an Approval, from asking to its decision.

use jiff::SignedDuration;

use super::answers::answers;
use super::ask::ask;
use super::settings;
use crate::model::{Activity, ActivityKind, Approval, ON_APPROVE, ON_REJECT};
use crate::simulate::assumption::Assumption;
use crate::simulate::clock::{Due, Priority};
use crate::simulate::quote;
use crate::simulate::run::Run;
use crate::simulate::scenario::Decision;
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::Event;

pub(in crate::simulate::activity) fn run<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
) -> Result<(), Stop> {
    let timeout_approves = settings::timeout_approves(run, activity, approval)?;
    let assignees = settings::assignees(run, activity, approval)?;
    let duration = settings::seconds(run, activity, "timeout", &approval.timeout)?;
    let index = ask(run, activity, approval, &assignees)?;
    let timeout = duration.map(|after| Due {
        at: run.clock.now().after(after),
        priority: Priority::Timeout,
        order: index as u64,
    });
    if timeout.is_none() {
        run.assume(Assumption::NoTimeout);
    }
    let mut answers = answers(run, activity, &assignees);
    loop {
        // Answers and the timeout are no timers of the clock: the children of an event may take time, and what falls
        // due meanwhile waits here. It is taken in the order in which it was due, also when that is in the past by now.
        let (due, is_timeout) = match (answers.front().map(|answer| answer.due), timeout) {
            (Some(answer), Some(timeout)) if timeout < answer => (timeout, true),
            (Some(answer), _) => (answer, false),
            (None, Some(timeout)) => (timeout, true),
            (None, None) => return Err(nobody_left(run, activity, index)),
        };
        run.wait_until(due)?;
        run.resume(activity);
        if is_timeout {
            let verdict = Verdict { decision: Decision::TimedOut, result: timeout_approves, timeout: duration };
            decide(run, activity, approval, index, verdict);
            return Ok(());
        }
        let Some(answer) = answers.pop_front() else { continue };
        let Some(waiting) = run.waiting.get_mut(index) else { continue };
        // Only the first answer of a person counts.
        let Some(at) = waiting.iter().position(|who| *who == answer.who) else { continue };
        waiting.remove(at);
        let is_last = waiting.is_empty();
        run.note(Event::Answered { who: answer.who, approves: answer.approves });
        let decision = if answer.approves { Some(Decision::Approved) } else { is_last.then_some(Decision::Rejected) };
        // The result is written before the event's children run, so that they can read it; later answers no longer
        // count, whatever time the children take.
        if let Some(decision) = decision {
            decide(run, activity, approval, index, Verdict { decision, result: answer.approves, timeout: None });
        }
        fire(run, activity, if answer.approves { ON_APPROVE } else { ON_REJECT })?;
        run.resume(activity);
        if decision.is_some() {
            return Ok(());
        }
    }
}

/// A decision, and the value of `approvalResult`.
#[derive(Clone, Copy)]
struct Verdict {
    decision: Decision,
    result: bool,
    /// The time that passed, when the timeout decided.
    timeout: Option<SignedDuration>,
}

/// Writes the decision; no reminders are sent after it.
fn decide<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
    index: usize,
    verdict: Verdict,
) {
    if let Some(waiting) = run.waiting.get_mut(index) {
        waiting.clear();
    }
    run.record.approvals.push((activity.id, verdict.decision));
    run.note(match verdict.timeout {
        Some(after) => Event::TimedOut { after, approves: verdict.result },
        None => Event::Decided(verdict.decision),
    });
    run.write_result(&approval.result, verdict.result, Assumption::ApprovalResult);
}

/// Runs the children of every Event of this name.
fn fire<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, name: &str) -> Result<(), Stop> {
    for &id in activity.children() {
        let Some(child) = run.plan.activity(id) else { continue };
        let ActivityKind::Event { event } = &child.kind else { continue };
        if event.value() == Some(name) {
            run.reach(child);
            run.run_children(child)?;
        }
    }
    Ok(())
}

fn nobody_left(run: &Run<'_, '_>, activity: &Activity<'_>, index: usize) -> Stop {
    let waiting = run.waiting.get(index).map_or(&[][..], Vec::as_slice);
    let who: Vec<String> = waiting.iter().take(3).map(|who| quote(who)).collect();
    let more = if waiting.len() > 3 { " and others" } else { "" };
    let answer = if waiting.len() == 1 { "answers" } else { "answer" };
    let message = format!(
        "approval {} waits forever: it has no timeout, and {}{more} never {answer}{}",
        run.plan.name(activity),
        who.join(", "),
        run.loops_around()
    );
    Stop::Stuck(Failure { message, location: Some(run.plan.at(activity.node)) })
}
