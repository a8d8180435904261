use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind, Approval, Assumption};
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF505-outcome-unused", Info, check, marks_unnecessary: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for ApprovalSite { analysis, activity, approval } in approvals(cx) {
        if receives_nothing(approval) && runs_nothing(analysis, activity) {
            out.report(
                &Place::value(analysis.file, activity.node),
                format!("outcome of {} is never used", activity.display_name()),
            )
            .assumes(Assumption::AfterRejection)
            .help("bind `approvalResult` to a variable and test it, or add activities to the events");
        }
    }
}

/// Whether the result is certain to be bound to no variable. A missing one is not evidence: exports are often trimmed by
/// hand.
fn receives_nothing(approval: &Approval<'_>) -> bool {
    approval.result.get().is_some_and(|binding| !binding.is_bound() && !binding.is_opaque())
}

/// Whether there are no children but Events without children.
fn runs_nothing(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    let is_empty_event = |child: &Activity<'_>| {
        matches!(child.kind, ActivityKind::Event { .. }) && !child.children.is_unknown() && child.children().is_empty()
    };
    activity.children.get().is_some_and(|children| {
        children.iter().all(|&child| analysis.workflow.activity(child).is_some_and(is_empty_event))
    })
}
