//! WF503

use crate::diagnostic::Severity;
use crate::model::{Binding, Member};
use crate::rules::approval::approvals;
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF503",
    name: "reminder-after-timeout",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF503-reminder-after-timeout.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, _, approval) in approvals(cx) {
        let number =
            |member: &Member<Binding<'_>>| member.get()?.literal()?.1.as_number().filter(|&number| number > 0.0);
        let (Some(timeout), Some(remind)) = (number(&approval.timeout), number(&approval.remind_time)) else {
            continue;
        };
        let Some(node) = approval.remind_time.node().filter(|_| remind >= timeout) else { continue };
        let mut draft = out.report(
            &Place::value(analysis.file, node),
            format!("the reminder after {remind} never comes: the approval times out after {timeout}"),
            "remind earlier, or let the approval time out later",
        );
        if let Some(timeout) = approval.timeout.node() {
            draft = draft.related(&Place::value(analysis.file, timeout), "times out here");
        }
        drop(draft);
    }
}
