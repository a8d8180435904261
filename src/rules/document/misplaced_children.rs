use crate::facts::{Context, Place, without_activities};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Severity};

pub const RULE: Rule = rule!("WF010-misplaced-children", Warning | Error, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some(children) = activity.children.node() else { continue };
        let misplaced = misplaced(analysis, activity);
        let holds_event = |child: &Activity<'_>| is_event(child) || analysis.workflow.inside(child).any(is_event);
        let rather = misplaced.iter().find(|child| !holds_event(child)).or(misplaced.first());
        let Some(&child) = rather else { continue };
        // Of nested misplaced activities, only the outermost is reported.
        let parent = activity.parent.and_then(|parent| analysis.workflow.activity(parent));
        if parent.is_some_and(|parent| parent.kind.runs_no_children()) {
            continue;
        }
        let kind = activity.type_name.value().unwrap_or_default();
        let is_approval = activity.approval().is_some();
        let reason = if is_approval { "run only their Events" } else { "run no children" };
        let mut draft = out.report(
            &Place::value(analysis.file, children),
            format!(
                "misplaced child {} of {}, {kind} activities {reason}",
                child.display_name(),
                activity.display_name()
            ),
        );
        if misplaced.iter().all(|child| does_nothing(child))
            && let Some(removal) = without_activities(cx, analysis, &misplaced)
        {
            let title = removal.title(if misplaced.len() > 1 { "the empty activities" } else { "the empty activity" });
            draft.fix(Applicability::Safe, title, removal.edits);
        }
        let child = Place::value(analysis.file, child.node);
        draft.cause(Cause::from(&child));
        if is_approval {
            draft
                .help("move it into an Event of the Approval, or after the Approval")
                .severity(Severity::Error)
                .related(&child, "not an Event");
        } else {
            draft.help(format!("move it after {}", activity.display_name())).related(&child, "never runs");
        }
    }
}

/// The children that the activity does not run.
fn misplaced<'a, 'd>(analysis: &'a Analysis<'d>, activity: &Activity<'_>) -> Vec<&'a Activity<'d>> {
    let is_misplaced = |child: &&Activity<'_>| match &activity.kind {
        ActivityKind::Approval(_) => {
            !is_event(child) && !matches!(child.kind, ActivityKind::Declared { .. } | ActivityKind::Unknown { .. })
        }
        _ => activity.kind.runs_no_children(),
    };
    let children = activity.children().iter().filter_map(|&child| analysis.workflow.activity(child));
    children.filter(is_misplaced).collect()
}

const fn is_event(activity: &Activity<'_>) -> bool {
    matches!(activity.kind, ActivityKind::Event { .. })
}

/// Whether an activity would do nothing, also where it runs.
fn does_nothing(activity: &Activity<'_>) -> bool {
    let is_container =
        matches!(activity.kind, ActivityKind::Sequence | ActivityKind::If { .. } | ActivityKind::Event { .. });
    is_container && activity.children().is_empty()
}
