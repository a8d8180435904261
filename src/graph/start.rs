//! The initial abstract state: what is known of the variables when a workflow starts.

use smallvec::SmallVec;

use super::effects::{VarId, VariableNames};
use super::scope::Scope;
use super::usage::{FieldTarget, Usage};
use super::value::{AbstractValue, Constant};
use crate::collections::HashSet;
use crate::model::Variable;
use crate::project::ServiceModel;

/// The variables that an order form fills before the workflow starts (docs/platform.md, Workflow document); `None` if
/// it may be any variable. A file that cannot be read may be such a form, or a workflow that runs before.
pub fn filled_by_order_forms<'p>(model: &'p ServiceModel<'p>, scopes: &[Scope<'p>]) -> Option<HashSet<&'p str>> {
    if model.has_broken_file {
        return None;
    }
    let forms = model.forms.iter().zip(scopes).filter(|(form, _)| form.is_order_form);
    let mut filled = HashSet::default();
    for (form, scope) in forms {
        for field in &form.form.fields {
            let target = FieldTarget::of(field, scope);
            filled.extend(target.also_meant(field, scope));
            match target {
                FieldTarget::Variable(name) => drop(filled.insert(name)),
                FieldTarget::Nothing => {}
                FieldTarget::Unknown => return None,
            }
        }
    }
    Some(filled)
}

/// The state of each variable at the entry of a workflow.
pub struct Start<'s, 'p, F> {
    /// The result of [`filled_by_order_forms`].
    pub filled: Option<&'s HashSet<&'s str>>,
    pub scope: &'s Scope<'p>,
    pub names: &'s VariableNames<'p>,
    pub usage: &'s Usage<'p>,
    /// Whether another workflow of the service may write a variable.
    pub is_written_outside: &'s F,
}

impl<'p, F: Fn(&str) -> bool> Start<'_, 'p, F> {
    /// Whether a variable is definitely assigned, and its value.
    pub fn of(&self, id: VarId) -> (bool, AbstractValue<'p>) {
        let name = self.names.name(id);
        let declarations = &self.scope.declarations;
        // The order form, another workflow or the platform may have given it any value. Without declarations, every
        // variable may be one of these.
        let is_written_before = self.filled.is_none_or(|filled| filled.contains(name))
            || self.usage.is_filled_by_order(name)
            || (self.is_written_outside)(name)
            || !declarations.are_there
            || self.scope.is_provided(name);
        let declared: SmallVec<[&Variable<'p>; 2]> =
            declarations.named(name).map(|declared| declared.variable).collect();
        let is_preset = declared.iter().any(|variable| variable.is_preset());
        // The declared value is a constant only if nothing, such as the caller of the workflow, can replace it.
        let only_by_value = declared.iter().all(|variable| variable.is_preset_by_value_alone());
        let value = declared.iter().find_map(|variable| variable.value().value().filter(|value| !value.is_empty()));
        let value = value.filter(|_| !is_written_before && only_by_value);
        let is_unset = !is_written_before && !is_preset;
        // A variable without any writer counts as assigned: WF302 reports it, so that WF303 does not.
        let assigned = !is_unset || !self.usage.has_known_writer(name);
        let value = match value {
            Some(value) => AbstractValue::Is(Constant::text(value)),
            None if is_unset => AbstractValue::Unset,
            None => AbstractValue::Any,
        };
        (assigned, value)
    }
}
