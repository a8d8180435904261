use crate::facts::{Context, Place, declaring, is_doubtful, is_lost_output, rebinding, renamed_declaration, renaming};
use crate::graph::{Analysis, Resolution, Suggestion};
use crate::model::{Activity, ActivityKind, Binding, Role};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, Severity};
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
        let repair = repair(cx, analysis, (activity, binding), name, meant);
        let rename = |meant: &str| format!("rename {} to {}, which a call returns", quote(meant), quote(name));
        match meant {
            Some(meant) if meant.by_id && repair.is_some() => {}
            Some(meant) if meant.by_id => _ = draft.help(rename(meant.name)),
            Some(meant) => _ = draft.help(format!("did you mean {}?", quote(meant.name))),
            None if repair.is_some() => {}
            None => _ = draft.help("declare it in `variables`, or bind to a declared variable"),
        }
        if let Some((title, edits)) = repair {
            draft.fix(Applicability::Unsafe, title, edits);
        }
        if let (Role::Assigned, ActivityKind::Assign(assign)) = (role, &activity.kind)
            && let Some(body) = assign.body.node()
        {
            draft.cause(Cause::Name(analysis.file, body, name.to_owned()));
        }
    });
}

/// Title and edits that write the variable that was meant, or declare it by the name that is bound.
fn repair(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    (activity, binding): (&Activity<'_>, &Binding<'_>),
    name: &str,
    meant: Option<Suggestion<'_>>,
) -> Option<(String, Vec<Edit>)> {
    let declared = || Some((format!("declare {}", quote(name)), declaring(cx, &[name])?));
    let Some(meant) = meant else { return declared() };
    // Another name here would leave the output lost.
    if is_lost_output(analysis, name) {
        let title = format!("rename {} to {}, which a call returns", quote(meant.name), quote(name));
        let renamed = renamed_declaration(cx, meant.name, name).map(|edits| (title, edits));
        return renamed.or_else(declared);
    }
    if is_doubtful(cx, &analysis.scope, name, meant) {
        return None;
    }
    let title = if meant.by_id { "set `boundTo` to" } else { "bind it to" };
    let mut edits = rebinding(analysis, activity, binding, meant.name);
    edits.extend(renaming(analysis, activity, name, meant.name));
    Some((format!("{title} {}", quote(meant.name)), edits))
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
