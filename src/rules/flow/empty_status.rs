use crate::document::NodeId;
use crate::facts::{Context, Place, bind_value, insert_status, variable_for_status};
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
        let name = if draft.is_listed() && has_no_language(activity) { fitting() } else { None };
        if let Some(name) = name {
            let edits = match status_of(activity) {
                Some(status) => bind_value(cx, analysis, activity, status, name),
                None => insert_status(cx, analysis, activity, name),
            };
            let title = format!("bind `status` to {}", quote(name));
            draft.help("add a translation to `statusTranslations`").fix(Applicability::Unsafe, title, edits);
        } else {
            draft.help("bind `status` to a variable, or add a translation to `statusTranslations`");
        }
        activity.bindings(|status, _| {
            draft.cause(Cause::Node(analysis.file, status.node));
        });
    }
}

fn status_of(activity: &Activity<'_>) -> Option<NodeId> {
    let ActivityKind::Status { status, .. } = &activity.kind else { return None };
    status.node()
}

/// Whether a Status lists no language, whose missing text may be another one.
fn has_no_language(activity: &Activity<'_>) -> bool {
    let ActivityKind::Status { translations, .. } = &activity.kind else { return false };
    translations.get().is_none_or(|texts| texts.is_empty())
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
