//! WF114

use crate::diagnostic::{Severity, quote};
use crate::model::Variable;
use crate::rules::binding::{Doubles, file_name};
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF114",
    name: "variable-definitions-disagree",
    severity: Severity::Error,
    other_severities: &[Severity::Info],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF114-variable-definitions-disagree.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let doubles = Doubles::of(cx);
    let is_workflow = |file| cx.model.workflows.iter().any(|workflow| workflow.file == file);
    for (form, scope) in cx.forms() {
        for variable in form.form.variables.get().into_iter().flatten() {
            let Some(name) = variable.name.value() else { continue };
            let others = scope.declarations.named(name).filter(|other| is_workflow(other.file));
            let disagreeing = others.filter_map(|other| Some((other, disagreement(variable, &other.variable)?))).next();
            let Some((other, (severity, said))) = disagreeing else { continue };
            if doubles.concern(variable) || doubles.concern(&other.variable) {
                continue;
            }
            out.report(
                &Place::value(form.file, variable.node),
                format!("{} {said} in {}", quote(name), quote(file_name(cx, other.file))),
                "both documents list the same variables of the order: make them agree",
            )
            .severity(severity)
            .related(&Place::value(other.file, other.variable.node), "declared here");
        }
    }
}

fn disagreement(form: &Variable<'_>, workflow: &Variable<'_>) -> Option<(Severity, String)> {
    if let (Some(here), Some(there)) = (form.variable_type.value(), workflow.variable_type.value())
        && here != there
    {
        return Some((
            Severity::Error,
            format!("is of the type {} here, but of the type {}", quote(here), quote(there)),
        ));
    }
    let (here, there) = (form.id.value()?, workflow.id.value()?);
    let agree = here == there || form.real_id.value() == Some(there) || workflow.real_id.value() == Some(here);
    (!agree).then(|| (Severity::Info, format!("has the id {here} here, but {there}")))
}
