//! One run of an Approval, from asking to its decision.

use jiff::SignedDuration;

use super::answers::answers;
use super::ask::ask;
use super::settings;
use crate::model::{Activity, Approval, ON_APPROVE, ON_REJECT};
use crate::simulate::assumption::Assumption;
use crate::simulate::clock::{Due, Priority};
use crate::simulate::program::Target;
use crate::simulate::quote;
use crate::simulate::run::{ApprovalFrame, ApprovalStep, EventsFrame, Frame, Run, Waiting};
use crate::simulate::scenario::Decision;
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::Event;

pub(in crate::simulate::activity) fn begin<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
) -> Result<(), Stop> {
    let timeout_approves = settings::timeout_approves(run, activity, approval)?;
    let assignees = settings::assignees(run, activity, approval)?;
    let duration = settings::seconds(run, activity, "timeout", &approval.settings().timeout)?;
    let index = ask(run, activity, approval, &assignees)?;
    let timeout = duration.map(|after| Due {
        at: run.clock.now().after(after),
        priority: Priority::Timeout,
        order: index as u64,
    });
    if timeout.is_none() {
        run.assume(Assumption::NoTimeout);
    }
    let answers = answers(run, activity, &assignees);
    let next = ApprovalStep::Wait;
    let asked = run.clock.now();
    let frame = ApprovalFrame { activity, approval, index, asked, timeout, duration, timeout_approves, answers, next };
    run.push(Frame::Approval(Box::new(frame)));
    Ok(())
}

pub(in crate::simulate::activity) fn advance<'p>(run: &mut Run<'p, '_>, frame: ApprovalFrame<'p>) -> Result<(), Stop> {
    match frame.next {
        ApprovalStep::Wait => wait(run, frame),
        ApprovalStep::Answer => {
            run.resume(frame.activity);
            answer(run, frame);
            Ok(())
        }
        ApprovalStep::Timeout => {
            run.resume(frame.activity);
            let decision = Decision::TimedOut;
            decide(run, &frame, Verdict { decision, result: frame.timeout_approves, timeout: frame.duration });
            Ok(())
        }
        ApprovalStep::AfterEvents { is_decided } => {
            run.resume(frame.activity);
            if !is_decided {
                run.push(Frame::Approval(Box::new(ApprovalFrame { next: ApprovalStep::Wait, ..frame })));
            }
            Ok(())
        }
    }
}

/// Waits for the next answer or the timeout.
///
/// These are not timers of the clock: the children of an event may take time, and what falls due meanwhile waits here.
/// It is handled in the order in which it was due, even if that is in the past.
fn wait<'p>(run: &mut Run<'p, '_>, frame: ApprovalFrame<'p>) -> Result<(), Stop> {
    let (due, next) = match (frame.answers.front().map(|answer| answer.due), frame.timeout) {
        (Some(answer), Some(timeout)) if timeout < answer => (timeout, ApprovalStep::Timeout),
        (Some(answer), _) => (answer, ApprovalStep::Answer),
        (None, Some(timeout)) => (timeout, ApprovalStep::Timeout),
        (None, None) => return Err(nobody_left(run, frame.activity, frame.index)),
    };
    run.push(Frame::Approval(Box::new(ApprovalFrame { next, ..frame })));
    run.push(Frame::Wait(due));
    Ok(())
}

/// Takes the next answer, and runs the children of its Events.
fn answer<'p>(run: &mut Run<'p, '_>, mut frame: ApprovalFrame<'p>) {
    // Only the first answer of a person counts.
    let first = frame.answers.pop_front().and_then(|answer| {
        let waiting = run.waiting.get_mut(frame.index)?;
        waiting.remove(&answer.who).then(|| (answer, waiting.is_empty()))
    });
    let Some((answer, is_last)) = first else {
        run.push(Frame::Approval(Box::new(ApprovalFrame { next: ApprovalStep::Wait, ..frame })));
        return;
    };
    run.note(Event::Answered { who: answer.who, approves: answer.approves });
    let decision = if answer.approves { Some(Decision::Approved) } else { is_last.then_some(Decision::Rejected) };
    // The result is written before the event's children run, so that they can read it; later answers no longer
    // count, whatever time the children take.
    if let Some(decision) = decision {
        decide(run, &frame, Verdict { decision, result: answer.approves, timeout: None });
    }
    let events =
        EventsFrame { approval: frame.activity, event: if answer.approves { ON_APPROVE } else { ON_REJECT }, next: 0 };
    frame.next = ApprovalStep::AfterEvents { is_decided: decision.is_some() };
    run.push(Frame::Approval(Box::new(frame)));
    run.push(Frame::Events(events));
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
fn decide<'p>(run: &mut Run<'p, '_>, frame: &ApprovalFrame<'p>, verdict: Verdict) {
    if let Some(waiting) = run.waiting.get_mut(frame.index) {
        waiting.clear();
    }
    run.record.approvals.push((frame.activity.id, verdict.decision));
    run.note(match verdict.timeout {
        Some(after) => Event::TimedOut { after, approves: verdict.result },
        None => Event::Decided(verdict.decision),
    });
    let target = Target::of(frame.approval.result.get(), &run.plan.names);
    run.write_result(target, verdict.result, Assumption::ApprovalResult);
}

fn nobody_left(run: &Run<'_, '_>, activity: &Activity<'_>, index: usize) -> Stop {
    let waiting = run.waiting.get(index);
    let number = waiting.map_or(0, Waiting::len);
    let who: Vec<String> = waiting.into_iter().flat_map(Waiting::iter).take(3).map(|who| quote(who)).collect();
    let more = if number > 3 { " and others" } else { "" };
    let answer = if number == 1 { "answers" } else { "answer" };
    let message = format!(
        "approval {} waits forever: it has no timeout, and {}{more} never {answer}{}",
        run.plan.name(activity),
        who.join(", "),
        run.loops_around()
    );
    Stop::Stuck(Failure { message, location: Some(run.plan.at(activity.node)) })
}
