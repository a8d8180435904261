use crate::facts::{Context, Place, without_activities};
use crate::graph::{Effects, VarId, Written};
use crate::model::{Activity, ActivityKind};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF310-self-assignment", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let effects = analysis.effects(activity.id);
        let Some(variable) = effects.and_then(|effects| self_assigned(activity, effects)) else { continue };
        if analysis.scope.declarations.are_there {
            let name = quote(analysis.names.name(variable));
            let message = format!("self-assignment of {name} has no effect");
            let mut draft = out.report(&Place::value(analysis.file, activity.node), message);
            // Another variable, which lacks a writer or a reader, is more likely meant.
            let is_open = cx.removable().is_incomplete(analysis.file) || cx.removable().has_unread(analysis.file);
            match (!is_open).then(|| without_activities(cx, analysis, &[activity])).flatten() {
                Some(removal) => draft.help("correct `body` or `result`, if another variable was meant").fix(
                    Applicability::Unsafe,
                    removal.title("the Assign"),
                    removal.edits,
                ),
                None => draft.help("correct `body` or `result`, or remove the activity"),
            };
        }
    }
}

/// The variable that an Assign writes to itself, which changes nothing.
fn self_assigned(activity: &Activity<'_>, effects: &Effects<'_>) -> Option<VarId> {
    if !matches!(activity.kind, ActivityKind::Assign(_)) {
        return None;
    }
    let guessed = effects.reads.iter().any(|read| read.guessed);
    let write = effects.writes.own().iter().find(|write| write.value == Written::Copy(write.variable))?;
    (!write.guessed && !guessed).then_some(write.variable)
}
