//! WF010

use crate::diagnostic::{Severity, quote};
use crate::graph::Analysis;
use crate::model::{Activity, Kind};
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF010",
    name: "misplaced-children",
    severity: Severity::Warning,
    other_severities: &[Severity::Error],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF010-misplaced-children.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some(list) = activity.children.node() else { continue };
        let place = Place::value(analysis.file, list);
        let Some(first) = misplaced(analysis, activity) else { continue };
        let name = quote(first.name.value().unwrap_or_default());
        let child = Place::value(analysis.file, first.node);
        match activity.type_name.value() {
            Some("Approval") => {
                let message = format!("an Approval holds nothing but Events, so {name} is never run");
                out.report(&place, message, "put it inside an Event of the Approval, or beside the Approval")
                    .severity(Severity::Error)
                    .related(&child, "not an Event");
            }
            other => {
                let noun = other.unwrap_or_default();
                let message = format!("a {noun} runs no children, so {name} is never run");
                out.report(&place, message, format!("put it after the {noun}")).related(&child, "never run");
            }
        }
    }
}

/// The first child that the activity does not run.
fn misplaced<'a>(analysis: &'a Analysis<'_>, activity: &Activity<'_>) -> Option<&'a Activity<'a>> {
    let mut children = activity.children().iter().filter_map(|&child| analysis.workflow.activity(child));
    let is_event = |child: &Activity<'_>| matches!(child.kind, Kind::Event { .. });
    match &activity.kind {
        // An Event there is told as one outside an Approval (WF410).
        Kind::Provider(_) | Kind::Assign(_) | Kind::Status { .. } | Kind::Terminate | Kind::Code(_) => {
            children.find(|child| !is_event(child))
        }
        Kind::Approval(_) => {
            let is_known = |child: &Activity<'_>| !matches!(child.kind, Kind::Declared { .. } | Kind::Unknown { .. });
            children.find(|child| !is_event(child) && is_known(child))
        }
        _ => None,
    }
}
