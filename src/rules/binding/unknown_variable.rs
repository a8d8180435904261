use crate::diagnostic::{Applicability, Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place, with_copy};
use crate::graph::{Analysis, Resolution, placeholders};
use crate::model::{Activity, Kind, Role};
use crate::rules::{Cause, Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF101",
    name: "unknown-variable",
    severity: Severity::Error,
    other_severities: &[Severity::Info],
    fixes: Fixes::Unsafe,
    page: include_str!("../../../rules/WF101-unknown-variable.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        if analysis.workflow.variables.is_absent() {
            say_that_names_are_not_checked(analysis, out);
        }
    }
    cx.bindings(|analysis, activity, binding, role| {
        let Some((node, name)) = binding.target() else { return };
        let Resolution::Unknown(meant) = analysis.scope.resolve_binding(binding, name) else { return };
        if role == Role::Assigned && is_placeholder(activity, name) {
            return; // The placeholder itself is told (WF306).
        }
        let place = Place::value(analysis.file, node);
        let message = format!("no variable is named {}, {}", quote(name), consequence(role));
        let mut draft = out.report(&place, message);
        draft.explains(Cause::Variable(name.to_owned()));
        match meant {
            Some(meant) if meant.by_id => {
                let help = format!("`boundToId` says that {} is meant", quote(meant.name));
                let json = serde_json::Value::from(meant.name).to_string();
                let title = format!("bind it to {}", quote(meant.name));
                let edits = with_copy(analysis, activity, node, &json);
                draft.help(help).fix(Applicability::Unsafe, title, edits);
            }
            Some(meant) => {
                draft.help(format!("did you mean {}?", quote(meant.name)));
            }
            None => {
                draft.help("add the variable to `variables`, or bind to one that is there");
            }
        }
    });
}

fn consequence(role: Role<'_, '_>) -> &'static str {
    match role {
        role if role.writes() => "so what is written here is lost",
        Role::Operand => "so there is nothing to compare",
        Role::Assigned => "so this entry lists nothing",
        Role::Undocumented => "so there is nothing to bind to",
        _ => "so there is no value to give",
    }
}

/// Whether the activity is an Assign whose body has a placeholder of this name.
fn is_placeholder(activity: &Activity<'_>, name: &str) -> bool {
    match &activity.kind {
        Kind::Assign(assign) => {
            assign.body.value().is_some_and(|body| placeholders(body).any(|placeholder| placeholder.name == name))
        }
        _ => false,
    }
}

fn say_that_names_are_not_checked(analysis: &Analysis<'_>, out: &mut Reporter<'_>) {
    let uses_a_name = analysis.effects.iter().any(|effects| !effects.reads.is_empty() || !effects.writes.is_empty());
    if uses_a_name {
        let root: NodeId = analysis.document.root();
        out.report(
            &Place::value(analysis.file, root),
            "this workflow has no list `variables`, so the names in it are not checked",
        )
        .help("add `variables` as the platform exports it")
        .severity(Severity::Info);
    }
}
