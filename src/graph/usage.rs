//! Which variables a service reads and writes, regardless of the order (docs/concepts.md, Variables).

use super::effects::{Effects, VariableNames, Writer};
use super::form_users::all_writes;
use super::scope::{Resolution, Scope};
use crate::collections::{HashMap, HashSet, PrefixMap};
use crate::model::Field;
use crate::project::{FormDocument, ServiceModel};

/// The variables that something reads or writes, by name. An activity that cannot be read may read or write any
/// variable, so each question has a certain and a possible answer.
#[derive(Debug, Default, Clone)]
pub struct Usage {
    reads: HashSet<String>,
    /// Those of `reads` with a reader other than a form field.
    used: HashSet<String>,
    /// The number of form fields that show each variable.
    shown: HashMap<String, usize>,
    /// Those of `reads` with a reader other than an activity: a form, or the caller of the workflow.
    read_outside: HashSet<String>,
    /// Something other than an activity may read every variable.
    may_read_outside: bool,
    writes: HashSet<String>,
    /// Those of `writes` that an activity writes, other than through the form of an Approval.
    activity_writes: HashSet<String>,
    /// Those of `activity_writes` that an Assign, a provider activity or one of a declared type writes.
    value_writes: HashSet<String>,
    /// The prefixes of `may_write` that are those of activities.
    activity_may_write: PrefixMap<()>,
    /// Those of `writes` that have a value before any activity runs, by a declaration.
    preset: HashSet<String>,
    /// Something may read every variable.
    pub may_read: bool,
    /// Something may write every variable whose name starts with one of these prefixes.
    may_write: PrefixMap<()>,
    /// The service has no order form, so a variable that no activity writes counts as written by it (docs/concepts.md,
    /// Service).
    has_no_order_form: bool,
}

impl Usage {
    /// The reads and writes of the forms and the variable declarations.
    pub fn of_forms(model: &ServiceModel<'_>, scopes: &[Scope<'_>]) -> Self {
        // If the form of an Approval is not found, any form may be that form, even if it looks like the order form.
        let has_order_form = model.forms.iter().any(|form| form.is_order_form) && !model.has_unreadable_form_name();
        let mut usage = Self { has_no_order_form: !has_order_form, ..Self::default() };
        if model.has_broken_file {
            usage.add_anything();
        }
        for (form, scope) in model.forms.iter().zip(scopes) {
            usage.add_form(form, scope);
        }
        let lists = model.workflows.iter().map(|workflow| &workflow.workflow.variables);
        for list in lists.chain(model.forms.iter().map(|form| &form.form.variables)) {
            for variable in list.get().into_iter().flatten() {
                let Some(name) = variable.name.value() else { continue };
                if variable.is_preset() {
                    usage.writes.insert(name.to_owned());
                    usage.preset.insert(name.to_owned());
                }
                if variable.is_output.value() == Some(true) {
                    usage.reads.insert(name.to_owned());
                    usage.used.insert(name.to_owned());
                }
            }
        }
        // No activity has been added yet.
        usage.read_outside.clone_from(&usage.reads);
        usage.may_read_outside = usage.may_read;
        usage
    }

    fn add_form(&mut self, form: &FormDocument<'_>, scope: &Scope<'_>) {
        if form.form.roots.is_unknown() {
            self.add_anything();
        }
        for field in &form.form.fields {
            match FieldTarget::of(field, scope) {
                FieldTarget::Variable(name) => {
                    self.reads.insert(name.to_owned());
                    *self.shown.entry(name.to_owned()).or_default() += 1;
                    self.writes.insert(name.to_owned());
                }
                FieldTarget::Nothing => {}
                FieldTarget::Unknown => self.add_anything(),
            }
        }
        // A word of a form script may be the name of a variable.
        self.reads.extend(form.form.script_words().map(str::to_owned));
        self.used.extend(form.form.script_words().map(str::to_owned));
    }

    fn add_anything(&mut self) {
        self.may_read = true;
        self.may_write.of("");
    }

    pub fn add_activities(&mut self, names: &VariableNames<'_>, effects: &[Effects<'_>]) {
        for write in all_writes(effects) {
            self.add_write(names.name(write.variable), write.by);
        }
        for effects in effects {
            for read in &effects.reads {
                self.reads.insert(names.name(read.variable).to_owned());
                self.used.insert(names.name(read.variable).to_owned());
            }
            self.may_read |= effects.may_read;
            if let Some(prefix) = effects.may_write {
                self.may_write.of(prefix);
                self.activity_may_write.of(prefix);
            }
        }
    }

    pub fn add_write(&mut self, name: &str, by: Writer) {
        self.writes.insert(name.to_owned());
        if by != Writer::Form {
            self.activity_writes.insert(name.to_owned());
        }
        if matches!(by, Writer::Assign | Writer::Output { .. } | Writer::Declared) {
            self.value_writes.insert(name.to_owned());
        }
    }

    /// Whether an activity writes the variable, or may, other than through the form of an Approval.
    pub fn is_written_by_activity(&self, name: &str) -> bool {
        self.activity_writes.contains(name) || self.may_be_written_by_activity(name)
    }

    /// Whether an Assign, a provider activity or one of a declared type writes the variable, or some activity may.
    pub fn is_given_a_value(&self, name: &str) -> bool {
        self.value_writes.contains(name) || self.may_be_written_by_activity(name)
    }

    fn may_be_written_by_activity(&self, name: &str) -> bool {
        self.activity_may_write.has_prefix_of(name)
    }

    /// Whether a declaration gives the variable a value before any activity runs.
    pub fn is_preset(&self, name: &str) -> bool {
        self.preset.contains(name)
    }

    /// Whether something reads the variable, or may.
    pub fn is_read(&self, name: &str) -> bool {
        self.may_read || self.reads.contains(name)
    }

    /// Whether something reads the variable, or may, other than the only form field that shows it.
    pub fn is_used(&self, name: &str) -> bool {
        self.may_read || self.used.contains(name) || self.shown.get(name).is_some_and(|&fields| fields > 1)
    }

    /// Whether something certainly reads the variable.
    pub fn has_known_reader(&self, name: &str) -> bool {
        self.reads.contains(name)
    }

    /// Whether a form or the caller of the workflow reads the variable, or may.
    pub fn is_read_outside(&self, name: &str) -> bool {
        self.may_read_outside || self.read_outside.contains(name)
    }

    /// Whether something writes the variable, or may.
    pub fn is_written(&self, name: &str) -> bool {
        self.has_known_writer(name) || self.is_filled_by_order(name) || self.may_write.has_prefix_of(name)
    }

    /// Whether something certainly writes the variable.
    pub fn has_known_writer(&self, name: &str) -> bool {
        self.writes.contains(name)
    }

    /// Whether the order form counts as its writer, because the service has none that could show it.
    pub fn is_filled_by_order(&self, name: &str) -> bool {
        self.has_no_order_form && !self.activity_writes.contains(name)
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
}

/// Which workflows of a service write a variable: to each of them, the others are outside writers.
#[derive(Debug, Default)]
pub struct WritersByWorkflow {
    /// Indices of workflows, by the name of the variable.
    names: HashMap<String, Vec<usize>>,
    /// Indices of workflows, by the prefix of the variables that they may write.
    prefixes: PrefixMap<Vec<usize>>,
}

impl WritersByWorkflow {
    pub fn add(&mut self, workflow: usize, names: &VariableNames<'_>, effects: &[Effects<'_>]) {
        for name in all_writes(effects).map(|write| names.name(write.variable)) {
            match self.names.get_mut(name) {
                Some(known) => add_writer(known, workflow),
                None => {
                    self.names.insert(name.to_owned(), vec![workflow]);
                }
            }
        }
        for effects in effects {
            if let Some(prefix) = effects.may_write {
                add_writer(self.prefixes.of(prefix), workflow);
            }
        }
    }

    /// Whether a workflow other than this one writes the variable, or may.
    pub fn is_written_outside(&self, workflow: usize, name: &str) -> bool {
        let outside = |writers: &Vec<usize>| writers.iter().any(|&writer| writer != workflow);
        self.names.get(name).is_some_and(outside) || self.prefixes.prefixes(name).any(|(_, writers)| outside(writers))
    }
}

fn add_writer(writers: &mut Vec<usize>, workflow: usize) {
    // Workflows are added one after the other, so a duplicate can only be the last one.
    if writers.last() != Some(&workflow) {
        writers.push(workflow);
    }
}
