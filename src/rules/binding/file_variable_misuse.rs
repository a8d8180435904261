//! WF112

use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::document::NodeId;
use crate::graph::{Analysis, Writer};
use crate::model::{Activity, Binding, Kind, Parameter, Role, Variable};
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF112",
    name: "file-variable-misuse",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF112-file-variable-misuse.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, activity, binding, role| {
        let Some((node, name)) = binding.target() else { return };
        let Some(declared) = analysis.scope.declarations.variable(name) else { return };
        let variable = &declared.variable;
        let misuse = match role {
            Role::Parameter(parameter) => parameter_misuse(cx, analysis, activity, parameter, variable),
            Role::Operand if variable.is_file() => Some("an expression compares texts"),
            Role::Assigned if variable.is_file() && is_in_body(activity, binding) => Some("a placeholder takes a text"),
            _ => None,
        };
        if let Some(misuse) = misuse {
            report(out, analysis, node, name, variable, misuse);
        }
    });
}

fn report(
    out: &mut Reporter<'_>,
    analysis: &Analysis<'_>,
    node: NodeId,
    name: &str,
    variable: &Variable<'_>,
    misuse: &str,
) {
    let (is, help) = if variable.is_file() {
        ("holds a file, of which only the id could be given", "bind a variable that holds the text")
    } else {
        ("holds no file", "bind a variable of the type `File`, which a field of the type InputFile fills")
    };
    out.report(&Place::value(analysis.file, node), format!("{} {is}, but {misuse}", quote(name)), help);
}

/// What a parameter of a known method takes, when the variable is not of that kind.
fn parameter_misuse(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    parameter: &Parameter<'_>,
    variable: &Variable<'_>,
) -> Option<&'static str> {
    let method = analysis.effects(activity.id)?.provider.as_deref()?.method?;
    let declared = method.parameter(parameter.name.value()?);
    let takes_file = declared.is_some_and(|declared| declared.kind == Some(ParameterKind::File));
    if takes_file && !variable.is_file() && variable.variable_type.value().is_some() {
        let may_be_an_id = variable.name.value().is_some_and(|name| may_hold_an_id(cx, name));
        return (!may_be_an_id).then_some("the parameter takes an uploaded file");
    }
    (variable.is_file() && !takes_file).then_some("the parameter takes a text")
}

/// Whether a provider or an Assign may have put a file's id into the variable.
fn may_hold_an_id(cx: &Context<'_>, name: &str) -> bool {
    cx.workflows.iter().any(|analysis| {
        let id = analysis.names.id(name);
        analysis.effects.iter().any(|effects| {
            effects.may_write.is_some_and(|prefix| name.starts_with(prefix))
                || effects.writes.iter().any(|write| {
                    Some(write.variable) == id && matches!(write.by, Writer::Assign | Writer::Output { .. })
                })
        })
    })
}

fn is_in_body(activity: &Activity<'_>, binding: &Binding<'_>) -> bool {
    let Kind::Assign(assign) = &activity.kind else { return false };
    let Some((body, (_, name))) = assign.body.value().zip(binding.target()) else { return false };
    crate::graph::placeholders(body).any(|placeholder| placeholder.name == name)
}
