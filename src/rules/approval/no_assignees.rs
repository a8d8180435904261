use crate::facts::{Context, Place};
use crate::model::Member;
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = rule!("WF501-no-assignees", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for ApprovalSite { analysis, activity, approval } in approvals(cx) {
        let place = Place::value(analysis.file, approval.assignees.node().unwrap_or(activity.node));
        let name = activity.display_name();
        let help = "bind an assignee to the variable with the approvers' mail addresses";
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
                draft.help(help);
                for assignee in empty {
                    draft.related(&Place::value(analysis.file, assignee.node), "no value");
                    if let Some(binding) = assignee.parameter.get() {
                        draft.cause(Cause::Node(analysis.file, binding.node));
                    }
                }
            }
            _ => {
                out.report(&place, format!("missing assignees in {name}")).help(help);
            }
        }
    }
}
