use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::Severity;

pub const RULE: Rule = rule!("WF010-misplaced-children", Warning | Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some(children) = activity.children.node() else { continue };
        let Some(child) = misplaced(analysis, activity) else { continue };
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

/// The first child that the activity does not run; one that is an Event, or contains one, only if all others run.
fn misplaced<'a>(analysis: &'a Analysis<'_>, activity: &Activity<'_>) -> Option<&'a Activity<'a>> {
    let is_event = |child: &Activity<'_>| matches!(child.kind, ActivityKind::Event { .. });
    let is_misplaced = |child: &Activity<'_>| match &activity.kind {
        ActivityKind::Approval(_) => {
            !is_event(child) && !matches!(child.kind, ActivityKind::Declared { .. } | ActivityKind::Unknown { .. })
        }
        _ => activity.kind.runs_no_children(),
    };
    let children = activity.children().iter().filter_map(|&child| analysis.workflow.activity(child));
    let misplaced: Vec<_> = children.filter(|child| is_misplaced(child)).collect();
    let holds_event = |child: &Activity<'_>| is_event(child) || analysis.workflow.inside(child).any(is_event);
    misplaced.iter().find(|child| !holds_event(child)).or(misplaced.first()).copied()
}
