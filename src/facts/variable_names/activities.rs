//! The names in activities.

use super::name::{Access, NameKind};
use super::names::{Names, Site};
use crate::model::{Activity, ActivityKind, Binding, Role};
use crate::project::WorkflowDocument;

pub(super) fn add<'a>(workflow: &WorkflowDocument<'a>, names: &mut Names<'a>) {
    for activity in &workflow.workflow.activities {
        let at = Site { file: workflow.file, document: workflow.document, activity: Some(activity.id) };
        activity.bindings(|binding, role| add_binding(&at, binding, role, names));
        add_copies(&at, activity, names);
        match &activity.kind {
            ActivityKind::Assign(assign) => {
                if let Some((node, &body)) = assign.body.known() {
                    names.placeholders(&at, node, body, Access::Read);
                }
            }
            ActivityKind::Status { translations, .. } => {
                for entry in translations.get().into_iter().flatten() {
                    // It is not documented whether strings outside an Assign can have placeholders.
                    names.placeholders(&at, entry.node, entry.text.unwrap_or_default(), Access::None);
                }
            }
            ActivityKind::Code(code) => {
                for parameter in code.parameters.get().into_iter().flatten() {
                    let target = parameter.value.get().and_then(Binding::target);
                    if let (Some(node), Some((_, variable))) = (parameter.name.node(), target) {
                        let written = parameter.name.value().unwrap_or_default();
                        let span = at.document.span_inside(node, 0..written.len());
                        names.alias(&at, variable, span);
                    }
                }
            }
            _ => {}
        }
    }
}

fn add_binding<'a>(at: &Site<'a>, binding: &Binding<'a>, role: Role<'_, 'a>, names: &mut Names<'a>) {
    let (kind, access) = match role {
        _ if binding.target().is_none() => (NameKind::Binding, Access::None),
        Role::Assigned => (NameKind::Copy, Access::None),
        Role::Undocumented => (NameKind::Binding, Access::Both),
        role if role.writes() => (NameKind::Binding, Access::Write),
        _ => (NameKind::Binding, Access::Read),
    };
    if let Some((node, &name)) = binding.bound_to.known() {
        names.add(at, node, name, kind, access);
    }
    if let Some((node, text)) = binding.literal_text() {
        names.placeholders(at, node, text, Access::None);
    }
}

/// The lists that the editor keeps beside what the activity uses.
fn add_copies<'a>(at: &Site<'a>, activity: &Activity<'a>, names: &mut Names<'a>) {
    let copies = activity.provider().and_then(|provider| provider.all.get()).into_iter().flatten();
    for binding in copies.filter_map(|copy| copy.value.get()) {
        if let Some((node, &name)) = binding.bound_to.known() {
            names.add(at, node, name, NameKind::Copy, Access::None);
        }
        if let Some((node, text)) = binding.literal_text() {
            names.placeholders(at, node, text, Access::None);
        }
    }
    for (node, name) in activity.own_bound_variables.get().into_iter().flat_map(|list| list.iter()) {
        names.add(at, node, name.unwrap_or_default(), NameKind::Copy, Access::None);
    }
}
