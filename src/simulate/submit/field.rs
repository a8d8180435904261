//! One field of the form: what it holds when the form is sent, and whether the form accepts it.

use std::sync::Arc;

use super::{input_value, refuse_field};
use crate::model::{Field, FieldType, Locales, Member};
use crate::script::{Answer, Job, JsonVariable};
use crate::simulate::activity::translation;
use crate::simulate::assumption::Assumption;
use crate::simulate::clock::as_seconds;
use crate::simulate::plan::FormPlan;
use crate::simulate::quote;
use crate::simulate::run::Run;
use crate::simulate::scenario::{Given, Input};
use crate::simulate::stop::Stop;

/// The validation type of a mail field (reference, Form field: 2 for the mail field).
const MAIL: i64 = 2;

/// A field of the form that is sent.
pub(super) struct Site<'p> {
    pub form: FormPlan<'p>,
    pub field: &'p Field<'p>,
    pub is_hidden: bool,
    pub name: &'p str,
}

impl Site<'_> {
    fn refuse(&self, message: &str) -> Stop {
        refuse_field(self.form, self.field.node, format!("the field {} {message}", quote(self.name)))
    }
}

/// What a field's variable gets; `None` when it keeps what it has.
pub(super) fn value(run: &mut Run<'_, '_>, site: &Site<'_>, given: Option<&Given>) -> Result<Option<Arc<str>>, Stop> {
    let field = site.field;
    check_readable(site)?;
    let is_set = |member: &Member<bool>| member.value() == Some(true);
    let (value, is_kept) = match given {
        Some(given) => {
            if site.is_hidden {
                return Err(site.refuse("is hidden: nobody can fill it in"));
            }
            if is_set(&field.readonly) {
                return Err(site.refuse("is readonly: nobody can fill it in"));
            }
            check_input(site, &given.input.value)?;
            (input_value(run, &given.input.value), false)
        }
        None => match default(run, field) {
            Some(value) => (value, false),
            None => {
                let shown = field.target().and_then(|(_, name)| run.value_of(name).cloned());
                let is_kept = shown.is_some();
                (shown.unwrap_or_else(|| Arc::from("")), is_kept)
            }
        },
    };
    if value.is_empty() {
        if is_set(&field.required) {
            let nobody_can = site.is_hidden || is_set(&field.readonly);
            let why = if nobody_can { "and nobody can fill it in" } else { "but nothing is filled in" };
            return Err(site.refuse(&format!("is required, {why}")));
        }
    } else if !site.is_hidden {
        // A message may hold it.
        super::hide(run, field, &value);
        check_value(run, site, &value)?;
    }
    Ok((!is_kept).then_some(value))
}

/// A member that cannot be read might refuse what is filled in.
fn check_readable(site: &Site<'_>) -> Result<(), Stop> {
    let (field, properties) = (site.field, &site.field.properties);
    let members = [
        ("required", field.required.is_unknown()),
        ("readonly", field.readonly.is_unknown()),
        ("hidden", field.hidden.is_unknown()),
        ("validationtype", properties.validation_type.is_unknown()),
        ("validationpattern", properties.validation_pattern.is_unknown()),
        ("isRestricted", properties.is_restricted.is_unknown()),
        ("dropdownItems", properties.items.is_unknown()),
    ];
    match members.iter().find(|(_, is_unknown)| *is_unknown) {
        Some((name, _)) => Err(site.refuse(&format!("cannot be checked: its `{name}` has the wrong type"))),
        None => Ok(()),
    }
}

/// A file for a file field, a text for any other.
fn check_input(site: &Site<'_>, input: &Input) -> Result<(), Stop> {
    match (site.field.field_type, input) {
        (FieldType::InputFile, Input::Text(text)) if !text.is_empty() => {
            Err(site.refuse("takes a file: write `{ file: name }`"))
        }
        (FieldType::InputText | FieldType::DropDown, Input::File(_)) => Err(site.refuse("takes a text, not a file")),
        _ => Ok(()),
    }
}

/// What a field holds before anybody has filled it in.
fn default(run: &Run<'_, '_>, field: &Field<'_>) -> Option<Arc<str>> {
    let texts: Option<&Locales<'_>> = field.properties.default_value.get();
    if let Some(text) =
        texts.map(|texts| translation(texts, &run.plan.scenario.culture)).filter(|text| !text.is_empty())
    {
        return Some(Arc::from(text));
    }
    let items = field.properties.items.get().into_iter().flatten();
    let selected: Vec<&str> =
        items.filter(|item| item.selected.value() == Some(true)).filter_map(|item| item.value.value()).collect();
    (!selected.is_empty()).then(|| Arc::from(selected.join(";")))
}

fn check_value(run: &mut Run<'_, '_>, site: &Site<'_>, value: &str) -> Result<(), Stop> {
    match site.field.field_type {
        FieldType::InputText => check_text(run, site, value),
        FieldType::DropDown => check_choice(run, site, value),
        _ => Ok(()),
    }
}

fn check_text(run: &mut Run<'_, '_>, site: &Site<'_>, value: &str) -> Result<(), Stop> {
    let properties = &site.field.properties;
    if properties.validation_type.value() == Some(MAIL) {
        run.assume(Assumption::MailValidation);
        if !crate::mail::is_address(value) {
            return Err(site.refuse(&format!("takes a mail address, but {} is none", quote(value))));
        }
    }
    let Some(pattern) = properties.validation_pattern.value().filter(|pattern| !pattern.is_empty()) else {
        return Ok(());
    };
    match matches(run, pattern, value) {
        Ok(true) => Ok(()),
        Ok(false) => Err(site.refuse(&format!("does not accept {}: it does not match `{pattern}`", quote(value)))),
        Err(reason) => {
            Err(site.refuse(&format!("cannot be checked: its pattern `{pattern}` gives no answer: {reason}")))
        }
    }
}

/// Whether a pattern is found in a value, as `RegExp.test` of JavaScript finds it.
fn matches(run: &mut Run<'_, '_>, pattern: &str, value: &str) -> Result<bool, String> {
    let job = Job {
        script: "Json = String(new RegExp(Pattern).test(Value));".to_owned(),
        variables: vec![("Pattern".to_owned(), pattern.to_owned()), ("Value".to_owned(), value.to_owned())],
        hosts: Vec::new(),
        setup: None,
        now_ms: run.plan.scenario.start.as_millisecond(),
        seed: 0,
        seconds: as_seconds(run.plan.scenario.limits.script_time),
    };
    match run.sandbox.run(&job) {
        Ok(Answer::Done { json: JsonVariable::Text(found) }) => Ok(found == "true"),
        Ok(Answer::Done { .. }) => Err("it gives no answer".to_owned()),
        Ok(Answer::Failed(failure)) => Err(failure.message),
        Err(error) => Err(error.to_string()),
    }
}

/// The items of a restricted drop-down; a dynamic one takes whom the directory knows.
fn check_choice(run: &Run<'_, '_>, site: &Site<'_>, value: &str) -> Result<(), Stop> {
    let properties = &site.field.properties;
    if properties.is_restricted.value() != Some(true) {
        return Ok(());
    }
    let is_dynamic = properties.is_dynamic.value() == Some(true);
    let items = || properties.items.get().into_iter().flatten().filter_map(|item| item.value.value());
    let is_choice =
        |choice: &str| items().any(|item| item == choice) || is_dynamic && run.plan.directory.find(choice).is_ok();
    if is_choice(value) {
        return Ok(());
    }
    let is_multiple = properties.is_multi_select.value() == Some(true);
    let choices: Vec<&str> = if is_multiple { value.split(';').map(str::trim).collect() } else { vec![value] };
    for choice in choices {
        if is_choice(choice) {
            continue;
        }
        let what = if is_dynamic {
            "the directory does not know it".to_owned()
        } else {
            let near = crate::suggest::did_you_mean(choice, items());
            format!("it is none of the items{near}")
        };
        return Err(site.refuse(&format!("does not accept {}: {what}", quote(choice))));
    }
    Ok(())
}
