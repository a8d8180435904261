//! The activities that scenarios reached.

use crate::diagnostic::FileId;
use crate::document::Document;
use crate::model::{ActivityId, Workflow};

/// The activities of one workflow that scenarios reached.
#[derive(Debug)]
pub struct Coverage<'p> {
    pub file: FileId,
    document: &'p Document,
    workflow: &'p Workflow<'p>,
    /// By activity.
    reached: Vec<bool>,
}

impl<'p> Coverage<'p> {
    pub fn new(file: FileId, document: &'p Document, workflow: &'p Workflow<'p>) -> Self {
        Self { file, document, workflow, reached: vec![false; workflow.activities.len()] }
    }

    /// Adds the activities that one scenario reached.
    pub fn add(&mut self, reached: &[bool]) {
        for (all, one) in self.reached.iter_mut().zip(reached) {
            *all |= one;
        }
    }

    pub fn activities(&self) -> usize {
        self.reached.len()
    }

    /// The number of activities that were reached.
    pub fn count(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// Pointer and name of each activity that was not reached, in document order.
    pub fn missed(&self) -> impl Iterator<Item = (String, &'p str)> {
        let ids = (0..).map(ActivityId).zip(&self.reached).filter(|(_, reached)| !**reached);
        let missed = ids.filter_map(|(id, _)| self.workflow.activity(id));
        missed.map(|activity| (self.document.pointer(activity.node), activity.name.value().unwrap_or_default()))
    }
}
