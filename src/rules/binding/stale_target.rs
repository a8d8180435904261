use crate::facts::{Context, Place, node_and_copy, removals_after_clearing, with_copy};
use crate::model::{Role, State};
use crate::rules::binding::{NO_ID, describe};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::{list, quote};

pub const RULE: Rule = rule!("WF104-stale-target", Warning, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, activity, binding, role| {
        let Some(state) = binding.state.value().filter(|_| !binding.is_bound()) else { return };
        let name = binding.bound_to.known().filter(|(_, name)| !name.is_empty());
        let id = binding.bound_to_id.known().filter(|(_, id)| **id != NO_ID);
        let target = match (name, id) {
            (Some((_, name)), _) => quote(name),
            (None, Some((_, id))) => format!("with id {id}"),
            (None, None) => return,
        };
        let Some(place) = binding.bound_to.node().or_else(|| binding.bound_to_id.node()) else { return };
        let subject = describe(analysis, activity, binding, role);
        let mut draft =
            out.report(&Place::value(analysis.file, place), format!("stale target {target}, {subject} is not bound"));
        let bind = if state == State::Unbound { "set `isBound` to `true`" } else { "set `state` to `bound`" };
        // The variable was most likely meant for the result of an Assign: without it, the activity does nothing. So no
        // fix is offered, and the finding stays.
        if matches!(role, Role::AssignResult) {
            draft.help(format!("{bind} to keep the result, or clear `boundTo` and `boundToId`"));
            return;
        }
        let mut cleared = Vec::new();
        let mut edits = Vec::new();
        if let Some((node, name)) = name {
            cleared.push("`boundTo`");
            edits.extend(with_copy(analysis, activity, node, "\"\""));
            // Cleared names are not used any more, so they must not stay listed.
            let nodes: Vec<_> = node_and_copy(analysis, activity, node).collect();
            edits.extend(removals_after_clearing(cx, analysis, activity, &nodes, &[*name]));
        }
        if let Some((node, _)) = id {
            cleared.push("`boundToId`");
            edits.extend(with_copy(analysis, activity, node, "0"));
        }
        draft.help(format!("{bind} if the variable is meant")).fix(
            Applicability::Safe,
            format!("clear {}", list(&cleared, "and")),
            edits,
        );
    });
}
