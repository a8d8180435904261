use crate::diagnostic::Severity;
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF413",
    name: "silent-termination",
    severity: Severity::Info,
    yields_to: YieldsTo::Rules(&["WF010", "WF401"]),
    page: include_str!("../../../rules/WF413-silent-termination.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in cx.workflows.iter().filter(|analysis| !analysis.paths.is_incomplete) {
        for activity in &analysis.workflow.activities {
            let is_silent = matches!(activity.kind, ActivityKind::Terminate)
                && analysis.reaches(activity.id)
                && !analysis.workflow.roots.is_unknown()
                && !publishes_before(analysis, activity);
            if is_silent {
                let message = format!("order ends without a status at {}", activity.display_name());
                let mut draft = out.report(&Place::value(analysis.file, activity.node), message);
                draft.help("publish a Status before it that says why the order ends");
                for misplaced in misplaced_lists(analysis, activity) {
                    draft.about(Cause::Node(analysis.file, misplaced));
                }
                if let Some(next) = next_sibling(analysis, activity).filter(|next| publishes(analysis, next.id)) {
                    draft.about(Cause::Node(analysis.file, next.node));
                }
            }
        }
    }
}

/// The lists of children around an activity that do not run it.
fn misplaced_lists(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Vec<NodeId> {
    let mut inner = activity;
    let mut lists = Vec::new();
    for ancestor in analysis.workflow.ancestors(activity) {
        let is_event = matches!(inner.kind, ActivityKind::Event { .. });
        if ancestor.kind.runs_no_children() || ancestor.approval().is_some() && !is_event {
            lists.extend(ancestor.children.node());
        }
        inner = ancestor;
    }
    lists
}

/// The activity that a Terminate keeps from running: that of a wrong order, if it publishes a status.
fn next_sibling<'a>(analysis: &'a Analysis<'_>, activity: &Activity<'_>) -> Option<&'a Activity<'a>> {
    let mut siblings = siblings(analysis, activity).iter().skip_while(|&&sibling| sibling != activity.id);
    siblings.nth(1).and_then(|&next| analysis.workflow.activity(next))
}

/// An activity and the others beside it, in their order.
fn siblings<'a>(analysis: &'a Analysis<'_>, activity: &Activity<'_>) -> &'a [ActivityId] {
    match activity.parent.and_then(|parent| analysis.workflow.activity(parent)) {
        Some(parent) => parent.children(),
        None => analysis.workflow.roots.get().map_or(&[][..], Vec::as_slice),
    }
}

/// Whether something before an activity in its branch publishes a status, or may. The branch is the body of the nearest
/// While, If or Event, or the whole workflow.
fn publishes_before(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    // From the inside outwards: the earlier siblings of the activity, then those of each Sequence around it.
    let mut inner = activity;
    loop {
        let mut before = siblings(analysis, inner).iter().take_while(|&&sibling| sibling != inner.id);
        if before.any(|&sibling| publishes(analysis, sibling)) {
            return true;
        }
        let parent = inner.parent.and_then(|parent| analysis.workflow.activity(parent));
        match parent.map(|parent| (parent, &parent.kind)) {
            Some((parent, ActivityKind::Sequence)) => inner = parent,
            // Whether an undocumented type publishes something is unknown.
            Some((_, ActivityKind::Declared { .. } | ActivityKind::Unknown { .. })) => return true,
            _ => return false,
        }
    }
}

/// Whether an activity, or one inside it, is a Status, or of an undocumented type, which may be similar.
fn publishes(analysis: &Analysis<'_>, id: ActivityId) -> bool {
    let Some(activity) = analysis.workflow.activity(id) else { return true };
    std::iter::once(activity).chain(analysis.workflow.inside(activity)).any(|inner| {
        matches!(inner.kind, ActivityKind::Status { .. } | ActivityKind::Declared { .. } | ActivityKind::Unknown { .. })
            || inner.children.is_unknown()
    })
}
