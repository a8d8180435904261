use crate::document::NodeId;
use crate::facts::{Context, Place, bind_value, variable_for_status};
use crate::model::{Activity, ActivityKind, Member};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF414-empty-status", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities().filter(|(_, activity)| is_empty_status(activity)) {
        let message = format!("empty status {}, which publishes nothing", activity.display_name());
        let mut draft = out.report(&Place::value(analysis.file, activity.node), message);
        let fitting = || variable_for_status(cx, analysis, activity);
        let status = status_alone(activity).filter(|_| draft.is_listed());
        if let Some((status, name)) = status.and_then(|status| Some((status, fitting()?))) {
            let edits = bind_value(cx, analysis, activity, status, name);
            let title = format!("bind it to {}", quote(name));
            draft.help("add a translation to `statusTranslations`").fix(Applicability::Unsafe, title, edits);
        } else {
            draft.help("bind `status` to a variable, or add a translation to `statusTranslations`");
        }
        activity.bindings(|status, _| {
            draft.cause(Cause::Node(analysis.file, status.node));
        });
    }
}

/// The value of a Status that has no place for a text: one with a locale was meant to say something else.
fn status_alone(activity: &Activity<'_>) -> Option<NodeId> {
    let ActivityKind::Status { status, translations } = &activity.kind else { return None };
    status.node().filter(|_| translations.get().is_none_or(|texts| texts.is_empty()))
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
