use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, Kind};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF401",
    name: "unreachable-activity",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF401-unreachable-activity.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        let mut told: Vec<&Activity<'_>> = Vec::new();
        // From the inside outwards: an outer run whose reason is an inner one is not told again.
        for activity in analysis.workflow.activities.iter().rev() {
            if analysis.reaches(activity.id) && runs_children_in_order(activity) {
                check_siblings(analysis, activity.children(), &mut told, out);
            }
        }
        if let Some(roots) = analysis.workflow.roots.get() {
            check_siblings(analysis, roots, &mut told, out);
        }
    }
}

/// Children of other types are misplaced (WF010), or events.
const fn runs_children_in_order(activity: &Activity<'_>) -> bool {
    matches!(activity.kind, Kind::Sequence | Kind::While { .. } | Kind::If { .. } | Kind::Event { .. })
}

/// Tells the first of a run of siblings that no path reaches, though one reaches the sibling before
/// it. That the first of all is not reached is the fault of the condition around it (WF402).
fn check_siblings<'a>(
    analysis: &'a Analysis<'_>,
    siblings: &[ActivityId],
    told: &mut Vec<&'a Activity<'a>>,
    out: &mut Reporter<'_>,
) {
    let first = siblings.windows(2).find_map(|pair| match pair {
        &[before, after] if analysis.reaches(before) && !analysis.reaches(after) => Some((before, after)),
        _ => None,
    });
    let Some((before, after)) = first else { return };
    let (Some(before), Some(after)) = (analysis.workflow.activity(before), analysis.workflow.activity(after)) else {
        return;
    };
    let is_told = told.iter().any(|inner| analysis.workflow.ancestors(inner).any(|around| around.id == before.id));
    if is_told || ends_in_faulty_loop(analysis, before) {
        return;
    }
    told.push(after);
    let name = before.display_name();
    let has_terminate = std::iter::once(before)
        .chain(analysis.workflow.inside(before))
        .any(|inner| matches!(inner.kind, Kind::Terminate));
    let why = match before.kind {
        Kind::Terminate => format!("{name} before it ends the workflow"),
        _ if has_terminate => format!("every way through {name} before it ends the workflow"),
        _ => format!("{name} before it never ends"),
    };
    let rest = siblings.iter().skip_while(|&&id| id != after.id).count() - 1;
    let others = match rest {
        0 => String::new(),
        1 => " and the one after it".to_owned(),
        rest => format!(" and the {rest} after it"),
    };
    out.report(&Place::value(analysis.file, after.node), format!("this{others} can never run: {why}"))
        .help("remove what never runs, or put it where it is reached")
        .related(&Place::value(analysis.file, before.node), "no way leads past this");
}

/// Whether a loop that never ends is why nothing follows; its own rule tells it.
fn ends_in_faulty_loop(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    std::iter::once(activity).chain(analysis.workflow.inside(activity)).any(|inner| {
        let is_passed = analysis.control.after(inner.id).is_some_and(|after| analysis.paths.reaches(after));
        analysis.loop_faults.contains_key(&inner.id) && !is_passed
    })
}
