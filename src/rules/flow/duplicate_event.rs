use crate::common::collections::HashMap;
use crate::facts::{Context, Place};
use crate::model::ActivityKind;
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::quote;

pub const RULE: Rule = rule!("WF412-duplicate-event", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        if activity.approval().is_none() {
            continue;
        }
        let mut first = HashMap::default();
        for child in activity.children().iter().filter_map(|&child| analysis.workflow.activity(child)) {
            let ActivityKind::Event { event } = &child.kind else { continue };
            let Some(name) = event.value().filter(|name| !name.is_empty()) else { continue };
            let Some(&earlier) = first.get(name) else {
                first.insert(name, child.node);
                continue;
            };
            let message =
                format!("duplicate event {} in {}, only one of them may run", quote(name), activity.display_name());
            out.report(&Place::value(analysis.file, child.node), message)
                .help("move the activities of both into one event")
                .related(&Place::value(analysis.file, earlier), "first event of this name");
        }
    }
}
