//! What the documents of a service do with each name as it is written, also with names that no document declares.

use crate::catalog::ParameterKind;
use crate::common::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::facts::edits::parameter_copies::node_and_copy;
use crate::facts::service::AnalyzedService;
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, ActivityKind, Binding, FieldType, Role, SCRIPT_RESULT};
use crate::text::diagnostic::FileId;

/// Above it not every number is exact in JavaScript.
const MAX_ID: i64 = 1 << 53;

/// The uses by name, and the ids that declarations and bindings have.
#[derive(Debug, Default)]
pub struct NameUses {
    names: HashMap<String, NameUse>,
    /// `id` and `realId` of all variables.
    pub declared_ids: HashSet<i64>,
    /// By `boundToId`, the name that it is used with; `None` for several.
    bound_ids: HashMap<i64, Option<String>>,
}

/// The uses of one name.
#[derive(Debug, Default)]
pub struct NameUse {
    pub is_read: bool,
    /// By an Assign, a result, an output, a script or a form field.
    pub is_written: bool,
    /// Whether a form field has it.
    pub has_field: bool,
    /// Whether an `InputFile` field fills it.
    pub is_file: bool,
    /// Whether it is filled in a way that does not show its type.
    pub is_of_unknown_type: bool,
    /// Whether a parameter takes it as a personal id.
    pub is_personal_id: bool,
    /// The workflows and forms that use it.
    pub files: HashSet<FileId>,
    /// The calls that return it.
    pub calls: HashSet<(FileId, ActivityId)>,
    /// The values of `boundToId` beside it, those of copies included.
    pub ids: Vec<(FileId, NodeId, i64)>,
}

impl NameUses {
    pub fn of(service: &AnalyzedService<'_>) -> Self {
        let mut uses = Self::default();
        for variable in service.variable_lists().flat_map(|(_, variables)| variables) {
            let ids = [variable.id.value(), variable.details().real_id.value()];
            uses.declared_ids.extend(ids.into_iter().flatten());
        }
        for (analysis, activity) in service.activities() {
            uses.add_activity(analysis, activity);
        }
        for site in service.codes() {
            if site.syntax.script().is_some_and(|script| !script.json.assignments.is_empty()) {
                uses.of_name(site.analysis.file, SCRIPT_RESULT).is_written = true;
            }
        }
        for form in &service.model.forms {
            for field in &form.form.fields {
                let Some((_, name)) = field.target() else { continue };
                let known = uses.of_name(form.file, name);
                known.has_field = true;
                // A readonly field only shows it.
                let is_filled = !field.readonly.is_true();
                known.is_written |= is_filled;
                known.is_read |= !is_filled;
                known.is_file |= is_filled && field.field_type == FieldType::InputFile;
                known.is_of_unknown_type |= matches!(field.field_type, FieldType::Declared | FieldType::Unknown);
            }
        }
        uses
    }

    pub fn get(&self, name: &str) -> Option<&NameUse> {
        self.names.get(name)
    }

    /// Whether something uses the name.
    pub fn is_used(&self, name: &str) -> bool {
        self.get(name).is_some_and(|known| known.is_read || known.is_written)
    }

    /// Whether one place writes the name and another one reads it: it is spelled as it was meant, most likely.
    pub fn is_consistent(&self, name: &str) -> bool {
        self.get(name).is_some_and(|known| known.is_read && known.is_written)
    }

    /// Whether one call returns both, so that neither is the other one mistyped.
    pub fn are_of_one_call(&self, name: &str, other: &str) -> bool {
        let calls = self.get(name).zip(self.get(other));
        calls.is_some_and(|(name, other)| !name.calls.is_disjoint(&other.calls))
    }

    /// Whether neither a variable nor a binding to another name has the id.
    pub fn is_free(&self, id: i64, name: &str) -> bool {
        let is_own = |known: &Option<String>| known.as_deref() == Some(name);
        !self.declared_ids.contains(&id) && self.bound_ids.get(&id).is_none_or(is_own)
    }

    /// The ids that nothing has, beginning after the greatest one of a variable.
    pub fn free_ids(&self) -> impl Iterator<Item = i64> {
        let last = self.declared_ids.iter().max().or_else(|| self.bound_ids.keys().max());
        let next = last.map_or(1, |&last| last.saturating_add(1).max(1));
        (next..MAX_ID).filter(|id| !self.declared_ids.contains(id) && !self.bound_ids.contains_key(id))
    }

    fn of_name(&mut self, file: FileId, name: &str) -> &mut NameUse {
        let known = self.names.entry(name.to_owned()).or_default();
        known.files.insert(file);
        known
    }

    fn add_activity(&mut self, analysis: &Analysis<'_>, activity: &Activity<'_>) {
        activity.bindings(|binding, role| self.add_binding(analysis, activity, binding, role));
        if let ActivityKind::Assign(assign) = &activity.kind {
            for placeholder in analysis.scope.placeholders_of(assign) {
                self.of_name(analysis.file, placeholder.name).is_read = true;
            }
        }
        let outputs = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref());
        for output in outputs.into_iter().flat_map(|provider| &provider.outputs) {
            let known = self.of_name(analysis.file, &output.name);
            known.is_written = true;
            known.calls.insert((analysis.file, activity.id));
        }
    }

    fn add_binding(
        &mut self,
        analysis: &Analysis<'_>,
        activity: &Activity<'_>,
        binding: &Binding<'_>,
        role: Role<'_, '_>,
    ) {
        let Some((_, name)) = binding.target() else { return };
        let known = self.of_name(analysis.file, name);
        known.is_written |= role.writes();
        // An entry of `assignedVariables` repeats a placeholder.
        known.is_read |= !role.writes() && role != Role::Assigned;
        known.is_personal_id |= is_personal_id(analysis, activity, role);
        let Some((node, &id)) = binding.bound_to_id.known() else { return };
        known.ids.extend(node_and_copy(analysis, activity, node).map(|node| (analysis.file, node, id)));
        let of_id = self.bound_ids.entry(id).or_insert_with(|| Some(name.to_owned()));
        if of_id.as_deref() != Some(name) {
            *of_id = None;
        }
    }
}

/// Whether a binding is that of a parameter that takes a personal id.
fn is_personal_id(analysis: &Analysis<'_>, activity: &Activity<'_>, role: Role<'_, '_>) -> bool {
    let Role::Parameter(parameter) = role else { return false };
    let method = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref()?.method);
    let known = method.zip(parameter.name.value()).and_then(|(method, name)| method.parameter(name));
    known.is_some_and(|known| known.kind == Some(ParameterKind::PersonalId))
}
