//! The order's variables and their values.

use std::sync::Arc;

use crate::collections::HashMap;
use crate::config::Config;
use crate::model::{Binding, Member, Variable, Workflow};
use crate::redaction::Mask;

/// Index of a variable of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(usize);

/// The variables that exist, and what hides their values.
#[derive(Debug, Default)]
pub struct Names {
    all: Vec<String>,
    masks: Vec<Option<Mask>>,
    slots: HashMap<String, Slot>,
    /// How many documents declare; the others follow.
    declared: usize,
}

impl Names {
    /// Adds the variables that a document declares.
    pub fn add_declared(&mut self, variables: &Member<Vec<Variable<'_>>>) {
        for variable in variables.get().into_iter().flatten() {
            if let Some(name) = variable.name.value() {
                self.add(name, Mask::of(variable));
            }
        }
        self.declared = self.all.len();
    }

    /// Whether a document declares a variable.
    pub fn is_declared(&self, name: &str) -> bool {
        self.slot(name).is_some_and(|Slot(slot)| slot < self.declared)
    }

    /// Adds a variable, or the mask that a second declaration of it has.
    pub fn add(&mut self, name: &str, mask: Option<Mask>) {
        if let Some(Slot(slot)) = self.slots.get(name) {
            if let Some(known) = self.masks.get_mut(*slot) {
                *known = match (*known, mask) {
                    (Some(known), Some(mask)) => Some(known.or(mask)),
                    (known, mask) => known.or(mask),
                };
            }
            return;
        }
        self.slots.insert(name.to_owned(), Slot(self.all.len()));
        self.all.push(name.to_owned());
        self.masks.push(mask);
    }

    /// The variable of this name.
    pub fn slot(&self, name: &str) -> Option<Slot> {
        self.slots.get(name).copied()
    }

    /// A variable's name.
    pub fn name(&self, slot: Slot) -> &str {
        self.all.get(slot.0).map_or("", String::as_str)
    }

    /// What hides a variable's value.
    pub fn mask(&self, slot: Slot) -> Option<Mask> {
        self.masks.get(slot.0).copied().flatten()
    }

    /// All names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }
}

/// The variables that the platform has, declared or not: those of the configuration, those that
/// every provider activity writes, and those that a binding says to be so.
pub fn system_names<'n>(workflow: &Workflow<'n>, config: &'n Config) -> Vec<&'n str> {
    let mut names: Vec<&str> = config.system_variables.iter().map(String::as_str).collect();
    names.extend(config.catalog.common_outputs.iter().map(String::as_str));
    for activity in &workflow.activities {
        activity.bindings(|binding: &Binding<'n>, _| {
            if binding.system.value() == Some(true) {
                names.extend(binding.target().map(|(_, name)| name));
            }
        });
    }
    names
}

/// The values of an order's variables at a moment of its run.
#[derive(Debug)]
pub struct Values {
    values: Vec<Option<Arc<str>>>,
    /// Every value that a masked variable had.
    masked: Vec<(Mask, Arc<str>)>,
}

impl Values {
    /// None is set yet.
    pub fn new(names: &Names) -> Self {
        Self { values: vec![None; names.all.len()], masked: Vec::new() }
    }

    /// A variable's value, if it has one.
    pub fn get(&self, slot: Slot) -> Option<&Arc<str>> {
        self.values.get(slot.0).and_then(Option::as_ref)
    }

    /// Hides a value that no variable has.
    pub fn hide(&mut self, mask: Mask, value: Arc<str>) {
        self.masked.push((mask, value));
    }

    /// Sets a variable.
    pub fn set(&mut self, names: &Names, slot: Slot, value: Arc<str>) {
        if let Some(mask) = names.mask(slot)
            && self.get(slot) != Some(&value)
        {
            self.masked.push((mask, Arc::clone(&value)));
        }
        if let Some(place) = self.values.get_mut(slot.0) {
            *place = Some(value);
        }
    }

    /// The variables that have a value, in the order of the declarations.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Arc<str>)> {
        self.values.iter().enumerate().filter_map(|(index, value)| Some((Slot(index), value.as_ref()?)))
    }

    /// Every value that a masked variable had in the run.
    pub fn masked(&self) -> &[(Mask, Arc<str>)] {
        &self.masked
    }
}
