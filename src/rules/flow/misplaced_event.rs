use crate::facts::{Context, Place, without_activities};
use crate::model::ActivityKind;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;

pub const RULE: Rule = rule!("WF410-misplaced-event", Error, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        if !matches!(activity.kind, ActivityKind::Event { .. }) {
            continue;
        }
        let parent = activity.parent.and_then(|parent| analysis.workflow.activity(parent));
        // An undocumented type may have events.
        let may_have_events = parent.is_some_and(|parent| {
            matches!(
                parent.kind,
                ActivityKind::Approval(_) | ActivityKind::Declared { .. } | ActivityKind::Unknown { .. }
            )
        });
        if !may_have_events {
            let message = format!("misplaced event {}, which never runs outside an Approval", activity.display_name());
            let mut draft = out.report(&Place::value(analysis.file, activity.node), message);
            draft.help("move it into the Approval whose decision it handles");
            // Without activities it does nothing, wherever it is.
            if let Some(removal) = without_activities(cx, analysis, &[activity]) {
                draft.fix(Applicability::Safe, removal.title("the empty event"), removal.edits);
            }
            for ancestor in analysis.workflow.ancestors(activity) {
                draft.cause(Cause::Node(analysis.file, ancestor.node));
            }
        }
    }
}
