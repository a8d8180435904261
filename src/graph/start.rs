//! What is known of the variables when a workflow begins.

use super::constant::Constant;
use super::effects::{VarId, VariableNames};
use super::scope::Scope;
use super::state::VariableState;
use super::usage::{self, Fills, Usage};
use super::value::AbstractValue;
use crate::collections::HashSet;
use crate::model::Variable;
use crate::project::ServiceModel;

/// The variables that have a value when the workflow begins, because an order form fills them; `None`
/// when it may be any.
pub fn filled_by_order_forms<'p>(model: &'p ServiceModel<'p>, scopes: &[Scope<'p>]) -> Option<HashSet<&'p str>> {
    let forms = model.forms.iter().zip(scopes).filter(|(form, _)| form.is_order_form);
    let fields = forms.flat_map(|(form, scope)| form.form.fields.iter().map(move |field| usage::fills(field, scope)));
    let mut filled = HashSet::default();
    for fills in fields {
        match fills {
            Fills::Variable(name) => drop(filled.insert(name)),
            Fills::Nothing => {}
            Fills::Anything => return None,
        }
    }
    Some(filled)
}

/// What is known of each variable when the workflow begins.
pub struct Start<'s, 'p, F> {
    pub filled: Option<&'s HashSet<&'s str>>,
    pub scope: &'s Scope<'p>,
    pub names: &'s VariableNames<'p>,
    pub usage: &'s Usage,
    pub is_written_outside: &'s F,
}

impl<F: Fn(&str) -> bool> Start<'_, '_, F> {
    pub fn of(&self, id: VarId) -> VariableState {
        let name = self.names.name(id);
        let declarations = &self.scope.declarations;
        let from_outside = self.filled.is_none_or(|filled| filled.contains(name))
            || self.usage.is_filled_by_the_order(name)
            || (self.is_written_outside)(name)
            || !declarations.are_there
            || self.scope.is_provided(name);
        let mut declared = declarations.named(name).map(|declared| &declared.variable);
        let is_preset = declared.clone().any(Variable::is_preset);
        let only_by_value = declared.clone().all(Variable::is_preset_by_value_alone);
        let value = declared.find_map(|variable| variable.value.value().filter(|value| !value.is_empty()));
        let value = value.filter(|_| !from_outside && only_by_value);
        VariableState {
            // What nothing writes is told by a rule of its own.
            assigned: from_outside || is_preset || !self.usage.is_surely_written(name),
            value: value.map_or(AbstractValue::Any, |value| AbstractValue::Is(Constant::text(value))),
            output_of: None,
        }
    }
}
