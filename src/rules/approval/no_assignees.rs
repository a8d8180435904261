use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::model::{Assignee, Member};
use crate::rules::approval::approvals;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF501",
    name: "no-assignees",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF501-no-assignees.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity, approval) in approvals(cx) {
        let place = Place::value(analysis.file, approval.assignees.node().unwrap_or(activity.node));
        let help = "bind an assignee to the variable that holds the approvers' mail addresses";
        match &approval.assignees {
            Member::Unknown(_) => {}
            Member::Known(_, assignees) if !assignees.is_empty() => {
                let nobody: Vec<_> = assignees.iter().filter(|assignee| names_nobody(assignee)).collect();
                if nobody.is_empty() {
                    continue;
                }
                let message = if nobody.len() == assignees.len() {
                    "no assignee is given a value, so nobody can decide this Approval"
                } else {
                    "not every assignee is given a value, so not everybody who is meant is asked"
                };
                let mut draft = out.report(&place, message);
                draft.help(help);
                for assignee in nobody {
                    draft.related(&Place::value(analysis.file, assignee.node), "this one names nobody");
                }
            }
            _ => {
                out.report(&place, "this Approval has no assignee, so nobody can decide it").help(help);
            }
        }
    }
}

/// Whether an assignee is of the shown type and sure to name nobody.
pub fn names_nobody(assignee: &Assignee<'_>) -> bool {
    let is_shown = match assignee.kind {
        Member::Known(_, kind) => kind == "Parameter",
        Member::Absent => true,
        Member::Unknown(_) => false,
    };
    let is_empty = match &assignee.parameter {
        Member::Absent => true,
        Member::Unknown(_) => false,
        Member::Known(_, binding) => binding.is_empty(),
    };
    is_shown && is_empty
}
