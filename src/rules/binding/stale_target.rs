//! WF104

use crate::diagnostic::{Applicability, Edit, Severity, quote};
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF104",
    name: "stale-target",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::Safe,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF104-stale-target.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, _, binding, _| {
        if binding.state.value().is_none() || binding.is_bound() {
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
        let clear = |node, json: &str| Edit { span: analysis.document.span(node), new_text: json.to_owned() };
        let edits = name.map(|(node, _)| clear(node, "\"\"")).into_iter().chain(id.map(|(node, _)| clear(node, "0")));
        out.report(
            &Place::value(analysis.file, place),
            format!("{target} is still named here, but the value is not bound to it"),
            "clear `boundTo` and `boundToId`; or, if the variable is meant, bind the value to it",
        )
        .fix(Applicability::Safe, "clear what is left of the binding", edits.collect());
    });
}
