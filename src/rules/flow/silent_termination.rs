use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF413-silent-termination", Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in cx.workflows.iter().filter(|analysis| !analysis.paths.is_incomplete) {
        for activity in &analysis.workflow.activities {
            let is_silent = matches!(activity.kind, ActivityKind::Terminate)
                && analysis.reaches(activity.id)
                && !analysis.workflow.roots.is_unknown()
                && !is_misplaced(analysis, activity)
                && !publishes_before(analysis, activity);
            if is_silent {
                let message = format!("order ends without a status at {}", activity.display_name());
                out.report(&Place::value(analysis.file, activity.node), message)
                    .help("publish a Status before it that says why the order ends");
            }
        }
    }
}

/// Whether an activity never runs because of where it is (WF010).
fn is_misplaced(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    let mut is_event = false;
    analysis.workflow.ancestors(activity).any(|outer| {
        let runs = !outer.kind.runs_no_children() && (outer.approval().is_none() || is_event);
        is_event = matches!(outer.kind, ActivityKind::Event { .. });
        !runs
    })
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
