use crate::facts::{Context, Place, bind_value, insert_assignee, insert_assignees, variable_for_approvers};
use crate::graph::Analysis;
use crate::model::{Activity, Assignee, Member};
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Cause, Draft, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule = rule!("WF501-no-assignees", Error, check, fixes: Fixes::Unsafe);

const HELP: &str = "bind an assignee to the variable with the approvers' mail addresses";

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for ApprovalSite { analysis, activity, approval } in approvals(cx) {
        let place = Place::value(analysis.file, approval.assignees.node().unwrap_or(activity.node));
        let name = activity.display_name();
        match &approval.assignees {
            Member::Unknown(_) => {}
            Member::Known(_, assignees) if !assignees.is_empty() => {
                let empty: Vec<_> = assignees.iter().filter(|assignee| assignee.is_certainly_empty()).collect();
                if empty.is_empty() {
                    continue;
                }
                let message = if empty.len() == assignees.len() {
                    format!("missing assignees in {name}, no assignee has a value")
                } else {
                    format!("missing assignee in {name}, {} of {} has no value", empty.len(), assignees.len())
                };
                let mut draft = out.report(&place, message);
                draft.help(HELP);
                if let [assignee] = empty.as_slice() {
                    let bind = |value, name: &str| bind_value(cx, analysis, activity, value, name);
                    let value = assignee.parameter.node();
                    fix(cx, analysis, activity, assignees, &mut draft, |name| Some(bind(value?, name)));
                }
                for assignee in empty {
                    draft.related(&Place::value(analysis.file, assignee.node), "no value");
                    if let Some(binding) = assignee.parameter.get() {
                        draft.cause(Cause::Node(analysis.file, binding.node));
                    }
                }
            }
            _ => {
                let mut draft = out.report(&place, format!("missing assignees in {name}"));
                draft.help(HELP);
                fix(cx, analysis, activity, &[], &mut draft, |name| {
                    Some(match approval.assignees.node() {
                        Some(list) => insert_assignee(cx, analysis, activity, list, name),
                        None => insert_assignees(cx, analysis, activity, name),
                    })
                });
            }
        }
    }
}

/// Asks those whose addresses a lookup in the directory returns, if nobody asks them yet.
fn fix<'a>(
    cx: &Context<'a>,
    analysis: &'a Analysis<'a>,
    activity: &'a Activity<'a>,
    assignees: &[Assignee<'a>],
    draft: &mut Draft<'_>,
    edits: impl Fn(&str) -> Option<Vec<Edit>>,
) {
    if !draft.is_listed() {
        return;
    }
    let targets = assignees.iter().filter_map(|assignee| Some(assignee.parameter.get()?.target()?.1));
    let name = variable_for_approvers(cx, analysis, activity).filter(|name| !targets.clone().any(|it| it == *name));
    if let Some((name, edits)) = name.and_then(|name| Some((name, edits(name)?))) {
        draft.fix(Applicability::Unsafe, format!("ask {}", quote(name)), edits);
    }
}
