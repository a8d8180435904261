//! Approval: people are asked, answer or are reminded, until one approves, all have rejected, or
//! the time is over.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{number, run_children};
use jiff::SignedDuration;

use crate::document::NodeId;
use crate::model::{Activity, Approval, Binding, Kind, Member};
use crate::simulate::assumption::Assumption;
use crate::simulate::clock::{self, Due, Priority};
use crate::simulate::quote;
use crate::simulate::run::{Run, Timer};
use crate::simulate::scenario::{Answers, ApprovalAction, ApprovalRuns, Approvals, Decision, MailKind};
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::{Event, Text};

/// Events that an Approval fires (reference, Events).
const ON_APPROVE: &str = "OnForeachApprove";
const ON_REJECT: &str = "OnForeachReject";

/// An answer that somebody is going to give.
#[derive(Debug)]
struct Answer {
    due: Due,
    who: Arc<str>,
    approves: bool,
}

pub(super) fn run<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
) -> Result<(), Stop> {
    let timeout_approves = check_kind(run, activity, approval)?;
    let assignees = assignees(run, activity, approval)?;
    let timeout = duration(run, activity, "timeout", &approval.timeout)?;
    let index = ask(run, activity, approval, &assignees)?;
    let asked_at = run.clock.now();
    let timeout =
        timeout.map(|after| Due { at: asked_at.after(after), priority: Priority::Timeout, order: index as u64 });
    if timeout.is_none() {
        run.assume(Assumption::NoTimeout);
    }
    let mut answers = answers(run, activity, &assignees);
    let decision = loop {
        let next = answers.front().map(|answer| answer.due);
        let (due, is_timeout) = match (next, timeout) {
            (Some(answer), Some(timeout)) if timeout < answer => (timeout, true),
            (Some(answer), _) => (answer, false),
            (None, Some(timeout)) => (timeout, true),
            (None, None) => return Err(nobody_left(run, activity, index)),
        };
        run.wait_until(due)?;
        run.resume(activity);
        if is_timeout {
            break Decision::TimedOut;
        }
        let Some(answer) = answers.pop_front() else { continue };
        let Some(waiting) = run.waiting.get_mut(index) else { continue };
        // The second answer of one person does not count.
        let Some(at) = waiting.iter().position(|who| *who == answer.who) else { continue };
        waiting.remove(at);
        let left = waiting.len();
        run.note(Event::Answered { who: Arc::clone(&answer.who), approves: answer.approves });
        let decision = match (answer.approves, left) {
            (true, _) => Some(Decision::Approved),
            (false, 0) => Some(Decision::Rejected),
            (false, _) => None,
        };
        if let Some(decision) = decision {
            decide(run, activity, approval, index, decision, answer.approves);
        }
        fire(run, activity, if answer.approves { ON_APPROVE } else { ON_REJECT })?;
        run.resume(activity);
        if let Some(decision) = decision {
            break decision;
        }
    };
    if decision == Decision::TimedOut {
        decide(run, activity, approval, index, decision, timeout_approves);
    }
    Ok(())
}

/// Checks that the approval is of the kind that is documented; whether its timeout approves.
fn check_kind<'p>(run: &Run<'p, '_>, activity: &Activity<'p>, approval: &Approval<'p>) -> Result<bool, Stop> {
    let refuse = |name: &str, value: &str, node: NodeId| {
        let message = format!("{}: `{name}` {} is not simulated", run.plan.name(activity), quote(value));
        run.fail(node, message)
    };
    for (name, member, known) in
        [("approvalType", &approval.approval_type, "parallel"), ("required", &approval.required, "one")]
    {
        match *member {
            Member::Known(node, value) if value != known => return Err(refuse(name, value, node)),
            Member::Unknown(_) => return Err(run.unreadable(activity, name)),
            Member::Known(..) | Member::Absent => {}
        }
    }
    match approval.on_timeout {
        Member::Known(_, "approve") => Ok(true),
        Member::Known(_, "reject") | Member::Absent => Ok(false),
        Member::Known(node, value) => Err(refuse("onTimeout", value, node)),
        Member::Unknown(_) => Err(run.unreadable(activity, "onTimeout")),
    }
}

/// The mail addresses of those who are asked, each once.
fn assignees<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
) -> Result<Vec<Arc<str>>, Stop> {
    if approval.assignees.is_unknown() {
        return Err(run.unreadable(activity, "assignees"));
    }
    let mut assignees: Vec<Arc<str>> = Vec::new();
    let mut seen = crate::collections::HashSet::default();
    for assignee in approval.assignees.get().into_iter().flatten() {
        let Some(value) = run.read_member(activity, "assignees", &assignee.parameter)? else { continue };
        for mail in value.as_str().split([';', ',']).map(str::trim).filter(|mail| !mail.is_empty()) {
            if seen.insert(mail.to_lowercase()) {
                assignees.push(run.made(mail)?);
            }
        }
    }
    if assignees.is_empty() {
        let message = format!("{} has nobody to ask: its assignees are empty", run.plan.name(activity));
        let node = approval.assignees.node().unwrap_or(activity.node);
        return Err(run.fail(node, message));
    }
    Ok(assignees)
}

/// The time that a setting gives in seconds; `None` for 0 or nothing.
fn duration<'p>(
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
                "{} cannot use {} as `{name}`, which must be a number of seconds",
                run.plan.name(activity),
                quote(text)
            );
            let node = member.get().map_or(activity.node, |binding| binding.value.node().unwrap_or(binding.node));
            Err(run.fail(node, message))
        }
    }
}

fn is_true(value: Option<&Text<'_>>) -> bool {
    value.is_some_and(|value| value.as_str().trim().eq_ignore_ascii_case("true"))
}

/// Asks all at once, and plans the reminder; the index of the approval.
fn ask<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
    assignees: &[Arc<str>],
) -> Result<usize, Stop> {
    let notify = run.read_member(activity, "notifyAssignees", &approval.notify)?;
    let remind = run.read_member(activity, "remindAssignees", &approval.remind)?;
    let remind_time = duration(run, activity, "remindTime", &approval.remind_time)?;
    let index = run.waiting.len();
    run.waiting.push(assignees.to_vec());
    let list: Vec<&str> = assignees.iter().map(|who| &**who).collect();
    let list = run.made(list.join(", "))?;
    run.note(Event::Asked(list));
    let subject = subject("Approval needed", activity);
    if is_true(notify.as_ref()) {
        for who in assignees {
            run.send(who, MailKind::ApprovalRequest, &subject);
        }
    }
    if let Some(after) = remind_time.filter(|_| is_true(remind.as_ref())) {
        let at = run.clock.now().after(after);
        run.plan_timer(at, Priority::Reminder, Timer::RemindApprovers(index));
    }
    run.resume(activity);
    Ok(index)
}

fn subject(what: &str, activity: &Activity<'_>) -> Arc<str> {
    match activity.name.value() {
        Some(name) => format!("{what}: {name}").into(),
        None => Arc::from(what),
    }
}

/// Reminds those who have been asked for an approval and have not answered.
pub fn remind_approvers(run: &mut Run<'_, '_>, approval: usize) {
    let waiting = run.waiting.get(approval).cloned().unwrap_or_default();
    let subject: Arc<str> = Arc::from("Reminder: approval needed");
    for who in waiting {
        run.send(&who, MailKind::ApprovalReminder, &subject);
    }
}

/// What the scenario says of this run of the activity, for those who are asked; by time.
fn answers<'p>(run: &mut Run<'p, '_>, activity: &Activity<'p>, assignees: &[Arc<str>]) -> VecDeque<Answer> {
    let now = run.clock.now();
    let total = run.waiting.len() - 1;
    let own = run.approval_runs.entry(activity.id).or_default();
    let own_run = *own;
    *own += 1;
    let Some(given) = answers_of_run(run, activity, total, own_run) else { return VecDeque::new() };
    let mut answers = Vec::new();
    for person in given {
        let mail = person.mail.value.trim();
        let Some(who) = assignees.iter().find(|who| who.eq_ignore_ascii_case(mail)) else { continue };
        run.used.answer(&person.mail.place.pointer);
        let due = Due {
            at: now.after(person.after),
            priority: Priority::Person,
            order: u64::from(person.mail.place.span.start),
        };
        answers.push(Answer { due, who: Arc::clone(who), approves: person.action == ApprovalAction::Approve });
    }
    answers.sort_by_key(|answer| answer.due);
    answers.into()
}

fn answers_of_run<'p>(run: &Run<'p, '_>, activity: &Activity<'p>, total: usize, own_run: usize) -> Option<&'p Answers> {
    match &run.plan.scenario.approvals {
        Approvals::InOrder(runs) => runs.get(total).map(|answers| &answers.value),
        Approvals::Named(named) => {
            let name = activity.name.value()?;
            match &named.iter().find(|entry| entry.activity.value == name)?.runs {
                ApprovalRuns::Every(answers) => Some(answers),
                ApprovalRuns::Each(runs) => runs.get(own_run).map(|answers| &answers.value),
            }
        }
    }
}

/// Writes what was decided; from now on nobody is reminded.
fn decide<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
    index: usize,
    decision: Decision,
    result: bool,
) {
    if let Some(waiting) = run.waiting.get_mut(index) {
        waiting.clear();
    }
    run.record.approvals.push((activity.id, decision));
    run.note(Event::Decided(decision));
    run.write_result(&approval.result, result, Assumption::ApprovalResult);
}

/// Runs the children of every Event of this name.
fn fire<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, name: &str) -> Result<(), Stop> {
    for &id in activity.children() {
        let Some(child) = run.plan.activity(id) else { continue };
        let Kind::Event { event } = &child.kind else { continue };
        if event.value() == Some(name) {
            run.reach(child);
            run_children(run, child)?;
        }
    }
    Ok(())
}

fn nobody_left(run: &Run<'_, '_>, activity: &Activity<'_>, index: usize) -> Stop {
    let waiting = run.waiting.get(index).map_or(&[][..], Vec::as_slice);
    let who: Vec<String> = waiting.iter().take(3).map(|who| quote(who)).collect();
    let more = if waiting.len() > 3 { " and others" } else { "" };
    let message = format!(
        "{} waits for ever: it has no timeout, and {}{more} never answers",
        run.plan.name(activity),
        who.join(", ")
    );
    Stop::Stuck(Failure { message, location: Some(run.plan.at(activity.node)) })
}
