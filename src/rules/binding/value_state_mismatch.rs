use crate::facts::{Context, Place, ProviderSite, static_edits, with_copy};
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Role, State};
use crate::rules::binding::{bound, describe, fitting_variable};
use crate::rules::{Cause, Draft, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF105-value-state-mismatch", Warning, check, fixes: Fixes::SafeOrUnsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, activity, binding, role| {
        let subject = || describe(analysis, activity, binding, role);
        let place = Place::value(analysis.file, binding.value.node().unwrap_or(binding.node));
        let mut draft = match binding.state.value() {
            Some(State::Static) if binding.lacks_literal() => {
                let found = if binding.value.is_absent() { "missing" } else { "null" };
                let message = format!("`state` of {} is `static`, but `value` is {found}", subject());
                let mut draft = out.report(&place, message);
                draft.help("give a literal in `value`, or set `state` to `notSet`");
                let edits = |name| Some((name, bound(cx, analysis, activity, binding, role, name)?));
                let name = draft.is_listed().then(|| fitting_variable(cx, analysis, activity, role)).flatten();
                if let Some((name, edits)) = name.and_then(edits) {
                    draft.fix(Applicability::Unsafe, format!("bind it to {}", quote(name)), edits);
                }
                draft
            }
            Some(State::NotSet) if binding.value.value().is_some_and(|literal| !literal.is_blank()) => {
                let mut draft = out.report(&place, format!("unused `value`, `state` of {} is `notSet`", subject()));
                draft.help("set `state` to `static` to use the value, or remove it");
                if draft.is_listed() {
                    offer(analysis, activity, binding, role, &mut draft);
                }
                draft
            }
            _ => return,
        };
        draft.cause(Cause::Node(analysis.file, binding.node));
    });
}

/// Offers to use a value that is written, or to remove it: either was meant.
fn offer(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    binding: &Binding<'_>,
    role: Role<'_, '_>,
    draft: &mut Draft<'_>,
) {
    let (Some(state), Some(value)) = (binding.state.node(), binding.value.node()) else { return };
    let used = match (role, ProviderSite::of_activity(analysis, activity.id)) {
        (Role::Parameter(parameter), Some(site)) => static_edits(&site, parameter),
        _ => with_copy(analysis, activity, state, "\"static\""),
    };
    draft.alternative(Applicability::Unsafe, "set `state` to `static`", used);
    let removed = with_copy(analysis, activity, value, "null");
    draft.alternative(Applicability::Safe, "set `value` to null, as it is not used", removed);
}
