use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::{Context, Place, with_copy};
use crate::rules::binding::Doubles;
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF102",
    name: "binding-id-mismatch",
    severity: Severity::Error,
    fixes: Fixes::SafeOrUnsafe,
    page: include_str!("../../../rules/WF102-binding-id-mismatch.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let doubles = Doubles::of(cx);
    cx.bindings(|analysis, activity, binding, _| {
        let (Some((_, name)), Some((node, &given))) = (binding.target(), binding.bound_to_id.known()) else { return };
        let declarations = &analysis.scope.declarations;
        let mut ids = Vec::new();
        for declared in declarations.named(name) {
            let variable = &declared.variable;
            let has_no_id = variable.id.value().is_none_or(|id| id == 0);
            if doubles.concern(variable) || has_no_id || variable.real_id.is_unknown() {
                return;
            }
            ids.extend(variable.id.value().into_iter().chain(variable.real_id.value()));
        }
        let Some(&id) = ids.first().filter(|_| !ids.contains(&given)) else { return };
        let other = declarations.with_id(given).filter(|other| !doubles.concern(&other.variable));
        let place = Place::value(analysis.file, node);
        let message = format!("{} is variable {id}, but the binding says {given}", quote(name));
        let title = format!("set boundToId to {id}");
        let edits = with_copy(analysis, activity, node, &id.to_string());
        match other.and_then(|other| other.variable.name.value().map(|name| (other, name))) {
            Some((other, other_name)) => {
                let help = format!("bind it to {id}; or, if {} is meant, change `boundTo`", quote(other_name));
                out.report(&place, message)
                    .help(help)
                    .related(&Place::value(other.file, other.variable.node), format!("{given} is this variable"))
                    .fix(Applicability::Unsafe, title, edits);
            }
            None => {
                out.report(&place, message).help(format!("bind it to {id}")).fix(Applicability::Safe, title, edits);
            }
        }
    });
}
