use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF416",
    name: "too-complex",
    severity: Severity::Info,
    page: include_str!("../../../rules/WF416-too-complex.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let config = cx.config;
    for analysis in &cx.workflows {
        if analysis.paths.is_incomplete {
            let message = "workflow with too many paths to follow: rules that need all paths are not checked";
            out.report(&Place::of_activities(analysis), message).help("split the workflow, or compare fewer variables");
        }
        let activities = &analysis.workflow.activities;
        if let Some(limit) = config.max_activities {
            let beyond = activities.get(limit);
            let message = || {
                format!("too many activities: {} in the workflow, but `max-activities` is {limit}", activities.len())
            };
            report_beyond(analysis, beyond, message, out);
        }
        if let Some(limit) = config.max_branches {
            let branches: Vec<_> = activities.iter().filter(|activity| branches(activity)).collect();
            let beyond = branches.get(limit).copied();
            let message =
                || format!("too many branches: {} in the workflow, but `max-branches` is {limit}", branches.len());
            report_beyond(analysis, beyond, message, out);
        }
        if let Some(limit) = config.max_nesting {
            let depths = depths(analysis);
            let deepest = depths.iter().copied().max().unwrap_or_default();
            let beyond =
                activities.iter().zip(&depths).find(|(_, depth)| **depth > limit).map(|(activity, _)| activity);
            let message = || format!("nesting too deep: {deepest} levels, but `max-nesting` is {limit}");
            report_beyond(analysis, beyond, message, out);
        }
    }
}

/// Reports the first activity beyond a limit.
fn report_beyond(
    analysis: &Analysis<'_>,
    beyond: Option<&Activity<'_>>,
    message: impl FnOnce() -> String,
    out: &mut Reporter<'_>,
) {
    if let Some(activity) = beyond {
        out.report(&Place::value(analysis.file, activity.node), message())
            .help("split the workflow, or raise the limit under `[limits]` in wflint.toml");
    }
}

/// Whether an activity adds a path.
const fn branches(activity: &Activity<'_>) -> bool {
    matches!(activity.kind, ActivityKind::If { .. } | ActivityKind::While { .. } | ActivityKind::Event { .. })
}

/// The nesting depth of each activity; 1 at the top level.
fn depths(analysis: &Analysis<'_>) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::new();
    for activity in &analysis.workflow.activities {
        // Parents come before their children.
        let outer = activity.parent.and_then(|parent| depths.get(parent.0 as usize)).copied().unwrap_or_default();
        depths.push(outer + 1);
    }
    depths
}
