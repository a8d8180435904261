use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{Activity, Kind};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF010",
    name: "misplaced-children",
    severity: Severity::Warning,
    other_severities: &[Severity::Error],
    page: include_str!("../../../rules/WF010-misplaced-children.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some(list) = activity.children.node() else { continue };
        let place = Place::value(analysis.file, list);
        let Some(first) = misplaced(analysis, activity) else { continue };
        // Of what is misplaced inside something misplaced, the outermost is told.
        let is_told = activity
            .parent
            .and_then(|parent| analysis.workflow.activity(parent))
            .is_some_and(|parent| runs_none(parent));
        if is_told {
            continue;
        }
        let name = first.display_name();
        let child = Place::value(analysis.file, first.node);
        match activity.type_name.value() {
            Some("Approval") => {
                let message = format!("an Approval holds nothing but Events, so {name} is never run");
                out.report(&place, message)
                    .help("put it inside an Event of the Approval, or beside the Approval")
                    .severity(Severity::Error)
                    .related(&child, "not an Event");
            }
            other => {
                let noun = other.unwrap_or_default();
                let article = if noun.starts_with('A') { "an" } else { "a" };
                let message = format!("{article} {noun} runs no children, so {name} is never run");
                out.report(&place, message).help(format!("put it after the {noun}")).related(&child, "never run");
            }
        }
    }
}

/// Whether an activity is of a type that runs no children.
const fn runs_none(activity: &Activity<'_>) -> bool {
    matches!(activity.kind, Kind::Provider(_) | Kind::Assign(_) | Kind::Status { .. } | Kind::Terminate | Kind::Code(_))
}

/// The first child that the activity does not run.
fn misplaced<'a>(analysis: &'a Analysis<'_>, activity: &Activity<'_>) -> Option<&'a Activity<'a>> {
    let mut children = activity.children().iter().filter_map(|&child| analysis.workflow.activity(child));
    // An Event that is misplaced is told as one outside an Approval (WF410).
    let is_event = |child: &Activity<'_>| {
        std::iter::once(child)
            .chain(analysis.workflow.inside(child))
            .any(|inner| matches!(inner.kind, Kind::Event { .. }))
    };
    match &activity.kind {
        _ if runs_none(activity) => children.find(|child| !is_event(child)),
        Kind::Approval(_) => {
            let is_known = |child: &Activity<'_>| !matches!(child.kind, Kind::Declared { .. } | Kind::Unknown { .. });
            children.find(|child| !is_event(child) && is_known(child))
        }
        _ => None,
    }
}
