//! Which variables a service reads and writes, whatever the order.

use super::effects::{Effects, VariableNames, Writer};
use super::scope::{Resolution, Scope};
use crate::collections::{HashMap, HashSet};
use crate::model::Field;
use crate::project::{FormDocument, ServiceModel};

/// The names that something reads or writes.
#[derive(Debug, Default, Clone)]
pub struct Usage {
    reads: HashSet<String>,
    /// Of these, what something other than the field of a form reads.
    used: HashSet<String>,
    /// How many fields show each variable.
    shown: HashMap<String, usize>,
    /// Of the reads, what something other than an activity reads.
    outside: HashSet<String>,
    /// Something other than an activity may read any variable.
    may_read_outside: bool,
    writes: HashSet<String>,
    activity_writes: HashSet<String>,
    /// Something may read any variable.
    pub may_read: bool,
    /// Something may write every variable whose name begins so.
    may_write: HashSet<String>,
    /// There is no order form: what no activity writes counts as filled by it.
    has_no_order_form: bool,
}

impl Usage {
    /// What the forms of a service, and the variables themselves, read and write.
    pub fn of_forms(model: &ServiceModel<'_>, scopes: &[Scope<'_>]) -> Self {
        let has_order_form = model.forms.iter().any(|form| form.is_order_form) && !model.has_unmatched_form_name();
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
                }
                if variable.is_output.value() == Some(true) {
                    usage.reads.insert(name.to_owned());
                    usage.used.insert(name.to_owned());
                }
            }
        }
        usage.outside.clone_from(&usage.reads);
        usage.may_read_outside = usage.may_read;
        usage
    }

    fn add_form(&mut self, form: &FormDocument<'_>, scope: &Scope<'_>) {
        if form.form.roots.is_unknown() {
            self.add_anything();
        }
        for field in &form.form.fields {
            match fills(field, scope) {
                Fills::Variable(name) => {
                    self.reads.insert(name.to_owned());
                    *self.shown.entry(name.to_owned()).or_default() += 1;
                    self.writes.insert(name.to_owned());
                }
                Fills::Nothing => {}
                Fills::Anything => self.add_anything(),
            }
        }
        self.reads.extend(form.form.script_words().map(str::to_owned));
        self.used.extend(form.form.script_words().map(str::to_owned));
    }

    fn add_anything(&mut self) {
        self.may_read = true;
        self.may_write.insert(String::new());
    }

    /// Adds what the activities of a workflow read and write.
    pub fn add_activities(&mut self, names: &VariableNames<'_>, effects: &[Effects<'_>]) {
        for effects in effects {
            for read in &effects.reads {
                self.reads.insert(names.name(read.variable).to_owned());
                self.used.insert(names.name(read.variable).to_owned());
            }
            for write in &effects.writes {
                self.add_write(names.name(write.variable), write.by);
            }
            self.may_read |= effects.may_read;
            self.may_write.extend(effects.may_write.map(str::to_owned));
        }
    }

    /// Adds one write.
    pub fn add_write(&mut self, name: &str, by: Writer) {
        self.writes.insert(name.to_owned());
        if by != Writer::Form {
            self.activity_writes.insert(name.to_owned());
        }
    }

    /// Whether anything may read the variable.
    pub fn is_read(&self, name: &str) -> bool {
        self.may_read || self.reads.contains(name)
    }

    /// Whether anything may read the variable but the one field that shows it.
    pub fn is_used(&self, name: &str) -> bool {
        self.may_read || self.used.contains(name) || self.shown.get(name).is_some_and(|&fields| fields > 1)
    }

    /// Whether something is known to read the variable.
    pub fn is_surely_read(&self, name: &str) -> bool {
        self.reads.contains(name)
    }

    /// Whether something other than an activity may read the variable: a form, or the workflow's caller.
    pub fn is_read_outside(&self, name: &str) -> bool {
        self.may_read_outside || self.outside.contains(name)
    }

    /// Whether anything writes the variable, or may.
    pub fn is_written(&self, name: &str) -> bool {
        self.is_surely_written(name)
            || self.is_filled_by_the_order(name)
            || begins_with_one_of(name, |prefix| self.may_write.contains(prefix))
    }

    /// Whether something is known to write the variable.
    pub fn is_surely_written(&self, name: &str) -> bool {
        self.writes.contains(name)
    }

    /// Whether the order brings its value, there being no form that could show it.
    pub fn is_filled_by_the_order(&self, name: &str) -> bool {
        self.has_no_order_form && !self.activity_writes.contains(name)
    }
}

/// What a form field shows and fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fills<'p> {
    /// This variable; of a mistyped name the one that is most likely meant, so that the slip is told
    /// once.
    Variable(&'p str),
    /// None.
    Nothing,
    /// Nobody knows which.
    Anything,
}

/// What a form field shows and fills.
pub fn fills<'p>(field: &Field<'p>, scope: &Scope<'p>) -> Fills<'p> {
    match field.target() {
        _ if field.is_opaque() => Fills::Anything,
        // It is bound, but its variable was lost: told of the field (WF602), not of all who read it.
        None if field.is_bound.value() == Some(true) => Fills::Anything,
        None => Fills::Nothing,
        Some((_, name)) => match scope.resolve(name) {
            Resolution::Unknown(Some(meant)) => Fills::Variable(meant.name),
            Resolution::Unknown(None) => Fills::Anything,
            _ => Fills::Variable(name),
        },
    }
}

/// Whether some beginning of a name, the empty one and the whole included, is in a set.
fn begins_with_one_of(name: &str, mut is_in: impl FnMut(&str) -> bool) -> bool {
    let ends = name.char_indices().map(|(end, _)| end).chain([name.len()]);
    ends.filter_map(|end| name.get(..end)).any(&mut is_in)
}

/// Which workflows of a service write a name, for the flow of each of them.
#[derive(Debug, Default)]
pub struct WritersByWorkflow {
    names: HashMap<String, Vec<usize>>,
    prefixes: HashMap<String, Vec<usize>>,
}

impl WritersByWorkflow {
    /// Adds the activities of one workflow.
    pub fn add(&mut self, workflow: usize, names: &VariableNames<'_>, effects: &[Effects<'_>]) {
        for effects in effects {
            let written = effects.writes.iter().map(|write| names.name(write.variable));
            for name in written {
                note(&mut self.names, name, workflow);
            }
            if let Some(prefix) = effects.may_write {
                note(&mut self.prefixes, prefix, workflow);
            }
        }
    }

    /// Whether a workflow other than this one writes the variable, or may.
    pub fn is_written_outside(&self, workflow: usize, name: &str) -> bool {
        let outside = |writers: &Vec<usize>| writers.iter().any(|&writer| writer != workflow);
        self.names.get(name).is_some_and(outside)
            || begins_with_one_of(name, |prefix| self.prefixes.get(prefix).is_some_and(outside))
    }
}

fn note(writers: &mut HashMap<String, Vec<usize>>, name: &str, workflow: usize) {
    match writers.get_mut(name) {
        Some(known) if known.last() == Some(&workflow) => {}
        Some(known) => known.push(workflow),
        None => {
            writers.insert(name.to_owned(), vec![workflow]);
        }
    }
}
