use std::cell::LazyCell;

use crate::common::collections::HashSet;
use crate::document::Editor;
use crate::facts::{Context, Place, fits_type};
use crate::model::Variable;
use crate::project::{Declared, FormDocument};
use crate::rules::binding::{NO_ID, file_name};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, FileId, Severity};
use crate::text::quote;

pub const RULE: Rule = rule!("WF114-variable-definitions-disagree", Error | Info, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let workflows: HashSet<FileId> = cx.model.workflows.iter().map(|workflow| workflow.file).collect();
    for (form, scope) in cx.forms() {
        for variable in form.form.variables.get().into_iter().flatten() {
            let Some(name) = variable.name.value() else { continue };
            let others = || scope.declarations.named(name).filter(|other| workflows.contains(&other.file));
            // With several workflows the id may be that of any of them.
            let has_its_id = LazyCell::new(|| {
                others().any(|other| !ids_conflict(variable, other.variable)) || scope.declarations.are_too_many(name)
            });
            let conflict = others().find_map(|other| {
                let is_of_ids = || ids_conflict(variable, other.variable) && !*has_its_id;
                let ids = || is_of_ids().then(|| conflicting_ids(variable, other.variable)).flatten();
                Some((other, conflicting_types(variable, other.variable).or_else(ids)?))
            });
            let Some((other, conflict)) = conflict else { continue };
            let files = [form.file, other.file].map(|file| quote(file_name(cx, file)));
            let mut draft = out.report(&Place::value(form.file, variable.node), conflict.message(name, &files));
            match as_in_workflow(cx, form, variable, others()) {
                Some(edits) => draft.fix(Applicability::Unsafe, format!("declare it as in {}", files[1]), edits),
                None => draft.help("declare it identically in both documents"),
            };
            draft
                .related(&Place::value(other.file, other.variable.node), "other declaration")
                .cause(Cause::Variable(name.to_owned()));
            if !conflict.is_of_types {
                draft.severity(Severity::Info);
                continue;
            }
            for (file, variable) in [(form.file, variable), (other.file, other.variable)] {
                if let Some(node) = variable.variable_type.node() {
                    draft.cause(Cause::Node(file, node));
                }
            }
        }
    }
}

/// The edits that give the variable of a form the type and the id that it has in the workflows. `None` where they disagree,
/// or a field of the form needs the other type.
fn as_in_workflow<'d>(
    cx: &Context<'_>,
    form: &FormDocument<'_>,
    variable: &Variable<'_>,
    mut others: impl Iterator<Item = &'d Declared<'d>>,
) -> Option<Vec<Edit>> {
    let name = variable.name.value()?;
    let other = others.next()?.variable;
    let is_same = |declared: &Declared<'_>| {
        declared.variable.variable_type.is_same(other.variable_type) && declared.variable.id.is_same(other.id)
    };
    let mut fields = form.form.fields.iter().filter(|field| field.target().is_some_and(|(_, target)| target == name));
    let wanted = other.variable_type.value();
    if !others.all(is_same) || !fields.all(|field| wanted.is_none_or(|wanted| fits_type(field, wanted))) {
        return None;
    }
    let document = cx.document(form.file)?;
    let mut editor = Editor::new(document, form.file);
    if let (Some(node), Some(wanted)) = (variable.variable_type.node(), wanted)
        && conflicting_types(variable, other).is_some()
    {
        editor.replace(node, wanted);
    }
    if ids_conflict(variable, other) {
        let id = ids(other).into_iter().flatten().next()?;
        let real_id = variable.details().real_id.known().map(|(node, _)| node);
        for node in variable.id.node().into_iter().chain(real_id) {
            editor.replace(node, id);
        }
    }
    Some(editor.finish())
}

/// The definitions of a variable in a form and a workflow.
struct Conflict {
    is_of_types: bool,
    in_form: String,
    in_workflow: String,
}

impl Conflict {
    fn message(&self, name: &str, [form, workflow]: &[String; 2]) -> String {
        let noun = if self.is_of_types { "types" } else { "ids" };
        let Self { in_form, in_workflow, .. } = self;
        format!("conflicting {noun} of variable {}: {in_form} in {form}, {in_workflow} in {workflow}", quote(name))
    }
}

fn conflicting_types(form: &Variable<'_>, workflow: &Variable<'_>) -> Option<Conflict> {
    let (in_form, in_workflow) = (form.variable_type.value()?, workflow.variable_type.value()?);
    let conflict = || Conflict { is_of_types: true, in_form: quote(in_form), in_workflow: quote(in_workflow) };
    (in_form != in_workflow).then(conflict)
}

fn conflicting_ids(form: &Variable<'_>, workflow: &Variable<'_>) -> Option<Conflict> {
    let (in_form, in_workflow) = (form.id.value()?, workflow.id.value()?);
    Some(Conflict { is_of_types: false, in_form: in_form.to_string(), in_workflow: in_workflow.to_string() })
}

/// Whether two variables have ids, and none in common.
fn ids_conflict(form: &Variable<'_>, workflow: &Variable<'_>) -> bool {
    let (in_form, in_workflow) = (ids(form), ids(workflow));
    let is_common = |id: &Option<i64>| id.is_some() && in_workflow.contains(id);
    in_form.iter().any(Option::is_some) && in_workflow.iter().any(Option::is_some) && !in_form.iter().any(is_common)
}

/// The ids of a variable that it has.
fn ids(variable: &Variable<'_>) -> [Option<i64>; 2] {
    [variable.id.value(), variable.details().real_id.value()].map(|id| id.filter(|&id| id != NO_ID))
}
