use crate::facts::{Context, Place};
use crate::model::{ActivityKind, Member};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF408-empty-container", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let (noun, consequence) = match activity.kind {
            ActivityKind::Sequence => ("Sequence", "which does nothing"),
            ActivityKind::While { .. } => ("loop", "which only waits"),
            ActivityKind::If { .. } => ("If", "whose condition decides nothing"),
            _ => continue,
        };
        let is_empty = match &activity.children {
            Member::Absent => true,
            Member::Known(_, children) => children.is_empty(),
            Member::Unknown(_) => false,
        };
        if is_empty {
            let message = format!("empty {noun} {}, {consequence}", activity.display_name());
            out.report(&Place::value(analysis.file, activity.node), message).help("add activities to it, or remove it");
        }
    }
}
