use crate::facts::{Context, Place};
use crate::model::ActivityKind;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::Severity;

pub const RULE: Rule = Rule {
    code: "WF410",
    name: "misplaced-event",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF410-misplaced-event.md"),
    check,
    ..Rule::DEFAULT
};

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
