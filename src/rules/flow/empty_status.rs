use crate::facts::{Context, Place};
use crate::model::{Activity, ActivityKind, Member};
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = rule!("WF414-empty-status", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities().filter(|(_, activity)| is_empty_status(activity)) {
        let message = format!("empty status {}, which publishes nothing", activity.display_name());
        let mut draft = out.report(&Place::value(analysis.file, activity.node), message);
        draft.help("bind `status` to a variable, or add a translation to `statusTranslations`");
        activity.bindings(|status, _| {
            draft.cause(Cause::Node(analysis.file, status.node));
        });
    }
}

/// Whether an activity is a Status that certainly publishes nothing.
fn is_empty_status(activity: &Activity<'_>) -> bool {
    let ActivityKind::Status { status, translations } = &activity.kind else { return false };
    let has_no_value = match status {
        Member::Absent => true,
        Member::Unknown(_) => false,
        Member::Known(_, binding) => binding.is_empty(),
    };
    let has_no_text = match translations {
        Member::Absent => true,
        Member::Unknown(_) => false,
        Member::Known(_, texts) => texts.iter().all(|entry| entry.text == Some("")),
    };
    has_no_value && has_no_text
}
