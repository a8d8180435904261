//! WF401

use crate::diagnostic::{Severity, quote};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, Kind};
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF401",
    name: "unreachable-activity",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF401-unreachable-activity.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        if let Some(roots) = analysis.workflow.roots.get() {
            check_siblings(analysis, roots, out);
        }
        for activity in &analysis.workflow.activities {
            if analysis.reaches(activity.id) && runs_children_in_order(activity) {
                check_siblings(analysis, activity.children(), out);
            }
        }
    }
}

/// Children of other types are misplaced (WF010), or events.
const fn runs_children_in_order(activity: &Activity<'_>) -> bool {
    matches!(activity.kind, Kind::Sequence | Kind::While { .. } | Kind::If { .. } | Kind::Event { .. })
}

/// Tells the first of a run of siblings that no path reaches, though one reaches the sibling before
/// it. That the first of all is not reached is the fault of the condition around it (WF402).
fn check_siblings(analysis: &Analysis<'_>, siblings: &[ActivityId], out: &mut Reporter<'_>) {
    let first = siblings.windows(2).find_map(|pair| match pair {
        &[before, after] if analysis.reaches(before) && !analysis.reaches(after) => Some((before, after)),
        _ => None,
    });
    let Some((before, after)) = first else { return };
    let (Some(before), Some(after)) = (analysis.workflow.activity(before), analysis.workflow.activity(after)) else {
        return;
    };
    if ends_in_faulty_loop(analysis, before) {
        return;
    }
    let name = quote(before.name.value().unwrap_or_default());
    let why = match before.kind {
        Kind::Terminate => format!("{name} ends the workflow"),
        Kind::While { .. } => format!("the loop {name} is left by no way but a Terminate"),
        _ => format!("every way through {name} ends the workflow"),
    };
    let rest = siblings.iter().skip_while(|&&id| id != after.id).count() - 1;
    let others = match rest {
        0 => String::new(),
        1 => " and the one after it".to_owned(),
        rest => format!(" and the {rest} after it"),
    };
    out.report(
        &Place::value(analysis.file, after.node),
        format!("this{others} can never run: {why} before"),
        "remove what never runs, or put it where it is reached",
    )
    .related(&Place::value(analysis.file, before.node), "no way leads past this");
}

/// Whether a loop that never ends is why nothing follows; its own rule tells it.
fn ends_in_faulty_loop(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    std::iter::once(activity).chain(analysis.workflow.inside(activity)).any(|inner| {
        let is_passed = analysis.control.after(inner.id).is_some_and(|after| analysis.paths.reaches(after));
        analysis.loop_faults.contains_key(&inner.id) && !is_passed
    })
}
