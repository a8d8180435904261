use crate::facts::{Context, Place, is_lost_output, renaming, with_copy};
use crate::graph::{Analysis, Resolution};
use crate::model::{ActivityKind, Role};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Severity};
use crate::text::quote;

pub const RULE: Rule =
    rule!("WF101-unknown-variable", Error | Info, check, fixes: Fixes::Unsafe, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        if analysis.workflow.variables.is_absent() {
            report_missing_variables(analysis, out);
        }
    }
    cx.bindings(|analysis, activity, binding, role| {
        let Some((node, name)) = binding.target() else { return };
        let Resolution::Undefined(meant) = analysis.scope.resolve_binding(binding, name) else { return };
        let place = Place::value(analysis.file, node);
        let renamed = meant.filter(|meant| meant.by_id).map(|meant| quote(meant.name));
        let hint = renamed.map(|renamed| format!(", but `boundToId` is the id of {renamed}")).unwrap_or_default();
        let mut draft = out.report(&place, format!("undefined variable {}{hint}", quote(name)));
        draft.cause(Cause::Variable(name.to_owned()));
        match meant {
            // Another name here would leave the output lost.
            Some(meant) if meant.by_id && is_lost_output(analysis, name) => {
                draft.help(format!("rename {} to {}, which a call returns", quote(meant.name), quote(name)))
            }
            Some(meant) if meant.by_id => {
                let json = serde_json::Value::from(meant.name).to_string();
                let mut edits = with_copy(analysis, activity, node, &json);
                edits.extend(renaming(analysis, activity, name, meant.name));
                draft.fix(Applicability::Unsafe, format!("set `boundTo` to {}", quote(meant.name)), edits)
            }
            Some(meant) => draft.help(format!("did you mean {}?", quote(meant.name))),
            None => draft.help("declare it in `variables`, or bind to a declared variable"),
        };
        if let (Role::Assigned, ActivityKind::Assign(assign)) = (role, &activity.kind)
            && let Some(body) = assign.body.node()
        {
            draft.cause(Cause::Name(analysis.file, body, name.to_owned()));
        }
    });
}

fn report_missing_variables(analysis: &Analysis<'_>, out: &mut Reporter<'_>) {
    let uses_a_name = analysis.effects.iter().any(|effects| !effects.reads.is_empty() || !effects.writes.is_empty());
    if uses_a_name {
        out.report(
            &Place::value(analysis.file, analysis.document.root()),
            "missing array `variables`, so the names in the workflow are not checked",
        )
        .help("add `variables`, as the platform exports it")
        .severity(Severity::Info);
    }
}
