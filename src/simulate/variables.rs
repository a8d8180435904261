//! The variables of an order and their values.

use std::sync::Arc;

use crate::common::collections::HashMap;
use crate::config::Config;
use crate::graph::{braces, placeholders_of};
use crate::model::{ActivityKind, Assign, Binding, Form, Member, Variable, Workflow};
use crate::redaction::Mask;

/// Index of a variable in the `VariableTable` of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

impl Slot {
    pub fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The variables that exist, and their masks.
#[derive(Debug, Clone, Default)]
pub struct VariableTable {
    names: Vec<String>,
    masks: Vec<Option<Mask>>,
    slots: HashMap<String, Slot>,
}

impl VariableTable {
    /// The variables that exist in an order.
    pub fn of_order(workflow: &Workflow<'_>, form: Option<&Form<'_>>, config: &Config) -> Self {
        let mut names = Self::default();
        names.add_declared(&workflow.variables);
        if let Some(form) = form {
            names.add_declared(&form.variables);
        }
        for name in system_names(workflow, form, config) {
            names.add(name, None);
        }
        names
    }

    pub fn add_declared(&mut self, variables: &Member<Vec<Variable<'_>>>) {
        for variable in variables.get().into_iter().flatten() {
            if let Some(name) = variable.name.value() {
                self.add(name, Mask::of(variable));
            }
        }
    }

    /// Adds a variable. If it exists already, its mask hides what either declaration hides.
    pub fn add(&mut self, name: &str, mask: Option<Mask>) {
        if let Some(slot) = self.slots.get(name) {
            if let Some(known) = self.masks.get_mut(slot.index()) {
                *known = match (*known, mask) {
                    (Some(known), Some(mask)) => Some(known.or(mask)),
                    (known, mask) => known.or(mask),
                };
            }
            return;
        }
        self.slots.insert(name.to_owned(), Slot::at(self.names.len()));
        self.names.push(name.to_owned());
        self.masks.push(mask);
    }

    pub fn slot(&self, name: &str) -> Option<Slot> {
        self.slots.get(name).copied()
    }

    /// The variables in the body of an Assign.
    pub fn placeholders(&self, assign: &Assign<'_>) -> impl Iterator<Item = Slot> {
        let found = placeholders_of(assign, |name| self.slot(name).is_some());
        found.filter_map(|placeholder| self.slot(placeholder.name))
    }

    pub fn name(&self, slot: Slot) -> &str {
        self.names.get(slot.index()).map_or("", String::as_str)
    }

    pub fn mask(&self, slot: Slot) -> Option<Mask> {
        self.masks.get(slot.index()).copied().flatten()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

/// The variables that exist without a declaration: those of the catalog and the configuration, of its patterns those that
/// the documents name, those that every provider activity writes, and those that a binding marks as system variables.
fn system_names<'n>(workflow: &Workflow<'n>, form: Option<&Form<'n>>, config: &'n Config) -> Vec<&'n str> {
    let mut names: Vec<&str> = config.system_variables().map(String::as_str).collect();
    names.extend(config.catalog.common_outputs.iter().map(String::as_str));
    let is_system = |name: &&str| config.is_system_variable(name);
    let fields = form.into_iter().flat_map(|form| &form.fields);
    names.extend(fields.filter_map(|field| field.target()).map(|(_, name)| name).filter(is_system));
    for activity in &workflow.activities {
        activity.bindings(|binding: &Binding<'n>, _| {
            let target = binding.target().map(|(_, name)| name);
            names.extend(target.filter(|name| binding.system.value() == Some(true) || is_system(name)));
        });
        if let ActivityKind::Assign(assign) = &activity.kind {
            let body = assign.body.value().unwrap_or_default();
            names.extend(braces(body).map(|found| found.name).filter(is_system));
        }
    }
    names
}

/// The current values of the variables.
#[derive(Debug, Clone)]
pub struct Values {
    current: Vec<Option<Arc<str>>>,
    /// Every value that a masked variable had in the run, not only the last: all of them may be shown.
    masked: Vec<(Mask, Arc<str>)>,
}

impl Values {
    pub fn new(names: &VariableTable) -> Self {
        Self { current: vec![None; names.names.len()], masked: Vec::new() }
    }

    pub fn get(&self, slot: Slot) -> Option<&Arc<str>> {
        self.current.get(slot.index()).and_then(Option::as_ref)
    }

    /// Hides a value that no variable has yet.
    pub fn hide(&mut self, mask: Mask, value: Arc<str>) {
        self.masked.push((mask, value));
    }

    pub fn set(&mut self, names: &VariableTable, slot: Slot, value: Arc<str>) {
        let Some(current) = self.current.get_mut(slot.index()) else { return };
        if current.as_ref() == Some(&value) {
            return;
        }
        if let Some(mask) = names.mask(slot) {
            self.masked.push((mask, Arc::clone(&value)));
        }
        *current = Some(value);
    }

    /// The variables that have a value, in the order of the declarations.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Arc<str>)> {
        self.current.iter().enumerate().filter_map(|(index, value)| Some((Slot::at(index), value.as_ref()?)))
    }

    pub fn masked(&self) -> &[(Mask, Arc<str>)] {
        &self.masked
    }
}
