use crate::config::Config;
use crate::facts::{Context, MAX_AWAITED, Place};
use crate::graph::{Analysis, Effects};
use crate::model::{Activity, ActivityKind};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF416-too-complex", Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        report_unchecked_paths(analysis, out);
        report_unchecked_outputs(analysis, out);
        report_exceeded_limits(cx.config, analysis, out);
    }
    for while_loop in cx.loops() {
        if let Some(awaited) = while_loop.too_many_awaited() {
            let name = while_loop.activity.display_name();
            let message = format!("loop {name} waits for {awaited} statuses: only {MAX_AWAITED} are followed");
            out.report(&Place::value(while_loop.analysis.file, while_loop.activity.node), message)
                .help("wait for fewer cases in one loop");
        }
    }
}

/// Reports a workflow with more paths than the abstract interpreter follows, or keeps apart.
fn report_unchecked_paths(analysis: &Analysis<'_>, out: &mut Reporter<'_>) {
    let (place, message) = if analysis.paths.is_incomplete {
        let message = "workflow with too many paths to follow: rules that need all are not checked";
        (Place::of_activities(analysis), message.to_owned())
    } else if let Some(activity) = first_merged(analysis) {
        let name = activity.display_name();
        let message = format!("too many paths from {name} on: rules that need all are not checked there");
        (Place::value(analysis.file, activity.node), message)
    } else {
        return;
    };
    out.report(&place, message).help("split the workflow, or compare fewer variables");
}

/// Reports the first activity whose requested outputs exceed the limit of the analysis.
fn report_unchecked_outputs(analysis: &Analysis<'_>, out: &mut Reporter<'_>) {
    let requests_too_many =
        |effects: &Effects<'_>| effects.provider.as_ref().is_some_and(|provider| provider.are_too_many);
    let mut activities = analysis.workflow.activities.iter().zip(&analysis.effects);
    if let Some((activity, _)) = activities.find(|(_, effects)| requests_too_many(effects)) {
        let name = activity.display_name();
        let message = format!("too many requested outputs from {name} on: rules that need them are not checked there");
        out.report(&Place::value(analysis.file, activity.node), message).help("request fewer properties");
    }
}

/// Reports a workflow beyond the limits of the configuration.
fn report_exceeded_limits(config: &Config, analysis: &Analysis<'_>, out: &mut Reporter<'_>) {
    let activities = &analysis.workflow.activities;
    if let Some(limit) = config.max_activities {
        let message =
            || format!("too many activities: {} in the workflow, but `max-activities` is {limit}", activities.len());
        report_beyond(analysis, activities.get(limit), message, out);
    }
    if let Some(limit) = config.max_branches {
        let branches: Vec<_> = activities.iter().filter(|activity| branches(activity)).collect();
        let message =
            || format!("too many branches: {} in the workflow, but `max-branches` is {limit}", branches.len());
        report_beyond(analysis, branches.get(limit).copied(), message, out);
    }
    if let Some(limit) = config.max_nesting {
        let depths = depths(analysis);
        let deepest = depths.iter().copied().max().unwrap_or_default();
        let mut with_depths = activities.iter().zip(&depths);
        let beyond = with_depths.find(|(_, depth)| **depth > limit).map(|(activity, _)| activity);
        let message = || format!("nesting too deep: {deepest} levels, but `max-nesting` is {limit}");
        report_beyond(analysis, beyond, message, out);
    }
}

/// The first activity at which paths were merged and a rule that needs them all would judge: at a read, a condition or an
/// output.
fn first_merged<'c, 'a>(analysis: &'c Analysis<'a>) -> Option<&'c Activity<'a>> {
    let mut activities = analysis.workflow.activities.iter().zip(&analysis.effects);
    let is_judged =
        |effects: &Effects<'_>| !effects.reads.is_empty() || effects.condition.is_some() || effects.provider.is_some();
    activities.find(|(activity, effects)| analysis.is_merged(activity.id) && is_judged(effects)).map(|found| found.0)
}

/// Reports that no more similar names were searched for, once for a service. To be called after all rules.
pub fn check_suggestions(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let with_keys = cx.files.iter().filter(|file| cx.model.lacks_suggestions == Some(file.id));
    let mut documents = with_keys.chain(cx.files.iter().filter(|file| file.reported)).chain(&cx.files);
    let document = documents.find_map(|file| Some((file.id, file.document()?.1)));
    if let Some((file, document)) = document.filter(|_| cx.lacks_suggestions()) {
        let message = "unknown names without suggestions: too many to compare with the known ones";
        out.report(&Place::value(file, document.root()), message)
            .help("correct the names that are reported, then lint again");
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
