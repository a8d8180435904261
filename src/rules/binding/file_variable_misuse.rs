use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::graph::{Analysis, Writer, placeholders};
use crate::model::{Activity, Assign, Kind, Parameter, Role};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF112",
    name: "file-variable-misuse",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF112-file-variable-misuse.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, activity, binding, role| {
        let Some((node, name)) = binding.target() else { return };
        let Some(variable_type) = analysis.scope.declarations.type_of(name) else { return };
        let is_file = variable_type == "File";
        let misuse = match role {
            Role::Parameter(parameter) => parameter_misuse(cx, analysis, activity, parameter, name, is_file),
            Role::Operand if is_file => Some("an expression compares texts".to_owned()),
            _ => None,
        };
        if let Some(misuse) = misuse {
            report(out, &Place::value(analysis.file, node), name, is_file, &misuse);
        }
    });
    for (analysis, activity) in cx.activities() {
        let Kind::Assign(assign) = &activity.kind else { continue };
        let Some((node, body)) = assign.body.known() else { continue };
        for placeholder in placeholders(body) {
            if analysis.scope.declarations.type_of(placeholder.name) == Some("File") {
                // Where the editor's list of variables has it, that is the binding to change.
                let place = match listed(assign, placeholder.name) {
                    Some(node) => Place::value(analysis.file, node),
                    None => Place::inside(analysis.file, node, placeholder.range),
                };
                report(out, &place, placeholder.name, true, "a placeholder takes a text");
            }
        }
    }
}

fn listed(assign: &Assign<'_>, name: &str) -> Option<NodeId> {
    let mut listed = assign.variables.get().into_iter().flatten().filter_map(|binding| binding.target());
    listed.find(|(_, listed)| *listed == name).map(|(node, _)| node)
}

fn report(out: &mut Reporter<'_>, place: &Place, name: &str, is_file: bool, misuse: &str) {
    let (is, help) = if is_file {
        ("holds a file, of which only the id could be given", "bind a variable that holds the text")
    } else {
        ("holds no file", "bind a variable of the type `File`, which a field of the type InputFile fills")
    };
    out.report(place, format!("{} {is}, but {misuse}", quote(name))).help(help);
}

/// What a parameter of a known method takes, when the variable is not of that kind.
fn parameter_misuse(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    parameter: &Parameter<'_>,
    variable: &str,
    is_file: bool,
) -> Option<String> {
    let method = analysis.effects(activity.id)?.provider.as_deref()?.method?;
    let name = parameter.name.value()?;
    let declared = method.parameter(name);
    let takes_file = declared.is_some_and(|declared| declared.kind == Some(ParameterKind::File));
    if takes_file && !is_file {
        return (!may_hold_an_id(cx, variable)).then(|| format!("{} takes an uploaded file", quote(name)));
    }
    // What a parameter takes that the method does not have is not known.
    let takes_text = declared.is_some() || method.additional.iter().any(|additional| additional.matches(name));
    (is_file && !takes_file && takes_text).then(|| format!("{} takes a text", quote(name)))
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
