use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::model::Kind;
use crate::rules::{Cause, Reporter, Rule};

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
        if !matches!(activity.kind, Kind::Event { .. }) {
            continue;
        }
        let around = activity.parent.and_then(|parent| analysis.workflow.activity(parent));
        // Inside an activity of no known type it may well be at its place.
        let may_be_right = around.is_some_and(|around| {
            matches!(around.kind, Kind::Approval(_) | Kind::Declared { .. } | Kind::Unknown { .. })
        });
        if !may_be_right {
            let message = format!("misplaced event {}, which never runs outside an Approval", activity.display_name());
            let mut draft = out.report(&Place::value(analysis.file, activity.node), message);
            draft.help("move it into the Approval whose decision it handles");
            for around in analysis.workflow.ancestors(activity) {
                draft.explains(Cause::Node(analysis.file, around.node));
            }
        }
    }
}
