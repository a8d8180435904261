//! The values of the variables at the start.

use std::sync::Arc;

use super::form::submit_form;
use super::input::{fill_variable, hide, input_value};
use crate::collections::HashMap;
use crate::model::{Field, Variable};
use crate::simulate::plan::FormPlan;
use crate::simulate::run::Run;
use crate::simulate::scenario::{Input, NamedInput};
use crate::simulate::stop::Stop;

/// Sets the variables: to their own values, then by `variables`, then by `submit`.
///
/// # Errors
/// A submission that the form does not accept.
pub fn fill(run: &mut Run<'_, '_>) -> Result<(), Stop> {
    let plan = run.plan;
    let own = [Some(&plan.workflow.variables), plan.form.map(|form| &form.form.variables)];
    // The first value counts, so the workflow's list comes before the form's.
    for variables in own.into_iter().flatten() {
        for variable in variables.get().into_iter().flatten() {
            preset(run, variable);
        }
    }
    for input in &plan.scenario.variables {
        let value = input_value(run, &input.input.value);
        fill_variable(run, &input.name.value, value)?;
    }
    let submit = plan.scenario.submit.as_deref().unwrap_or_default();
    // Without `submit` the form is sent as it is.
    if let Some(form) = plan.form {
        hide_inputs(run, form, submit);
        return submit_form(run, form, submit);
    }
    for input in submit {
        let value = input_value(run, &input.input.value);
        fill_variable(run, &input.name.value, value)?;
    }
    Ok(())
}

/// Hides everything that is submitted for masked variables, before any field is checked: the report
/// quotes the scenario also when an earlier field is refused.
fn hide_inputs(run: &mut Run<'_, '_>, form: FormPlan<'_>, submit: &[NamedInput]) {
    let mut fields: HashMap<&str, &Field<'_>> = HashMap::default();
    for field in &form.form.fields {
        if let Some(name) = field.name.value() {
            fields.entry(name).or_insert(field);
        }
    }
    for input in submit {
        let Input::Text(text) = &input.input.value else { continue };
        if let Some(field) = fields.get(input.name.value.as_str()) {
            hide(run, field, text);
        }
    }
}

fn preset(run: &mut Run<'_, '_>, variable: &Variable<'_>) {
    let (Some(name), Some(value)) = (variable.name.value(), variable.value().value()) else { return };
    let Some(slot) = run.plan.names.slot(name) else { return };
    if !value.is_empty() && run.values.get(slot).is_none() {
        run.values.set(&run.plan.names, slot, Arc::from(value));
    }
}
