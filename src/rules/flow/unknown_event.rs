use crate::facts::{Context, Place};
use crate::model::{Activity, ActivityKind, Assumption, EVENTS};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Severity, quote};

pub const RULE: Rule = rule!("WF411-unknown-event", Info | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let ActivityKind::Event { event } = &activity.kind else { continue };
        // Other types may have other events.
        let parent = activity.parent.and_then(|parent| analysis.workflow.activity(parent));
        if parent.is_some_and(|it| matches!(it.kind, ActivityKind::Declared { .. } | ActivityKind::Unknown { .. })) {
            continue;
        }
        let Some((node, name)) = event.known().filter(|(_, name)| !EVENTS.contains(name)) else { continue };
        let place = Place::value(analysis.file, node);
        let message = if name.is_empty() {
            format!("missing key `event` of {}, which may never run", activity.display_name())
        } else {
            format!("unknown event {}, which may never run", quote(name))
        };
        match cx.suggester.nearest(name, EVENTS) {
            Some(near) => {
                let siblings = parent.into_iter().flat_map(Activity::children);
                let mut siblings = siblings.filter_map(|&child| analysis.workflow.activity(child));
                // A second event of the name would have to be joined with the first.
                let is_there =
                    siblings.any(|it| matches!(&it.kind, ActivityKind::Event { event } if event.value() == Some(near)));
                let is_only = !is_there && cx.suggester.is_only(name, near, EVENTS);
                out.report(&place, message).suggest(near, is_only, "event", node).severity(Severity::Warning);
            }
            None => {
                out.report(&place, message)
                    .assumes(Assumption::UnknownEvents)
                    .help("use one of the documented events `OnForeachApprove` and `OnForeachReject`");
            }
        }
    }
}
