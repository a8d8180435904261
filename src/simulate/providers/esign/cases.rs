//! The signing cases of a run.

use super::case::Case;
use crate::collections::HashMap;

#[derive(Debug, Default)]
pub struct Cases {
    all: Vec<Case>,
    by_id: HashMap<String, usize>,
}

impl Cases {
    /// Adds a case, and returns its index.
    pub(super) fn add(&mut self, id: String, case: Case) -> usize {
        let index = self.all.len();
        self.by_id.insert(id, index);
        self.all.push(case);
        index
    }

    pub(super) fn get(&self, index: usize) -> Option<&Case> {
        self.all.get(index)
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Case> {
        self.all.get_mut(index)
    }

    pub(super) fn by_id(&self, id: &str) -> Option<&Case> {
        self.by_id.get(id).and_then(|&index| self.all.get(index))
    }
}
