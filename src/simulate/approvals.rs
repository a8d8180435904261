//! Approval: people are asked, answer or are reminded, until one approves, all have rejected, or the timeout ends it.

use std::sync::Arc;

use jiff::SignedDuration;

use super::clock::{self, Due, Priority};
use super::oracle::Oracle;
use super::program::Target;
use super::run::{ApprovalFrame, ApprovalStep, EventsFrame, Frame, Run, Timer, Waiting};
use super::scenario::{Decision, MailKind};
use super::strings::{Text, number, quote, quote_value};
use super::subjects;
use super::trace::Event;
use super::trace::{Failure, Stop};
use crate::common::collections::HashSet;
use crate::model::Assumption;
use crate::model::{Activity, ActivityKind, Approval, Binding, Member, ON_APPROVE, ON_REJECT};

pub(super) fn begin<'p>(
    run: &mut Run<'p, '_>,
    oracle: &mut dyn Oracle,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
) -> Result<(), Stop> {
    let timeout_approves = timeout_approves(run, activity, approval)?;
    let assignees = assignees(run, activity, approval)?;
    let duration = seconds(run, activity, "timeout", &approval.settings().timeout)?;
    let index = ask(run, activity, approval, &assignees)?;
    let timeout = duration.map(|after| Due {
        at: run.clock.now().after(after),
        priority: Priority::Timeout,
        order: index as u64,
    });
    if timeout.is_none() {
        run.assume(Assumption::NoTimeout);
    }
    let own_runs = run.approval_runs.entry(activity.id).or_default();
    let own = *own_runs;
    *own_runs += 1;
    let answers = oracle.approval(run, activity, &assignees, own);
    let next = ApprovalStep::Wait;
    let asked = run.clock.now();
    let frame = ApprovalFrame { activity, approval, index, asked, timeout, duration, timeout_approves, answers, next };
    run.push(Frame::Approval(Box::new(frame)));
    Ok(())
}

pub(super) fn advance<'p>(run: &mut Run<'p, '_>, frame: ApprovalFrame<'p>) -> Result<(), Stop> {
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
        if decision == Decision::Rejected {
            run.assume(Assumption::Rejection);
        }
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

/// Asks everybody at once and plans the reminder; returns the index of the approval in [`Run::waiting`].
fn ask<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
    assignees: &[Arc<str>],
) -> Result<usize, Stop> {
    let notify = run.read_member(activity, "notifyAssignees", &approval.settings().notify)?;
    let remind = run.read_member(activity, "remindAssignees", &approval.settings().remind)?;
    let remind_time = seconds(run, activity, "remindTime", &approval.settings().remind_time)?;
    let index = run.waiting.len();
    run.waiting.push(Waiting::new(assignees));
    let list: Vec<&str> = assignees.iter().map(|who| &**who).collect();
    let list = run.built(list.join(", "))?;
    run.note(Event::Asked(list));
    let subject: Arc<str> = subjects::subject(subjects::APPROVAL, activity.name.value().unwrap_or_default()).into();
    if is_true(notify.as_ref()) {
        for who in assignees {
            run.send(who, MailKind::ApprovalRequest, &subject);
        }
    }
    if let Some(after) = remind_time.filter(|_| is_true(remind.as_ref())) {
        run.plan_timer(after, Priority::Reminder, Timer::RemindApprovers { approval: index });
    }
    run.resume(activity);
    Ok(index)
}

fn is_true(value: Option<&Text<'_>>) -> bool {
    value.is_some_and(|value| value.as_str().trim().eq_ignore_ascii_case("true"))
}

/// Runs the children of the next Event.
pub(super) fn fire_next<'p>(run: &mut Run<'p, '_>, frame: EventsFrame<'p>) -> Result<(), Stop> {
    let Some(id) = frame.approval.children().get(frame.next) else { return Ok(()) };
    run.push(Frame::Events(EventsFrame { next: frame.next + 1, ..frame }));
    let Some(child) = run.plan.activity(*id) else { return Ok(()) };
    match &child.kind {
        ActivityKind::Event { event } if event.value() == Some(frame.event) => {
            run.reach(child);
            run.push_children(child)
        }
        _ => Ok(()),
    }
}

/// Reminds those who were asked for an approval and have not answered. A decided approval has
/// no approver left to remind.
pub fn remind_approvers(run: &mut Run<'_, '_>, approval: usize) {
    let waiting = run.waiting.get(approval).cloned().unwrap_or_default();
    let subject: Arc<str> = Arc::from(subjects::APPROVAL_REMINDER);
    for who in waiting.iter() {
        run.send(who, MailKind::ApprovalReminder, &subject);
    }
}

/// Checks that the approval is of the documented kind, and says whether its timeout approves.
fn timeout_approves<'p>(run: &Run<'p, '_>, activity: &Activity<'p>, approval: &Approval<'p>) -> Result<bool, Stop> {
    let members = [
        ("approvalType", &approval.approval_type),
        ("required", &approval.required),
        ("onTimeout", &approval.on_timeout),
    ];
    if let Some((name, _)) = members.into_iter().find(|(_, member)| matches!(member, Member::Unknown(_))) {
        return Err(run.unreadable(activity, name));
    }
    if let Some((name, node, value)) = approval.unknown_value() {
        let message = format!("`{name}` {} of {} is not simulated", quote(value), run.plan.name(activity));
        return Err(run.fail(node, message));
    }
    Ok(matches!(approval.on_timeout, Member::Known(_, "approve")))
}

/// The mail addresses of the people to ask, each once: an assignee's value may be a list.
fn assignees<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
) -> Result<Vec<Arc<str>>, Stop> {
    if approval.assignees.is_unknown() {
        return Err(run.unreadable(activity, "assignees"));
    }
    let mut assignees: Vec<Arc<str>> = Vec::new();
    let mut seen = HashSet::default();
    for assignee in approval.assignees.get().into_iter().flatten() {
        let Some(value) = run.read_member(activity, "assignees", &assignee.parameter)? else { continue };
        for mail in value.as_str().split([';', ',']).map(str::trim).filter(|mail| !mail.is_empty()) {
            if seen.insert(mail.to_lowercase()) {
                assignees.push(run.built(mail)?);
            }
        }
    }
    if assignees.is_empty() {
        let message = format!("missing assignees in {}, nobody to ask", run.plan.name(activity));
        let node = approval.assignees.node().unwrap_or(activity.node);
        return Err(run.fail(node, message));
    }
    Ok(assignees)
}

/// The duration of a member in seconds; `None` for 0, null and an unset variable.
fn seconds<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    name: &str,
    member: &'p Member<Binding<'p>>,
) -> Result<Option<SignedDuration>, Stop> {
    let value = run.read_member(activity, name, member)?;
    let text = value.as_ref().map_or("", |value| value.as_str()).trim();
    if text.is_empty() {
        return Ok(None);
    }
    match number(text).and_then(clock::seconds) {
        Some(time) if time.is_zero() => Ok(None),
        Some(time) => {
            run.assume(Assumption::Seconds);
            Ok(Some(time))
        }
        None => {
            let message = format!(
                "expected a number of seconds in `{name}` of {}, found {}",
                run.plan.name(activity),
                quote_value(text)
            );
            let node = member.get().map_or(activity.node, |binding| binding.value.node().unwrap_or(binding.node));
            Err(run.fail(node, message))
        }
    }
}
