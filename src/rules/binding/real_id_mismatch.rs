use std::cell::LazyCell;

use crate::common::collections::HashSet;
use crate::facts::{Context, Place};
use crate::rules::binding::NO_ID;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF109-real-id-mismatch", Info, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let used = LazyCell::new(|| {
        let mut used = HashSet::default();
        cx.bindings(|_, _, binding, _| used.extend(binding.bound_to_id.value()));
        used
    });
    for (file, variables) in cx.variable_lists() {
        let Some(document) = cx.document(file) else { continue };
        for variable in variables {
            let (Some(id), Some((node, &real_id))) = (variable.id.value(), variable.details().real_id.known()) else {
                continue;
            };
            if id == real_id || id == NO_ID || real_id == NO_ID {
                continue;
            }
            let name = quote(variable.name.value().unwrap_or_default());
            let written = document.number(node).unwrap_or_default();
            let message = format!("`realId` is {written}, but {name} has id {id}");
            let mut draft = out.report(&Place::value(file, node), message);
            let cure = format!("set `realId` to {id}");
            // A fix would cut off the bindings that go by the `realId`.
            if used.contains(&real_id) {
                draft.help(format!("{cure}, and `boundToId` of the bindings that use {written}"));
            } else {
                draft.fix_value(Applicability::Safe, cure, node, id.to_string());
            }
        }
    }
}
