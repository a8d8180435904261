//! The form that is filled before a workflow runs.

use crate::collections::HashMap;
use crate::project::{FormDocument, ServiceModel};

/// Names in an error.
const MAX_NAMES: usize = 5;

/// The order forms of a service.
pub struct OrderForms<'m, 'p> {
    forms: Vec<&'m FormDocument<'p>>,
    /// By name in lower case, the first.
    by_name: HashMap<String, &'m FormDocument<'p>>,
}

impl<'m, 'p> OrderForms<'m, 'p> {
    pub fn of(model: &'m ServiceModel<'p>) -> Self {
        let forms: Vec<&FormDocument<'p>> = model.forms.iter().filter(|form| form.is_order_form).collect();
        let mut by_name = HashMap::default();
        for form in &forms {
            by_name.entry(form.name.to_ascii_lowercase()).or_insert(*form);
        }
        Self { forms, by_name }
    }

    /// The order form of a workflow: of several, the one with its stem.
    ///
    /// # Errors
    /// Several forms, none of which has the name of the workflow.
    pub fn form_of(&self, workflow: &str) -> Result<Option<&'m FormDocument<'p>>, String> {
        match self.forms.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            several => {
                let name = workflow.rsplit('/').next().unwrap_or_default();
                let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
                let own = self.by_name.get(&stem).copied();
                own.map(Some).ok_or_else(|| {
                    format!("several order forms ({}), none with the name of the workflow", first_names(several))
                })
            }
        }
    }
}

/// The names of the first forms, and how many more there are.
fn first_names(forms: &[&FormDocument<'_>]) -> String {
    let names: Vec<&str> = forms.iter().take(MAX_NAMES).map(|form| form.name).collect();
    match forms.len() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
