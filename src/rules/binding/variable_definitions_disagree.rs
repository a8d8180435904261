use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::model::Variable;
use crate::rules::binding::{Doubles, file_name};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF114",
    name: "variable-definitions-disagree",
    severity: Severity::Error,
    other_severities: &[Severity::Info],
    page: include_str!("../../../rules/WF114-variable-definitions-disagree.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let doubles = Doubles::of(cx);
    let is_workflow = |file| cx.model.workflows.iter().any(|workflow| workflow.file == file);
    for (form, scope) in cx.forms() {
        for variable in form.form.variables.get().into_iter().flatten() {
            let Some(name) = variable.name.value() else { continue };
            let others: Vec<_> = scope.declarations.named(name).filter(|other| is_workflow(other.file)).collect();
            // With several workflows the id may be that of any of them.
            let has_its_id = others.iter().any(|other| !ids_disagree(variable, &other.variable));
            let disagreeing = others.iter().find_map(|other| {
                Some((
                    other,
                    types_disagree(variable, &other.variable).or_else(|| {
                        let (here, there) = (variable.id.value()?, other.variable.id.value()?);
                        (!has_its_id).then(|| (Severity::Info, format!("has the id {here} here, but {there}")))
                    })?,
                ))
            });
            let Some((other, (severity, said))) = disagreeing else { continue };
            if doubles.concern(variable) || doubles.concern(&other.variable) {
                continue;
            }
            out.report(
                &Place::value(form.file, variable.node),
                format!("{} {said} in {}", quote(name), quote(file_name(cx, other.file))),
            )
            .help("both documents list the same variables of the order: make them agree")
            .severity(severity)
            .related(&Place::value(other.file, other.variable.node), "declared here");
        }
    }
}

fn types_disagree(form: &Variable<'_>, workflow: &Variable<'_>) -> Option<(Severity, String)> {
    let (here, there) = (form.variable_type.value()?, workflow.variable_type.value()?);
    let said = || format!("is of the type {} here, but of the type {}", quote(here), quote(there));
    (here != there).then(|| (Severity::Error, said()))
}

/// Whether two variables have ids, and none in common; 0 is no id.
fn ids_disagree(form: &Variable<'_>, workflow: &Variable<'_>) -> bool {
    let ids = |variable: &Variable<'_>| -> Vec<i64> {
        [variable.id.value(), variable.real_id.value()].into_iter().flatten().filter(|&id| id != 0).collect()
    };
    let (here, there) = (ids(form), ids(workflow));
    !here.is_empty() && !there.is_empty() && !here.iter().any(|id| there.contains(id))
}
