use crate::facts::{Context, Place};
use crate::model::{ActivityKind, Assumption, EVENTS};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::{Severity, quote};

pub const RULE: Rule = rule!("WF411-unknown-event", Info | Warning, check);

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
                out.report(&place, message).help(format!("did you mean `{near}`?")).severity(Severity::Warning);
            }
            None => {
                out.report(&place, message)
                    .assumes(Assumption::UnknownEvents)
                    .help("use one of the documented events `OnForeachApprove` and `OnForeachReject`");
            }
        }
    }
}
