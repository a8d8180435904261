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
    /// The form refuses the submission because of this field.
    pub fn refuse(&self, message: String) -> Stop {
        refuse(self.form.at(self.field.node), message)
    }

    /// The field in a message.
    pub fn label(&self) -> String {
        format!("field {}", quote(self.name))
    }
}
