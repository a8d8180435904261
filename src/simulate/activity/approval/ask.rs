//! Asking people for an approval.

use std::sync::Arc;

use super::settings::seconds;
use crate::model::{Activity, Approval};
use crate::simulate::clock::Priority;
use crate::simulate::run::{Run, Timer, Waiting};
use crate::simulate::scenario::MailKind;
use crate::simulate::stop::Stop;
use crate::simulate::text::Text;
use crate::simulate::trace::Event;

/// Asks everybody at once and plans the reminder; returns the index of the approval in [`Run::waiting`].
pub(super) fn ask<'p>(
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
    let subject = subject("Approval needed", activity);
    if is_true(notify.as_ref()) {
        for who in assignees {
            run.send(who, MailKind::ApprovalRequest, &subject);
        }
    }
    if let Some(after) = remind_time.filter(|_| is_true(remind.as_ref())) {
        let at = run.clock.now().after(after);
        run.plan_timer(at, Priority::Reminder, Timer::RemindApprovers { approval: index });
    }
    run.resume(activity);
    Ok(index)
}

fn is_true(value: Option<&Text<'_>>) -> bool {
    value.is_some_and(|value| value.as_str().trim().eq_ignore_ascii_case("true"))
}

fn subject(what: &str, activity: &Activity<'_>) -> Arc<str> {
    match activity.name.value() {
        Some(name) => format!("{what}: {name}").into(),
        None => Arc::from(what),
    }
}
