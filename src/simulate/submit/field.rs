//! The value of a field when the form is submitted.

use std::sync::Arc;

use super::input::{hide, input_value};
use super::submitted::SubmittedField;
use super::validation::{check_input, check_readable, check_value};
use crate::model::{Field, Locales, Member};
use crate::simulate::run::Run;
use crate::simulate::scenario::NamedInput;
use crate::simulate::stop::Stop;
use crate::simulate::text::translation;

/// The value of a field's variable; `None` when the variable keeps the one it has.
pub(super) fn value(
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
        None => match default(run, field) {
            Some(value) => (value, false),
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
fn default(run: &Run<'_, '_>, field: &Field<'_>) -> Option<Arc<str>> {
    let texts: Option<&Locales<'_>> = field.properties().default_value.get();
    if let Some(text) =
        texts.map(|texts| translation(texts, &run.plan.scenario.culture)).filter(|text| !text.is_empty())
    {
        return Some(Arc::from(text));
    }
    let items = field.properties().items.get().into_iter().flatten();
    let selected: Vec<&str> =
        items.filter(|item| item.selected.value() == Some(true)).filter_map(|item| item.value.value()).collect();
    (!selected.is_empty()).then(|| Arc::from(selected.join(";")))
}
