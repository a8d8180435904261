//! How an order begins: the variables' own values, those that the scenario sets, and what is submitted, through the form if
//! there is one.

use std::sync::Arc;

use super::clock::as_seconds;
use super::plan::FormPlan;
use super::run::Run;
use super::scenario::{Input, NamedInput};
use super::scripts::ScriptError;
use super::strings::{quote, quote_value, translation};
use super::trace::{Event, Failure, Stop};
use crate::common::collections::{HashMap, HashSet};
use crate::model::Assumption;
use crate::model::{Field, FieldType, MAIL_VALIDATION, Member, Variable};
use crate::script::{Answer, Job, JsonVariable};

/// Sets the variables: to their own values, then by `variables`, then by `submit`.
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

fn submit_form<'p>(run: &mut Run<'p, '_>, form: FormPlan<'p>, submit: &'p [NamedInput]) -> Result<(), Stop> {
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
        if let Some(value) = field_value(run, &submitted, input)? {
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

/// Hides the value of a field whose variable is masked. Needed before the variable is set: when the
/// form refuses the value, the message quotes it.
fn hide(run: &mut Run<'_, '_>, field: &Field<'_>, value: &Arc<str>) {
    let slot = field.target().and_then(|(_, variable)| run.plan.names.slot(variable));
    if let Some(mask) = slot.and_then(|slot| run.plan.names.mask(slot)) {
        run.values.hide(mask, Arc::clone(value));
    }
}

/// The value of an input; of a file, the generated id of the upload.
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

struct SubmittedField<'p> {
    pub form: FormPlan<'p>,
    pub field: &'p Field<'p>,
    /// Itself, or with a section around it.
    pub is_hidden: bool,
    pub name: &'p str,
}

impl SubmittedField<'_> {
    /// The form refuses the submission because of this field.
    pub fn refuse(&self, message: String) -> Stop {
        Stop::Refused(Failure { message, location: Some(self.form.at(self.field.node)) })
    }

    /// The field in a message.
    pub fn label(&self) -> String {
        format!("field {}", quote(self.name))
    }
}

/// The value of a field's variable; `None` when the variable keeps the one it has.
fn field_value(
    run: &mut Run<'_, '_>,
    submitted: &SubmittedField<'_>,
    input: Option<&NamedInput>,
) -> Result<Option<Arc<str>>, Stop> {
    let field = submitted.field;
    check_readable(submitted)?;
    let is_set = |member: &Member<bool>| member.value() == Some(true);
    // Nobody fills it in, and the form does not validate it.
    let is_fixed = submitted.is_hidden || is_set(&field.readonly);
    let (value, is_kept) = match input {
        Some(input) => {
            if submitted.is_hidden {
                return Err(submitted.refuse(format!("value for hidden {}", submitted.label())));
            }
            if is_set(&field.readonly) {
                return Err(submitted.refuse(format!("value for readonly {}", submitted.label())));
            }
            check_input(submitted, &input.input.value)?;
            (input_value(run, &input.input.value), false)
        }
        None => match default_value(field, &run.plan.scenario.culture) {
            Some(value) => (Arc::from(value), false),
            None if is_fixed => {
                let kept = field.target().and_then(|(_, name)| run.value_of(name).cloned());
                (kept.unwrap_or_else(|| Arc::from("")), true)
            }
            None => (Arc::from(""), false),
        },
    };
    if value.is_empty() {
        if is_set(&field.required) {
            let why = match (submitted.is_hidden, is_set(&field.readonly)) {
                (true, _) => ", which is hidden",
                (false, true) => ", which is readonly",
                (false, false) => "",
            };
            return Err(submitted.refuse(format!("missing required {}{why}", submitted.label())));
        }
    } else if !is_fixed {
        // The message of a refusal may quote it.
        hide(run, field, &value);
        check_value(run, submitted, &value)?;
    }
    Ok((!is_kept).then_some(value))
}

/// The value of a field that is not filled in: its default text, else its selected items.
pub fn default_value(field: &Field<'_>, culture: &str) -> Option<String> {
    let text = field.properties().default_value.get().map(|texts| translation(texts, culture));
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        return Some(text.to_owned());
    }
    let items = field.properties().items.get().into_iter().flatten();
    let selected: Vec<&str> =
        items.filter(|item| item.selected.value() == Some(true)).filter_map(|item| item.value.value()).collect();
    (!selected.is_empty()).then(|| selected.join(";"))
}

/// A key with the wrong type could have refused the value, so the field cannot be checked.
fn check_readable(submitted: &SubmittedField<'_>) -> Result<(), Stop> {
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
fn check_input(submitted: &SubmittedField<'_>, input: &Input) -> Result<(), Stop> {
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

fn check_value(run: &mut Run<'_, '_>, submitted: &SubmittedField<'_>, value: &str) -> Result<(), Stop> {
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
        if !crate::text::mail::is_address(value) {
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
        trace: None,
        now_ms: run.plan.scenario.start.as_millisecond(),
        seed: 0,
        seconds: as_seconds(run.plan.scenario.limits.script_time),
        max_polls: None,
    };
    match run.scripts.run(job) {
        Ok(Answer::Done { json: JsonVariable::Text(found), .. }) => Ok(found == "true"),
        Ok(Answer::Done { .. }) => Err("no result".to_owned()),
        Ok(Answer::Failed(failure)) => Err(failure.message),
        Err(ScriptError::Budget(exceeded)) => Err(exceeded),
        Err(ScriptError::Sandbox(error)) => Err(error.to_string()),
    }
}

fn check_choice(run: &Run<'_, '_>, submitted: &SubmittedField<'_>, value: &str) -> Result<(), Stop> {
    let is_identity = |choice: &str| run.plan.directory.find(choice).is_ok();
    let Some(choice) = unknown_choice(submitted.field, value, is_identity) else { return Ok(()) };
    let properties = submitted.field.properties();
    let items = properties.items.get().into_iter().flatten().filter_map(|item| item.value.value());
    let (what, near) = match properties.is_dynamic.value() {
        Some(true) => ("identity", String::new()),
        _ => ("item", crate::text::suggest::did_you_mean(choice, items)),
    };
    Err(submitted.refuse(format!("unknown {what} {} in {}{near}", quote(choice), submitted.label())))
}

/// The first choice in a value that a drop-down does not take. A restricted one takes its items, a dynamic one also any
/// identity of the directory.
pub fn unknown_choice<'v>(field: &Field<'_>, value: &'v str, is_identity: impl Fn(&str) -> bool) -> Option<&'v str> {
    let properties = field.properties();
    let is_dynamic = properties.is_dynamic.value() == Some(true);
    let items = properties.items.get().into_iter().flatten().filter_map(|item| item.value.value());
    let items: HashSet<&str> = items.collect();
    let is_known = |choice: &str| items.contains(choice) || is_dynamic && is_identity(choice);
    if properties.is_restricted.value() != Some(true) || is_known(value) {
        return None;
    }
    // With several selected the value is a list, unless one item itself has a semicolon.
    let is_multiple = properties.is_multi_select.value() == Some(true);
    let choices: Vec<&str> = if is_multiple { value.split(';').map(str::trim).collect() } else { vec![value] };
    choices.into_iter().find(|choice| !is_known(choice))
}
