//! A field of the form that is submitted.

use super::input::refuse;
use crate::model::Field;
use crate::simulate::plan::FormPlan;
use crate::simulate::quote;
use crate::simulate::stop::Stop;

pub(super) struct SubmittedField<'p> {
    pub form: FormPlan<'p>,
    pub field: &'p Field<'p>,
    /// Itself, or with a section around it.
    pub is_hidden: bool,
    pub name: &'p str,
}

impl SubmittedField<'_> {
    /// The form refuses the field, for the reason that completes "the field `X` …".
    pub fn refuse(&self, reason: &str) -> Stop {
        refuse(self.form.at(self.field.node), format!("the field {} {reason}", quote(self.name)))
    }
}
