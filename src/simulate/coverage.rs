//! Which activities the scenarios of a run have reached.

use crate::diagnostic::FileId;
use crate::model::{ActivityId, Workflow};

/// What the scenarios of a run reached of one workflow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// The workflow's file.
    pub file: FileId,
    /// By activity: whether some scenario began it.
    pub reached: Vec<bool>,
    /// The pointers of those that none began, in the order of the text.
    pub unreached: Vec<String>,
    /// The names of those that none began.
    pub names: Vec<String>,
}

impl Coverage {
    /// Nothing is reached yet.
    pub fn new(file: FileId, workflow: &Workflow<'_>) -> Self {
        Self { file, reached: vec![false; workflow.activities.len()], unreached: Vec::new(), names: Vec::new() }
    }

    /// Adds what one scenario reached.
    pub fn add(&mut self, reached: &[bool]) {
        for (all, one) in self.reached.iter_mut().zip(reached) {
            *all |= one;
        }
    }

    /// How many activities some scenario began.
    pub fn count(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// The activities that none began.
    pub fn missed(&self) -> impl Iterator<Item = ActivityId> {
        (0..).map(ActivityId).zip(&self.reached).filter(|(_, reached)| !**reached).map(|(id, _)| id)
    }
}
