//! A submission through the form.

use super::field;
use super::input::fill_variable;
use super::submitted::SubmittedField;
use crate::model::{Field, FieldType};
use crate::simulate::assumption::Assumption;
use crate::simulate::plan::FormPlan;
use crate::simulate::run::Run;
use crate::simulate::scenario::NamedInput;
use crate::simulate::stop::Stop;

pub(super) fn submit_form<'p>(run: &mut Run<'p, '_>, form: FormPlan<'p>, submit: &'p [NamedInput]) -> Result<(), Stop> {
    if form.form.scripts().next().is_some() {
        run.assume(Assumption::FormScripts);
    }
    // No variable is set before every field is accepted.
    let mut filled = Vec::new();
    for (index, field) in form.form.fields.iter().enumerate() {
        if field.field_type == FieldType::FormSection {
            continue;
        }
        let name = field.name.value().unwrap_or_default();
        let input = submit.iter().find(|input| input.name.value == name);
        let submitted = SubmittedField { form, field, is_hidden: is_hidden(form, index), name };
        if let Some(value) = field::value(run, &submitted, input)? {
            filled.push((submitted, value));
        }
    }
    for (submitted, value) in filled {
        if let Some((_, variable)) = submitted.field.target() {
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
        // Fields are in document order: a section comes before the fields in it.
        match form.form.fields.iter().take(at).rposition(|field| holds(field, at)) {
            Some(parent) => at = parent,
            None => return false,
        }
    }
}
