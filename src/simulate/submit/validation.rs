//! Whether the form accepts what a field holds.

use super::choice::check_choice;
use super::submitted::SubmittedField;
use crate::model::{Field, FieldType, MAIL_VALIDATION};
use crate::script::{Answer, Job, JsonVariable};
use crate::simulate::assumption::Assumption;
use crate::simulate::clock::as_seconds;
use crate::simulate::run::{Run, ScriptError};
use crate::simulate::scenario::Input;
use crate::simulate::stop::Stop;
use crate::simulate::{quote, quote_value};

/// A key with the wrong type could have refused the value, so the field cannot be checked.
pub(super) fn check_readable(submitted: &SubmittedField<'_>) -> Result<(), Stop> {
    match unreadable_key(submitted.field) {
        Some(name) => Err(submitted.refuse(format!("invalid `{name}` of {}", submitted.label()))),
        None => Ok(()),
    }
}

/// The key of a field that cannot be read, so that the form refuses every order.
pub fn unreadable_key(field: &Field<'_>) -> Option<&'static str> {
    let properties = field.properties();
    let keys = [
        ("required", field.required.is_unknown()),
        ("readonly", field.readonly.is_unknown()),
        ("hidden", field.hidden.is_unknown()),
        ("validationtype", properties.validation_type.is_unknown()),
        ("validationpattern", properties.validation_pattern.is_unknown()),
        ("isRestricted", properties.is_restricted.is_unknown()),
        ("dropdownItems", properties.items.is_unknown()),
    ];
    keys.into_iter().find(|(_, is_unknown)| *is_unknown).map(|(key, _)| key)
}

/// A file field takes a file, any other a string.
pub(super) fn check_input(submitted: &SubmittedField<'_>, input: &Input) -> Result<(), Stop> {
    match (submitted.field.field_type, input) {
        (FieldType::InputFile, Input::Text(text)) if !text.is_empty() => {
            Err(submitted.refuse(format!("expected a file in {}: write `{{ file: name }}`", submitted.label())))
        }
        (FieldType::InputText | FieldType::DropDown, Input::File(_)) => {
            Err(submitted.refuse(format!("expected a string in {}, found a file", submitted.label())))
        }
        _ => Ok(()),
    }
}

pub(super) fn check_value(run: &mut Run<'_, '_>, submitted: &SubmittedField<'_>, value: &str) -> Result<(), Stop> {
    match submitted.field.field_type {
        FieldType::InputText => check_text(run, submitted, value),
        FieldType::DropDown => check_choice(run, submitted, value),
        _ => Ok(()),
    }
}

fn check_text(run: &mut Run<'_, '_>, submitted: &SubmittedField<'_>, value: &str) -> Result<(), Stop> {
    let properties = &submitted.field.properties();
    if properties.validation_type.value() == Some(MAIL_VALIDATION) {
        run.assume(Assumption::MailValidation);
        if !crate::mail::is_address(value) {
            return Err(submitted.refuse(format!(
                "expected a mail address in {}, found {}",
                submitted.label(),
                quote_value(value)
            )));
        }
    }
    let Some(pattern) = properties.validation_pattern.value().filter(|pattern| !pattern.is_empty()) else {
        return Ok(());
    };
    match matches(run, pattern, value) {
        Ok(true) => Ok(()),
        Ok(false) => {
            Err(submitted.refuse(format!("{} in {} does not match `{pattern}`", quote(value), submitted.label())))
        }
        Err(reason) => {
            Err(submitted.refuse(format!("pattern `{pattern}` of {} cannot be evaluated: {reason}", submitted.label())))
        }
    }
}

/// Whether a pattern is found in a value. Only a JavaScript engine can say what `RegExp.test` says,
/// and its limits end patterns that backtrack without end.
fn matches(run: &mut Run<'_, '_>, pattern: &str, value: &str) -> Result<bool, String> {
    let job = Job {
        script: "Json = String(new RegExp(Pattern).test(Value));".to_owned(),
        variables: vec![("Pattern".to_owned(), pattern.to_owned()), ("Value".to_owned(), value.to_owned())],
        hosts: Vec::new(),
        setup: None,
        now_ms: run.plan.scenario.start.as_millisecond(),
        seed: 0,
        seconds: as_seconds(run.plan.scenario.limits.script_time),
        max_polls: None,
    };
    match run.scripts.run(&mut run.sandbox.borrow_mut(), job) {
        Ok(Answer::Done { json: JsonVariable::Text(found) }) => Ok(found == "true"),
        Ok(Answer::Done { .. }) => Err("no result".to_owned()),
        Ok(Answer::Failed(failure)) => Err(failure.message),
        Err(ScriptError::Budget(exceeded)) => Err(exceeded),
        Err(ScriptError::Sandbox(error)) => Err(error.to_string()),
    }
}
