//! Who has still to answer in an approval.

use std::sync::Arc;

use crate::collections::HashSet;

/// Those who were asked for an approval and have not answered.
#[derive(Debug, Clone, Default)]
pub struct Waiting {
    /// All who were asked, each once, in order.
    asked: Arc<[Arc<str>]>,
    open: HashSet<Arc<str>>,
}

impl Waiting {
    pub fn new(asked: &[Arc<str>]) -> Self {
        Self { asked: asked.into(), open: asked.iter().cloned().collect() }
    }

    /// In the order in which they were asked.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<str>> {
        self.asked.iter().filter(|who| self.open.contains(*who))
    }

    pub fn len(&self) -> usize {
        self.open.len()
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether somebody had still to answer, who now has.
    pub fn remove(&mut self, who: &str) -> bool {
        self.open.remove(who)
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
