use crate::facts::{Context, Place};
use crate::model::ActivityKind;
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = rule!("WF410-misplaced-event", Error, check);

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
            for ancestor in analysis.workflow.ancestors(activity) {
                draft.cause(Cause::Node(analysis.file, ancestor.node));
            }
        }
    }
}
