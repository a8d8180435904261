use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::model::{Kind, Member};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF408",
    name: "empty-container",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF408-empty-container.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let message = match activity.kind {
            Kind::Sequence => "this Sequence has no activities, so it does nothing",
            Kind::While { .. } => "this loop has no activities, so it only waits",
            Kind::If { .. } => "this If has no activities, so its condition decides nothing",
            _ => continue,
        };
        let is_empty = match &activity.children {
            Member::Absent => true,
            Member::Known(_, children) => children.is_empty(),
            Member::Unknown(_) => false,
        };
        if is_empty && !analysis.loop_faults.contains_key(&activity.id) {
            out.report(&Place::value(analysis.file, activity.node), message).help("add activities to it, or remove it");
        }
    }
}
