use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::{Context, Place, with_copy};
use crate::rules::binding::value_state_mismatch::is_told_as_empty;
use crate::rules::provider::missing_required_parameter::missing_values;
use crate::rules::{Fixes, Reporter, Rule};

use super::stale_bound_variable_list::removal_with;

pub const RULE: Rule = Rule {
    code: "WF104",
    name: "stale-target",
    severity: Severity::Warning,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF104-stale-target.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let missing = missing_values(cx);
    cx.bindings(|analysis, activity, binding, role| {
        let is_told = missing.contains(&(analysis.file, binding.node)) || is_told_as_empty(activity, binding, role);
        if binding.state.value().is_none() || binding.is_bound() || is_told {
            return;
        }
        let name = binding.bound_to.known().filter(|(_, name)| !name.is_empty());
        let id = binding.bound_to_id.known().filter(|&(_, &id)| id != 0);
        let target = match (name, id) {
            (Some((_, name)), _) => quote(name),
            (None, Some((_, id))) => format!("variable {id}"),
            (None, None) => return,
        };
        let Some(place) = binding.bound_to.node().or_else(|| binding.bound_to_id.node()) else { return };
        let mut edits = Vec::new();
        for (node, json) in [(name.map(|(node, _)| node), "\"\""), (id.map(|(node, _)| node), "0")] {
            edits.extend(node.into_iter().flat_map(|node| with_copy(analysis, activity, node, json)));
        }
        // What is cleared here is no longer used, and must not be listed as if it were.
        edits.extend(name.and_then(|(_, name)| removal_with(analysis, activity, binding.node, name)));
        let mut draft = out.report(
            &Place::value(analysis.file, place),
            format!("{target} is still named here, but the value is not bound to it"),
        );
        draft.help("clear `boundTo` and `boundToId`; or, if the variable is meant, bind the value to it");
        // A result that goes nowhere was most likely meant for the variable.
        if !role.writes() {
            draft.fix(Applicability::Safe, "clear what is left of the binding", edits);
        }
    });
}
