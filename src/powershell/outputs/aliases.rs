//! The variables that hold the same table.

use crate::collections::{HashMap, IndexSet};

/// Variables in groups, each of which holds one table. A variable without a group holds one of its own.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    groups: Vec<IndexSet<String>>,
    /// The index of its group, by variable.
    group_of: HashMap<String, usize>,
}

impl Aliases {
    /// A variable now holds a table of its own.
    pub fn separate(&mut self, variable: &str) {
        let group = self.group_of.remove(variable);
        if let Some(group) = group.and_then(|index| self.groups.get_mut(index)) {
            group.swap_remove(variable);
        }
    }

    /// A variable now holds the table of another one.
    pub fn join(&mut self, variable: &str, other: &str) {
        let index = *self.group_of.entry(other.to_owned()).or_insert(self.groups.len());
        if index == self.groups.len() {
            self.groups.push(IndexSet::from_iter([other.to_owned()]));
        }
        if let Some(group) = self.groups.get_mut(index) {
            group.insert(variable.to_owned());
            self.group_of.insert(variable.to_owned(), index);
        }
    }

    /// The variables that hold the table of a variable, with itself.
    pub fn of(&self, variable: &str) -> Vec<String> {
        let group = self.group_of.get(variable).and_then(|&index| self.groups.get(index));
        group.map_or_else(|| vec![variable.to_owned()], |group| group.iter().cloned().collect())
    }
}
