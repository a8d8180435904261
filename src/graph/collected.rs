//! The effects of a workflow's activities, before its paths are known.

use super::effects::{Collector, Effects, VariableNames, Write, Writer, Written};
use super::mistyped::Mistyped;
use super::scope::Scope;
use crate::collections::HashSet;
use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::project::{FormDocument, ServiceModel, WorkflowDocument};

/// A workflow whose effects are known but whose paths are not yet.
pub struct Collected<'p> {
    pub document: &'p WorkflowDocument<'p>,
    pub scope: Scope<'p>,
    pub names: VariableNames<'p>,
    pub effects: Vec<Effects<'p>>,
    pub mistyped: Vec<Mistyped>,
}

/// The effects of activities that cannot be read.
pub fn opaque_effects<'p>() -> Effects<'p> {
    let mut effects = Effects::default();
    effects.make_opaque();
    effects
}

/// Collects the effects of a workflow; `opaque` holds the objects of activities that could not be read whole.
pub fn collect<'p>(
    model: &ServiceModel<'p>,
    document: &'p WorkflowDocument<'p>,
    scope: Scope<'p>,
    opaque: &HashSet<(FileId, NodeId)>,
) -> Collected<'p> {
    let workflow = &document.workflow;
    let (mut names, mut effects) = Collector::collect(&scope, workflow);
    for (activity, effects) in workflow.activities.iter().zip(&mut effects) {
        if opaque.contains(&(document.file, activity.node)) || activity.children.is_unknown() {
            effects.make_opaque();
        }
        let form = activity.approval().and_then(|approval| model.form(approval.form.value()?));
        if let Some(form) = form {
            add_approval_form(form, &mut names, effects);
        }
    }
    Collected { document, scope, names, effects, mistyped: Vec::new() }
}

/// Approvers see the fields of their form, and fill those that are not readonly.
fn add_approval_form<'p>(form: &FormDocument<'p>, names: &mut VariableNames<'p>, effects: &mut Effects<'p>) {
    for field in &form.form.fields {
        let Some((node, name)) = field.target() else { continue };
        let variable = names.add(name);
        effects.shows.push(variable);
        if field.readonly.value() != Some(true) {
            effects.writes.push(Write { variable, value: Written::Unknown, node, by: Writer::Form, guessed: false });
        }
    }
}
