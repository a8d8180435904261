use crate::facts::{Context, Place, without_activities};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind, Member};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;

pub const RULE: Rule = rule!("WF408-empty-container", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let (noun, consequence) = match activity.kind {
            ActivityKind::Sequence => ("Sequence", "which does nothing"),
            ActivityKind::While { .. } => ("loop", "which only waits"),
            ActivityKind::If { .. } => ("If", "whose condition decides nothing"),
            _ => continue,
        };
        let is_empty = match &activity.children {
            Member::Absent => true,
            Member::Known(_, children) => children.is_empty(),
            Member::Unknown(_) => false,
        };
        if is_empty {
            let message = format!("empty {noun} {}, {consequence}", activity.display_name());
            let mut draft = out.report(&Place::value(analysis.file, activity.node), message);
            let may_go = !matches!(activity.kind, ActivityKind::While { .. }) && !tests_status(cx, analysis, activity);
            match may_go.then(|| without_activities(cx, analysis, &[activity])).flatten() {
                Some(removal) => draft.help("add activities to it, if something is to happen there").fix(
                    Applicability::Unsafe,
                    removal.title(&format!("the empty {noun}")),
                    removal.edits,
                ),
                None => draft.help("add activities to it, or remove it"),
            };
        }
    }
}

/// Whether a condition is about the status of a signing case, for which something has to happen.
fn tests_status(cx: &Context<'_>, analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    let Some(condition) = analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref()) else {
        return false;
    };
    let own = cx.workflows.iter().zip(cx.statuses()).find(|(workflow, _)| workflow.file == analysis.file);
    own.is_some_and(|(_, statuses)| condition.variables().any(|name| statuses.variables.contains_key(&name)))
}
