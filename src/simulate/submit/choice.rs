//! The items of drop-downs.

use super::submitted::SubmittedField;
use crate::collections::HashSet;
use crate::simulate::quote;
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;

/// A restricted drop-down takes its items, a dynamic one also any identity of the directory.
pub(super) fn check_choice(run: &Run<'_, '_>, submitted: &SubmittedField<'_>, value: &str) -> Result<(), Stop> {
    let properties = &submitted.field.properties();
    if properties.is_restricted.value() != Some(true) {
        return Ok(());
    }
    let is_dynamic = properties.is_dynamic.value() == Some(true);
    let items = || properties.items.get().into_iter().flatten().filter_map(|item| item.value.value());
    let made_up = run.made_up_directory();
    let directory = made_up.as_deref().unwrap_or(run.plan.directory);
    let is_identity = |choice: &str| is_dynamic && directory.find(choice).is_ok();
    if items().any(|item| item == value) || is_identity(value) {
        return Ok(());
    }
    // With several selected the value is a list, unless one item itself has a semicolon.
    let is_multiple = properties.is_multi_select.value() == Some(true);
    let choices: Vec<&str> = if is_multiple { value.split(';').map(str::trim).collect() } else { vec![value] };
    let known: HashSet<&str> = items().collect();
    for choice in choices {
        if known.contains(choice) || is_identity(choice) {
            continue;
        }
        let (what, near) = if is_dynamic {
            ("identity", String::new())
        } else {
            ("item", crate::suggest::did_you_mean(choice, items()))
        };
        return Err(submitted.refuse(format!("unknown {what} {} in {}{near}", quote(choice), submitted.label())));
    }
    Ok(())
}
