//! The form that is filled before a workflow runs.

use crate::project::{FormDocument, ServiceModel};

/// The order form of a workflow: of several, the one with its stem.
///
/// # Errors
/// Several forms, none of which has the name of the workflow; their names.
pub fn order_form<'m, 'p>(
    model: &'m ServiceModel<'p>,
    workflow: &str,
) -> Result<Option<&'m FormDocument<'p>>, Vec<&'p str>> {
    let forms: Vec<&FormDocument<'p>> = model.forms.iter().filter(|form| form.is_order_form).collect();
    match forms.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        several => {
            let name = workflow.rsplit('/').next().unwrap_or_default();
            let stem = name.split('.').next().unwrap_or_default();
            let own = several.iter().find(|form| form.name.eq_ignore_ascii_case(stem));
            own.map(|form| Some(*form)).ok_or_else(|| several.iter().map(|form| form.name).collect())
        }
    }
}
