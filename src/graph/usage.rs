//! Which variables a service reads and writes, and which of its workflows do, regardless of the order (docs/concepts.md,
//! Variables).

use std::borrow::Cow;

use super::effects::{Effects, FormUsers, VarId, VariableNames, Writer, all_writes};
use super::scope::{Resolution, Scope, Suggestion};
use crate::common::collections::{HashMap, HashSet, PrefixMap};
use crate::model::Field;
use crate::project::{FormDocument, ServiceModel};
use crate::text::diagnostic::FileId;

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
    /// `providerResult` or `approvalResult` writes it.
    pub const RESULT: u16 = 1 << 9;
    /// Something else writes it.
    pub const OTHER_VALUE: u16 = 1 << 10;
}

/// How one variable is used.
#[derive(Debug, Clone, Copy, Default)]
struct VariableUse {
    uses: u16,
    /// Those whose activities read it, or show it in a form.
    readers: Workflows,
    /// Those whose activities write it.
    writers: Workflows,
}

/// Some workflows of a service.
#[derive(Debug, Clone, Copy, Default)]
enum Workflows {
    #[default]
    None,
    One(FileId),
    Several,
}

impl Workflows {
    fn add(&mut self, workflow: FileId) {
        *self = match *self {
            Self::None => Self::One(workflow),
            Self::One(known) if known == workflow => return,
            Self::One(_) | Self::Several => Self::Several,
        };
    }

    fn has_other_than(self, workflow: FileId) -> bool {
        match self {
            Self::None => false,
            Self::One(known) => known != workflow,
            Self::Several => true,
        }
    }
}

/// The variables that something reads or writes, by name. An activity that cannot be read may read or write any
/// variable, so each question has a certain and a possible answer.
#[derive(Debug, Default)]
pub struct Usage<'p> {
    variables: HashMap<Cow<'p, str>, VariableUse>,
    /// Something other than an activity may read every variable.
    may_read_outside: bool,
    /// The workflows whose activities may read every variable.
    opaque: Workflows,
    /// The prefixes of `may_write` that are those of activities.
    activity_may_write: PrefixMap<Workflows>,
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
        for known in usage.variables.values_mut().filter(|known| known.uses & uses::READ != 0) {
            known.uses |= uses::READ_OUTSIDE;
        }
        usage.may_read_outside = usage.may_read;
        usage
    }

    fn add(&mut self, name: impl Into<Cow<'p, str>>, uses: u16) {
        self.variables.entry(name.into()).or_default().uses |= uses;
    }

    /// Most variables are there already.
    fn of_variable(&mut self, names: &VariableNames<'p>, id: VarId) -> &mut VariableUse {
        self.variables.entry(names.to_kept(id)).or_default()
    }

    fn has(&self, name: &str, uses: u16) -> bool {
        self.variables.get(name).is_some_and(|known| known.uses & uses != 0)
    }

    fn add_form(&mut self, form: &FormDocument<'p>, scope: &Scope<'p>) {
        if form.form.roots.is_unknown() {
            self.add_anything();
        }
        for field in &form.form.fields {
            let target = FieldTarget::of(field, scope);
            for other in target.also_meant(field, scope) {
                self.add(other, uses::READ | uses::WRITTEN | uses::OTHER_VALUE);
            }
            match target {
                FieldTarget::Variable(name) => {
                    let shown = if self.has(name, uses::SHOWN) { uses::SHOWN_AGAIN } else { uses::SHOWN };
                    self.add(name, uses::READ | shown | uses::WRITTEN | uses::OTHER_VALUE);
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

    pub fn add_activities(&mut self, workflow: FileId, names: &VariableNames<'p>, effects: &[Effects<'p>]) {
        for write in all_writes(effects) {
            self.add_write(workflow, names, write.variable, write.by);
        }
        for variable in FormUsers::of(effects).shown() {
            self.of_variable(names, variable).readers.add(workflow);
        }
        for effects in effects {
            for read in &effects.reads {
                let known = self.of_variable(names, read.variable);
                known.uses |= uses::READ | uses::USED;
                known.readers.add(workflow);
            }
            if effects.may_read {
                self.may_read = true;
                self.opaque.add(workflow);
            }
            if let Some(prefix) = effects.may_write {
                self.may_write.of(prefix);
                self.activity_may_write.of(prefix).add(workflow);
            }
        }
    }

    pub fn add_write(&mut self, workflow: FileId, names: &VariableNames<'p>, variable: VarId, by: Writer) {
        let known = self.of_variable(names, variable);
        known.writers.add(workflow);
        known.uses |= uses::WRITTEN
            | match by {
                Writer::Form => uses::OTHER_VALUE,
                Writer::Assign | Writer::Output { .. } | Writer::Declared => {
                    uses::WRITTEN_BY_ACTIVITY | uses::GIVEN_A_VALUE | uses::OTHER_VALUE
                }
                Writer::Script => uses::WRITTEN_BY_ACTIVITY | uses::OTHER_VALUE,
                Writer::ProviderResult | Writer::ApprovalResult => uses::WRITTEN_BY_ACTIVITY | uses::RESULT,
            };
    }

    /// Whether a workflow other than this one writes the variable, or may.
    pub fn is_written_outside(&self, workflow: FileId, name: &str) -> bool {
        self.variables.get(name).is_some_and(|known| known.writers.has_other_than(workflow))
            || self.activity_may_write.prefixes(name).any(|(_, writers)| writers.has_other_than(workflow))
    }

    /// Whether an activity writes the variable, or may, also through the form of an Approval.
    pub fn is_written_during_runs(&self, name: &str) -> bool {
        let is_written = |known: &VariableUse| !matches!(known.writers, Workflows::None);
        self.variables.get(name).is_some_and(is_written) || self.may_be_written_by_activity(name)
    }

    /// Whether a workflow other than this one reads the variable, or may, at an unknown time.
    pub fn is_read_by_another(&self, workflow: FileId, name: &str) -> bool {
        self.opaque.has_other_than(workflow)
            || self.variables.get(name).is_some_and(|known| known.readers.has_other_than(workflow))
    }

    /// Whether nothing but the results of calls and approvals is written to the variable, so that it holds a boolean.
    pub fn holds_only_results(&self, name: &str) -> bool {
        self.has(name, uses::RESULT)
            && !self.has(name, uses::OTHER_VALUE | uses::PRESET)
            && !self.may_write.has_prefix_of(name)
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

    /// Whether something that is not known may write the variable, once no known activity does: an activity that cannot be
    /// read, or an order form that the service lacks.
    pub fn may_be_written_unseen(&self, name: &str) -> bool {
        self.has_no_order_form || self.may_write.has_prefix_of(name)
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
