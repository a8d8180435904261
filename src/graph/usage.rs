//! Which variables a service reads and writes, regardless of the order (docs/concepts.md, Variables).

use std::borrow::Cow;

use super::effects::{Effects, VarId, VariableNames, Writer};
use super::form_users::all_writes;
use super::scope::{Resolution, Scope, Suggestion};
use crate::collections::{HashMap, HashSet, PrefixMap};
use crate::model::Field;
use crate::project::{FormDocument, ServiceModel};

/// How a variable is used: bits of a set.
mod uses {
    pub const READ: u16 = 1;
    /// By something other than a form field.
    pub const USED: u16 = 1 << 1;
    /// By something other than an activity: a form, or the caller of the workflow.
    pub const READ_OUTSIDE: u16 = 1 << 2;
    /// A form field shows it.
    pub const SHOWN: u16 = 1 << 3;
    /// Several form fields show it.
    pub const SHOWN_AGAIN: u16 = 1 << 4;
    pub const WRITTEN: u16 = 1 << 5;
    /// By an activity, other than through the form of an Approval.
    pub const WRITTEN_BY_ACTIVITY: u16 = 1 << 6;
    /// By an Assign, a provider activity or one of a declared type.
    pub const GIVEN_A_VALUE: u16 = 1 << 7;
    /// It has a value before any activity runs, by a declaration.
    pub const PRESET: u16 = 1 << 8;
}

/// The variables that something reads or writes, by name. An activity that cannot be read may read or write any
/// variable, so each question has a certain and a possible answer.
#[derive(Debug, Default)]
pub struct Usage<'p> {
    variables: HashMap<Cow<'p, str>, u16>,
    /// Something other than an activity may read every variable.
    may_read_outside: bool,
    /// The prefixes of `may_write` that are those of activities.
    activity_may_write: PrefixMap<()>,
    /// Something may read every variable.
    pub may_read: bool,
    /// Something may write every variable whose name starts with one of these prefixes.
    may_write: PrefixMap<()>,
    /// The service has no order form, so a variable that no activity writes counts as written by it (docs/concepts.md,
    /// Service).
    has_no_order_form: bool,
}

impl<'p> Usage<'p> {
    /// The reads and writes of the forms and the variable declarations.
    pub fn of_forms(model: &ServiceModel<'p>, scopes: &[Scope<'p>]) -> Self {
        // If the form of an Approval is not found, any form may be that form, even if it looks like the order form.
        let has_order_form = model.forms.iter().any(|form| form.is_order_form) && !model.has_unreadable_form_name();
        let mut usage = Self { has_no_order_form: !has_order_form, ..Self::default() };
        if model.has_broken_file {
            usage.add_anything();
        }
        let lists = model.workflows.iter().map(|workflow| &workflow.workflow.variables);
        let lists = lists.chain(model.forms.iter().map(|form| &form.form.variables));
        usage.variables.reserve(lists.clone().filter_map(|list| list.get()).map(Vec::len).sum());
        for (form, scope) in model.forms.iter().zip(scopes) {
            usage.add_form(form, scope);
        }
        for variable in lists.filter_map(|list| list.get()).flatten() {
            let Some(name) = variable.name.value() else { continue };
            if variable.is_preset() {
                usage.add(name, uses::WRITTEN | uses::PRESET);
            }
            if variable.details().is_output.may_be_true() {
                usage.add(name, uses::READ | uses::USED);
            }
        }
        // No activity has been added yet.
        for uses in usage.variables.values_mut().filter(|uses| **uses & uses::READ != 0) {
            *uses |= uses::READ_OUTSIDE;
        }
        usage.may_read_outside = usage.may_read;
        usage
    }

    fn add(&mut self, name: impl Into<Cow<'p, str>>, uses: u16) {
        *self.variables.entry(name.into()).or_default() |= uses;
    }

    /// As [`Self::add`]. Most variables are there already.
    fn add_variable(&mut self, names: &VariableNames<'p>, id: VarId, uses: u16) {
        match self.variables.get_mut(names.name(id)) {
            Some(known) => *known |= uses,
            None => self.add(names.to_kept(id), uses),
        }
    }

    fn has(&self, name: &str, uses: u16) -> bool {
        self.variables.get(name).is_some_and(|known| known & uses != 0)
    }

    fn add_form(&mut self, form: &FormDocument<'p>, scope: &Scope<'p>) {
        if form.form.roots.is_unknown() {
            self.add_anything();
        }
        for field in &form.form.fields {
            let target = FieldTarget::of(field, scope);
            for other in target.also_meant(field, scope) {
                self.add(other, uses::READ | uses::WRITTEN);
            }
            match target {
                FieldTarget::Variable(name) => {
                    let shown = if self.has(name, uses::SHOWN) { uses::SHOWN_AGAIN } else { uses::SHOWN };
                    self.add(name, uses::READ | shown | uses::WRITTEN);
                }
                FieldTarget::Nothing => {}
                FieldTarget::Unknown => self.add_anything(),
            }
        }
        // A word of a form script may be the name of a variable.
        for word in form.form.script_words() {
            self.add(word, uses::READ | uses::USED);
        }
        let read: HashSet<&str> = form.form.fields_read_by_scripts().collect();
        for field in form.form.fields.iter().filter(|field| field.name.value().is_some_and(|name| read.contains(name)))
        {
            if let FieldTarget::Variable(name) = FieldTarget::of(field, scope) {
                self.add(name, uses::READ | uses::USED);
            }
        }
    }

    fn add_anything(&mut self) {
        self.may_read = true;
        self.may_write.of("");
    }

    pub fn add_activities(&mut self, names: &VariableNames<'p>, effects: &[Effects<'p>]) {
        for write in all_writes(effects) {
            self.add_write(names, write.variable, write.by);
        }
        for effects in effects {
            for read in &effects.reads {
                self.add_variable(names, read.variable, uses::READ | uses::USED);
            }
            self.may_read |= effects.may_read;
            if let Some(prefix) = effects.may_write {
                self.may_write.of(prefix);
                self.activity_may_write.of(prefix);
            }
        }
    }

    pub fn add_write(&mut self, names: &VariableNames<'p>, variable: VarId, by: Writer) {
        let by = match by {
            Writer::Form => 0,
            Writer::Assign | Writer::Output { .. } | Writer::Declared => {
                uses::WRITTEN_BY_ACTIVITY | uses::GIVEN_A_VALUE
            }
            Writer::ProviderResult | Writer::ApprovalResult | Writer::Script => uses::WRITTEN_BY_ACTIVITY,
        };
        self.add_variable(names, variable, uses::WRITTEN | by);
    }

    /// Whether an activity writes the variable, or may, other than through the form of an Approval.
    pub fn is_written_by_activity(&self, name: &str) -> bool {
        self.has(name, uses::WRITTEN_BY_ACTIVITY) || self.may_be_written_by_activity(name)
    }

    /// Whether an Assign, a provider activity or one of a declared type writes the variable, or some activity may.
    pub fn is_given_a_value(&self, name: &str) -> bool {
        self.has(name, uses::GIVEN_A_VALUE) || self.may_be_written_by_activity(name)
    }

    fn may_be_written_by_activity(&self, name: &str) -> bool {
        self.activity_may_write.has_prefix_of(name)
    }

    /// Whether a declaration gives the variable a value before any activity runs.
    pub fn is_preset(&self, name: &str) -> bool {
        self.has(name, uses::PRESET)
    }

    /// Whether something reads the variable, or may.
    pub fn is_read(&self, name: &str) -> bool {
        self.may_read || self.has(name, uses::READ)
    }

    /// Whether something reads the variable, or may, other than the only form field that shows it.
    pub fn is_used(&self, name: &str) -> bool {
        self.may_read || self.has(name, uses::USED | uses::SHOWN_AGAIN)
    }

    /// Whether something certainly reads the variable.
    pub fn has_known_reader(&self, name: &str) -> bool {
        self.has(name, uses::READ)
    }

    /// Whether a form or the caller of the workflow reads the variable, or may.
    pub fn is_read_outside(&self, name: &str) -> bool {
        self.may_read_outside || self.has(name, uses::READ_OUTSIDE)
    }

    /// Whether something writes the variable, or may.
    pub fn is_written(&self, name: &str) -> bool {
        self.has_known_writer(name) || self.is_filled_by_order(name) || self.may_write.has_prefix_of(name)
    }

    /// Whether something certainly writes the variable.
    pub fn has_known_writer(&self, name: &str) -> bool {
        self.has(name, uses::WRITTEN)
    }

    /// Whether the order form counts as its writer, because the service has none that could show it.
    pub fn is_filled_by_order(&self, name: &str) -> bool {
        self.has_no_order_form && !self.has(name, uses::WRITTEN_BY_ACTIVITY)
    }
}

/// The variable that a form field shows and fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldTarget<'p> {
    Variable(&'p str),
    Nothing,
    /// It may be any variable.
    Unknown,
}

impl<'p> FieldTarget<'p> {
    pub fn of(field: &Field<'p>, scope: &Scope<'p>) -> Self {
        match field.target() {
            _ if field.is_opaque() => Self::Unknown,
            // It is bound, but without a variable. WF602 reports the field, so that its readers are not reported.
            None if field.is_bound.value() == Some(true) => Self::Unknown,
            None => Self::Nothing,
            Some((_, name)) => match scope.resolve(name) {
                // A mistyped name counts as the variable that was most likely meant.
                Resolution::Undefined(Some(suggestion)) => Self::Variable(suggestion.name),
                Resolution::Undefined(None) => Self::Unknown,
                _ => Self::Variable(name),
            },
        }
    }

    /// The other variables that may have been meant by a mistyped name: they are as similar to it.
    pub fn also_meant(self, field: &Field<'p>, scope: &Scope<'p>) -> Vec<&'p str> {
        match (self, field.target()) {
            (Self::Variable(meant), Some((_, name))) if meant != name => {
                scope.equally_near(name, Suggestion { name: meant, by_id: false })
            }
            _ => Vec::new(),
        }
    }
}
