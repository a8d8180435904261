//! What a run can still read from its position on.

use std::rc::Rc;
use std::sync::Arc;

use super::liveness::Liveness;
use super::lookups::{Identity, Lookups};
use super::oracle::SearchOracle;
use crate::collections::HashMap;
use crate::simulate::{Frame, Plan, Run, Slot};

/// What runs at one position can still read.
pub struct FutureReads {
    /// The live variables.
    pub live: Vec<Slot>,
    /// Whose entries can be looked up.
    lookups: Vec<Identity>,
}

impl FutureReads {
    /// The identities that a run can still look up: `None` when it can any.
    pub fn identities(&self, run: &Run<'_, '_>, oracle: &SearchOracle) -> Option<Vec<Arc<str>>> {
        let mut texts = Vec::with_capacity(self.lookups.len());
        for identity in &self.lookups {
            match identity {
                Identity::Any => return None,
                Identity::Text(text) => texts.push(Arc::clone(text)),
                Identity::Of(slot) => {
                    // A field that is not chosen yet may have any of its values.
                    if oracle.is_open(*slot) {
                        return None;
                    }
                    texts.extend(run.values.get(*slot).cloned());
                }
            }
        }
        Some(texts)
    }
}

/// The future reads of all positions that a search reaches.
pub struct AllFutureReads<'p> {
    liveness: Liveness<'p>,
    lookups: Lookups<'p>,
    /// By the shape of the stack of frames.
    known: HashMap<Vec<usize>, Rc<FutureReads>>,
    /// The last shape.
    shape: Vec<usize>,
}

impl<'p> AllFutureReads<'p> {
    /// `at_end`: what laws read.
    pub fn new(plan: &'p Plan<'p>, at_end: impl IntoIterator<Item = Slot>) -> Self {
        let (liveness, lookups) = (Liveness::new(plan, at_end), Lookups::new(plan));
        Self { liveness, lookups, known: HashMap::default(), shape: Vec::new() }
    }

    /// That of a run with these frames.
    pub fn of(&mut self, frames: &[Frame<'p>]) -> Rc<FutureReads> {
        self.shape.clear();
        add_shape(frames, &mut self.shape);
        if let Some(known) = self.known.get(&self.shape) {
            return Rc::clone(known);
        }
        let future = Rc::new(FutureReads {
            live: self.liveness.live(frames),
            lookups: self.lookups.later(frames).into_iter().collect(),
        });
        self.known.insert(self.shape.clone(), Rc::clone(&future));
        future
    }
}

/// Adds the parts of the frames that decide what can still be read.
fn add_shape(frames: &[Frame<'_>], shape: &mut Vec<usize>) {
    for frame in frames {
        let (kind, id, next) = match frame {
            Frame::Activities { ids, next } => (0, ids.first().map_or(0, |id| id.0 as usize + 1), *next),
            Frame::Loop(frame) => (1, frame.activity.id.0 as usize, usize::from(frame.has_waited)),
            Frame::Approval(frame) => (2, frame.activity.id.0 as usize, 0),
            Frame::Events(frame) => (3, frame.approval.id.0 as usize, 0),
            Frame::Wait(_) => continue,
        };
        shape.extend([kind, id, next]);
    }
}
