//! The answers that a scenario has for one run of an Approval.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::collections::HashMap;
use crate::model::Activity;
use crate::simulate::clock::{Due, Priority};
use crate::simulate::run::{ApprovalAnswer, Run};
use crate::simulate::scenario::{Answers, ApprovalAction, ApprovalRuns, Approvals};

/// The answers of those who are asked, in the order in which they are due. Called once for each run
/// of an Approval, right after its people were asked.
pub(super) fn answers<'p>(
    run: &mut Run<'p, '_>,
    activity: &Activity<'p>,
    assignees: &[Arc<str>],
) -> VecDeque<ApprovalAnswer> {
    let now = run.clock.now();
    let approvals_before = run.waiting.len() - 1;
    let own_runs = run.approval_runs.entry(activity.id).or_default();
    let own_runs_before = *own_runs;
    *own_runs += 1;
    let Some(people) = answers_of_run(run, activity, approvals_before, own_runs_before) else {
        return VecDeque::new();
    };
    let mut by_mail: HashMap<String, &Arc<str>> = HashMap::default();
    for who in assignees {
        by_mail.entry(who.to_ascii_lowercase()).or_insert(who);
    }
    let mut answers = Vec::new();
    for person in people {
        let Some(&who) = by_mail.get(&person.mail.value.trim().to_ascii_lowercase()) else { continue };
        run.used.answer(&person.mail.location.pointer);
        let due = Due {
            at: now.after(person.after),
            priority: Priority::Person,
            order: u64::from(person.mail.location.span.start),
        };
        answers.push(ApprovalAnswer { due, who: Arc::clone(who), approves: person.action == ApprovalAction::Approve });
    }
    answers.sort_by_key(|answer| answer.due);
    answers.into()
}

/// An array of the scenario is indexed by the runs of all Approvals, an array under a name by those
/// of this activity alone.
fn answers_of_run<'p>(
    run: &Run<'p, '_>,
    activity: &Activity<'p>,
    approvals_before: usize,
    own_runs_before: usize,
) -> Option<&'p Answers> {
    match &run.plan.scenario.approvals {
        Approvals::InOrder(runs) => runs.get(approvals_before).map(|answers| &answers.value),
        Approvals::Named(named) => {
            let name = activity.name.value()?;
            match &named.get(run.plan.index.approval(name)?)?.runs {
                ApprovalRuns::Every(answers) => Some(answers),
                ApprovalRuns::Each(runs) => runs.get(own_runs_before).map(|answers| &answers.value),
            }
        }
    }
}
