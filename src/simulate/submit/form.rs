//! A submission through the form.

use super::field;
use super::input::fill_variable;
use super::submitted::SubmittedField;
use crate::collections::HashMap;
use crate::model::FieldType;
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
    let mut inputs: HashMap<&str, &NamedInput> = HashMap::default();
    for input in submit {
        inputs.entry(input.name.value.as_str()).or_insert(input);
    }
    for (field, is_hidden) in form.form.fields.iter().zip(form.form.hidden()) {
        if field.field_type == FieldType::FormSection {
            continue;
        }
        let name = field.name.value().unwrap_or_default();
        let input = inputs.get(name).copied();
        let submitted = SubmittedField { form, field, is_hidden, name };
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
