//! The decisions of a path.

use std::rc::Rc;

use crate::model::ActivityId;

/// A decision on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The While, If, Approval or Provider.
    pub activity: ActivityId,
    /// Whether its condition was true, it was approved, or the call succeeded.
    pub outcome: bool,
}

/// The decisions of one path. Paths with a common beginning share it: each decision points to the one before it.
#[derive(Debug, Clone, Default)]
pub struct DecisionTrail(Option<Rc<(Decision, DecisionTrail)>>);

impl DecisionTrail {
    pub fn push(&mut self, decision: Decision) {
        self.0 = Some(Rc::new((decision, std::mem::take(self))));
    }

    /// The last one first.
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        let mut next = self;
        std::iter::from_fn(move || {
            let (decision, previous) = next.0.as_deref()?;
            next = previous;
            Some(decision)
        })
    }
}

/// One after the other: a path may be too long to recurse along it.
impl Drop for DecisionTrail {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some((_, mut previous)) = next.and_then(Rc::into_inner) {
            next = previous.0.take();
        }
    }
}
