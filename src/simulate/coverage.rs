//! Which activities the scenarios of a run have reached.

use crate::diagnostic::FileId;
use crate::document::Document;
use crate::model::{ActivityId, Workflow};

/// What the scenarios of a run reached of one workflow.
#[derive(Debug)]
pub struct Coverage<'p> {
    /// The workflow's file.
    pub file: FileId,
    document: &'p Document,
    workflow: &'p Workflow<'p>,
    /// By activity: whether some scenario began it.
    reached: Vec<bool>,
}

impl<'p> Coverage<'p> {
    /// Nothing is reached yet.
    pub fn new(file: FileId, document: &'p Document, workflow: &'p Workflow<'p>) -> Self {
        Self { file, document, workflow, reached: vec![false; workflow.activities.len()] }
    }

    /// Adds what one scenario reached.
    pub fn add(&mut self, reached: &[bool]) {
        for (all, one) in self.reached.iter_mut().zip(reached) {
            *all |= one;
        }
    }

    /// How many activities there are.
    pub fn activities(&self) -> usize {
        self.reached.len()
    }

    /// How many of them some scenario began.
    pub fn count(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// Pointer and name of each activity that none began, in the order of the text.
    pub fn missed(&self) -> impl Iterator<Item = (String, &'p str)> {
        let ids = (0..).map(ActivityId).zip(&self.reached).filter(|(_, reached)| !**reached);
        let missed = ids.filter_map(|(id, _)| self.workflow.activity(id));
        missed.map(|activity| (self.document.pointer(activity.node), activity.name.value().unwrap_or_default()))
    }
}
