use crate::common::collections::HashMap;
use crate::facts::{Context, Place, without_activities};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind};
use crate::rules::{Draft, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, quote};

pub const RULE: Rule = rule!("WF412-duplicate-event", Warning, check, fixes: Fixes::SafeOrUnsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        if activity.approval().is_none() {
            continue;
        }
        let mut events: HashMap<&str, Vec<&Activity<'_>>> = HashMap::default();
        for child in activity.children().iter().filter_map(|&child| analysis.workflow.activity(child)) {
            let ActivityKind::Event { event } = &child.kind else { continue };
            if let Some(name) = event.value().filter(|name| !name.is_empty()) {
                events.entry(name).or_default().push(child);
            }
        }
        let mut repeated: Vec<_> = events.into_iter().filter(|(_, events)| events.len() > 1).collect();
        repeated.sort_by_key(|(_, events)| events.first().map(|first| first.id));
        for (name, events) in repeated {
            for event in events.iter().skip(1) {
                let message =
                    format!("duplicate event {} in {}, only one of them may run", quote(name), activity.display_name());
                let mut draft = out.report(&Place::value(analysis.file, event.node), message);
                draft.help("move the activities of both into one event");
                if let Some(first) = events.first() {
                    draft.related(&Place::value(analysis.file, first.node), "first event of this name");
                }
                fix(cx, analysis, &events, event, &mut draft);
            }
        }
    }
}

/// Removes the event if it is empty; the first one instead if only that is and there are two.
fn fix<'a>(
    cx: &Context<'a>,
    analysis: &Analysis<'a>,
    events: &[&Activity<'a>],
    event: &Activity<'a>,
    draft: &mut Draft<'_>,
) {
    let is_empty = |event: &Activity<'_>| event.children().is_empty() && !event.children.is_unknown();
    let empty = match events {
        _ if is_empty(event) => event,
        [first, _] => first,
        _ => return,
    };
    // Which of several events runs is not documented. Where all are empty, nothing runs.
    let are_alike = events.iter().all(|event| is_empty(event));
    let applicability = if are_alike { Applicability::Safe } else { Applicability::Unsafe };
    if let Some(removal) = without_activities(cx, analysis, &[empty]) {
        draft.fix(applicability, removal.title(&format!("the empty event {}", empty.display_name())), removal.edits);
    }
}
