//! What the order begins with: the variables' values, those that the scenario sets, and what is
//! filled in, through the form where there is one.

mod field;

use std::sync::Arc;

use super::assumption::Assumption;
use super::plan::FormPlan;
use super::run::Run;
use super::scenario::{Given, Input};
use super::stop::{Failure, Stop};
use super::trace::Event;
use crate::diagnostic::Location;
use crate::document::NodeId;
use crate::model::{Field, FieldType, Variable};
use crate::simulate::quote;

/// Gives the variables their values at the start.
///
/// # Errors
/// What the form does not accept.
pub fn fill(run: &mut Run<'_, '_>) -> Result<(), Stop> {
    let plan = run.plan;
    let own = [Some(&plan.workflow.variables), plan.form.map(|form| &form.form.variables)];
    // A document's own list comes first, so a form's does not change what the workflow says.
    for variables in own.into_iter().flatten() {
        for variable in variables.get().into_iter().flatten() {
            preset(run, variable);
        }
    }
    for given in &plan.scenario.variables {
        warn_undeclared(run, given);
        let value = input_value(run, &given.input.value);
        fill_variable(run, &given.name.value, value)?;
    }
    let submit = plan.scenario.submit.as_deref().unwrap_or_default();
    // A form that nobody filled in is sent as it is.
    if let Some(form) = plan.form {
        hide_given(run, form, submit);
        return submit_form(run, form, submit);
    }
    for given in submit {
        let value = input_value(run, &given.input.value);
        fill_variable(run, &given.name.value, value)?;
    }
    Ok(())
}

/// Hides the value of a field whose variable is masked, even when the form refuses it.
fn hide(run: &mut Run<'_, '_>, field: &Field<'_>, value: &Arc<str>) {
    let slot = field.target().and_then(|(_, variable)| run.plan.names.slot(variable));
    if let Some(mask) = slot.and_then(|slot| run.plan.names.mask(slot)) {
        run.values.hide(mask, Arc::clone(value));
    }
}

/// Hides all that is filled in for masked variables: a field before may be refused.
fn hide_given(run: &mut Run<'_, '_>, form: FormPlan<'_>, submit: &[Given]) {
    for given in submit {
        let Input::Text(text) = &given.input.value else { continue };
        let name = given.name.value.as_str();
        if let Some(field) = form.form.fields.iter().find(|field| field.name.value() == Some(name)) {
            hide(run, field, text);
        }
    }
}

/// Variables of the platform need not be declared; a slip looks the same.
fn warn_undeclared(run: &mut Run<'_, '_>, given: &Given) {
    let name = given.name.value.as_str();
    if run.plan.names.is_declared(name) {
        return;
    }
    let known = run.plan.names.iter().filter(|known| run.plan.names.is_declared(known));
    if let Some(near) = crate::suggest::nearest(name, known) {
        run.warn(format!("{} is declared nowhere; did you mean {}?", quote(name), quote(near)));
    }
}

fn preset(run: &mut Run<'_, '_>, variable: &Variable<'_>) {
    let (Some(name), Some(value)) = (variable.name.value(), variable.value.value()) else { return };
    let Some(slot) = run.plan.names.slot(name) else { return };
    if !value.is_empty() && run.values.get(slot).is_none() {
        run.values.set(&run.plan.names, slot, Arc::from(value));
    }
}

/// A text as it is; a file becomes the generated id of its upload.
fn input_value(run: &mut Run<'_, '_>, input: &Input) -> Arc<str> {
    match input {
        Input::Text(text) => Arc::clone(text),
        Input::File(name) if name.is_empty() => Arc::from(""),
        Input::File(_) => Arc::from(run.generate_id()),
    }
}

fn fill_variable(run: &mut Run<'_, '_>, name: &str, value: Arc<str>) -> Result<(), Stop> {
    run.spend(value.len())?;
    match run.plan.names.slot(name) {
        Some(slot) => {
            if run.plan.names.mask(slot).is_some() {
                run.assume(Assumption::Masked);
            }
            run.values.set(&run.plan.names, slot, Arc::clone(&value));
            run.note(Event::Filled(slot, value));
        }
        None => run.note(Event::Lost(name.into())),
    }
    Ok(())
}

fn submit_form<'p>(run: &mut Run<'p, '_>, form: FormPlan<'p>, submit: &'p [Given]) -> Result<(), Stop> {
    if form.form.scripts().next().is_some() {
        run.assume(Assumption::FormScripts);
    }
    check_names(run, form, submit)?;
    // A form is sent as a whole or not at all.
    let mut filled = Vec::new();
    for (index, field) in form.form.fields.iter().enumerate() {
        if field.field_type == FieldType::FormSection {
            continue;
        }
        let name = field.name.value().unwrap_or_default();
        let given = submit.iter().find(|given| given.name.value == name);
        let site = field::Site { form, field, is_hidden: is_hidden(form, index), name };
        if let Some(value) = field::value(run, &site, given)? {
            filled.push((site, value));
        }
    }
    for (site, value) in filled {
        if let Some((_, variable)) = site.field.target() {
            fill_variable(run, variable, value)?;
        }
    }
    Ok(())
}

/// Whether a field is hidden, or lies in a section that is.
fn is_hidden(form: FormPlan<'_>, index: usize) -> bool {
    let is_hidden = |field: &Field<'_>| field.hidden.value() == Some(true);
    let holds = |field: &Field<'_>, child: usize| field.children.get().is_some_and(|inside| inside.contains(&child));
    let mut at = index;
    loop {
        if form.form.fields.get(at).is_some_and(is_hidden) {
            return true;
        }
        // A section comes before what is in it.
        match form.form.fields.iter().take(at).rposition(|field| holds(field, at)) {
            Some(parent) => at = parent,
            None => return false,
        }
    }
}

/// Refuses what is filled in for a field that there is not.
fn check_names(run: &Run<'_, '_>, form: FormPlan<'_>, submit: &[Given]) -> Result<(), Stop> {
    let names = || {
        let fields = form.form.fields.iter().filter(|field| field.field_type != FieldType::FormSection);
        fields.filter_map(|field| field.name.value())
    };
    for given in submit {
        let name = &given.name.value;
        if !names().any(|known| known == name) {
            let is_section = form.form.fields.iter().any(|field| field.name.value() == Some(name.as_str()));
            let near = crate::suggest::did_you_mean(name, names());
            let message = if is_section {
                format!("{} is a section of the form, which takes no value", quote(name))
            } else {
                format!("the form has no field {}{near}", quote(name))
            };
            return Err(refuse(run.plan.in_scenario(&given.name.place), message));
        }
    }
    Ok(())
}

fn refuse(location: Location, message: String) -> Stop {
    Stop::Refused(Failure { message, location: Some(location) })
}

fn refuse_field(form: FormPlan<'_>, node: NodeId, message: String) -> Stop {
    refuse(form.at(node), message)
}
