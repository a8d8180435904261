use crate::facts::{Context, Place};
use crate::graph::{Effects, VarId, Written};
use crate::model::{Activity, ActivityKind};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF310-self-assignment", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let effects = analysis.effects(activity.id);
        let Some(variable) = effects.and_then(|effects| self_assigned(activity, effects)) else { continue };
        if analysis.scope.declarations.are_there {
            let name = quote(analysis.names.name(variable));
            out.report(&Place::value(analysis.file, activity.node), format!("self-assignment of {name} has no effect"))
                .help("correct `body` or `result`, or remove the activity");
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
