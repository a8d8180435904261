use crate::collections::HashSet;
use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF109",
    name: "real-id-mismatch",
    severity: Severity::Info,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF109-real-id-mismatch.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut used = HashSet::default();
    cx.bindings(|_, _, binding, _| used.extend(binding.bound_to_id.value()));
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            let (Some(id), Some((node, &real_id))) = (variable.id.value(), variable.real_id.known()) else { continue };
            // 0 is no id.
            if id == real_id || id == 0 || real_id == 0 {
                continue;
            }
            let name = quote(variable.name.value().unwrap_or_default());
            let mut draft = out.report(
                &Place::value(file, node),
                format!("{name} has the id {id}, but its `realId` is {real_id}; bindings may use either"),
            );
            draft.help(format!("set `realId` to {id}"));
            // Where a binding goes by the `realId`, the fix would cut it off.
            if !used.contains(&real_id) {
                draft.fix_value(Applicability::Safe, format!("set realId to {id}"), node, id.to_string());
            }
        }
    }
}
