use crate::facts::{Context, Place, with_copy};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF106-system-flag-mismatch", Warning, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, activity, binding, _| {
        let (Some((_, name)), Some((node, &flag))) = (binding.target(), binding.system.known()) else { return };
        let Some(declared) = analysis.scope.declarations.variable(name) else { return };
        let Some((variable_flag, &is_system)) = declared.variable.details().is_system.known() else { return };
        // The configuration may know of a system variable that its declaration does not call one.
        if flag == is_system || flag && cx.config.is_system_variable(name) {
            return;
        }
        let variable = quote(name);
        out.report(
            &Place::value(analysis.file, node),
            format!("`isBoundToSystemVariable` is {flag}, but `isSystemVariable` of {variable} is {is_system}"),
        )
        .related(&Place::value(declared.file, variable_flag), format!("declaration of {variable}"))
        .fix(
            Applicability::Safe,
            format!("set `isBoundToSystemVariable` to `{is_system}`"),
            with_copy(analysis, activity, node, &is_system.to_string()),
        );
    });
}
