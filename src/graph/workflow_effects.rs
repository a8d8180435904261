//! The effects of a workflow's activities, before its paths are explored.

use std::rc::Rc;

use super::collector::Collector;
use super::effects::{Effects, FormUse, OpaqueActivities, VariableNames, Write, Writer, Written};
use super::mistyped::MistypedOutput;
use super::outputs::{Origin, Receiver};
use super::scope::Scope;
use super::usage::{FieldTarget, Usage};
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::model::ActivityKind;
use crate::project::{FormDocument, ServiceModel, WorkflowDocument};

pub struct WorkflowEffects<'p> {
    pub document: &'p WorkflowDocument<'p>,
    pub scope: Scope<'p>,
    pub names: VariableNames<'p>,
    /// By activity.
    pub effects: Vec<Effects<'p>>,
    pub mistyped: Vec<MistypedOutput>,
}

impl<'p> WorkflowEffects<'p> {
    /// `form_scopes` are those of the model's forms.
    pub fn collect(
        (model, form_scopes): (&ServiceModel<'p>, &[Scope<'p>]),
        document: &'p WorkflowDocument<'p>,
        scope: Scope<'p>,
        opaque: &OpaqueActivities,
    ) -> Self {
        let workflow = document.workflow;
        let (mut names, mut effects) = Collector::collect(&scope, document.document, workflow);
        let mut forms: HashMap<FileId, Rc<FormUse<'p>>> = HashMap::default();
        for (activity, effects) in workflow.activities.iter().zip(&mut effects) {
            // What an activity of a declared type writes is declared, whatever else it has.
            let is_declared = matches!(activity.kind, ActivityKind::Declared { .. });
            if let Some(hidden) = opaque.get(&(document.file, activity.node)).filter(|_| !is_declared) {
                effects.hide(*hidden);
            }
            if activity.children.is_unknown() {
                effects.make_opaque();
            }
            let form = activity.approval().and_then(|approval| model.form_index(approval.form.value()?));
            if let Some((form, scope)) = form.and_then(|index| model.forms.get(index).zip(form_scopes.get(index))) {
                let used = forms.entry(form.file).or_insert_with(|| Rc::new(use_of_form(form, scope, &mut names)));
                if used.may_be_any {
                    effects.make_opaque();
                }
                effects.writes.set_form(Rc::clone(used));
            }
        }
        Self { document, scope, names, effects, mistyped: Vec::new() }
    }

    /// Adds a write of the variable that was most likely meant for each such output, so that one typo does not cause
    /// findings about everything that depends on that variable (docs/concepts.md, Precedence).
    ///
    /// `before` is the usage without any of these writes: the result then does not depend on the order of the
    /// workflows.
    pub fn attribute_mistyped_outputs(&mut self, before: &Usage<'p>) {
        let Self { document, scope, names, effects, mistyped } = self;
        let mut unwritten: Option<Vec<&str>> = None;
        for (activity, effects) in document.workflow.activities.iter().zip(effects) {
            let Some(provider) = effects.provider.as_ref() else { continue };
            for output in &provider.outputs {
                // A default output is not asked for, so losing it is not a defect.
                if output.receiver != Receiver::Missing || output.origin == Origin::Default {
                    continue;
                }
                let candidates = unwritten.get_or_insert_with(|| {
                    scope.declarations.names().filter(|name| !before.has_known_writer(name)).collect()
                });
                let nearest = scope.suggester.nearest(&output.name, candidates.iter().copied());
                let unwritten = nearest.filter(|name| !before.is_written(name));
                let Some(variable) = unwritten.map(|name| names.add(name)) else { continue };
                let by = Writer::Output { is_status: output.is_status };
                effects.writes.push(Write {
                    variable,
                    value: Written::Unknown,
                    node: activity.node,
                    by,
                    guessed: true,
                });
                mistyped.push(MistypedOutput { activity: activity.id, output: output.name.clone(), variable });
            }
        }
    }
}

/// Approvers see all fields of the form, and may fill those that are not readonly (docs/platform.md, Approval). A mistyped
/// name counts as the variables that may have been meant.
fn use_of_form<'p>(form: &FormDocument<'p>, scope: &Scope<'p>, names: &mut VariableNames<'p>) -> FormUse<'p> {
    let mut used = FormUse::new(form.file);
    for field in &form.form.fields {
        let target = FieldTarget::of(field, scope);
        let meant = match target {
            FieldTarget::Variable(name) => name,
            FieldTarget::Nothing => continue,
            FieldTarget::Unknown => {
                used.may_be_any = true;
                continue;
            }
        };
        let Some((node, name)) = field.target() else { continue };
        let (writes, guessed) = (field.readonly.value() != Some(true), meant != name);
        for name in std::iter::once(meant).chain(target.also_meant(field, scope)) {
            let variable = names.add(name);
            let write = Write { variable, value: Written::Unknown, node, by: Writer::Form, guessed };
            used.add(variable, writes.then_some(write));
        }
    }
    used.sort();
    used
}
