//! Live variables: those whose values may still be read from a point on, so that all others can be forgotten (backward
//! data flow over the structure of the workflow; Aho et al., Compilers, 9.2.5).

use std::collections::BTreeSet;

use super::reads::{own_reads, own_writes};
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::simulate::{Frame, Plan, Slot};

type Slots = BTreeSet<Slot>;

pub struct Liveness<'p> {
    plan: &'p Plan<'p>,
    reads: Vec<Slots>,
    /// With those of the children.
    all_reads: Vec<Slots>,
    writes: Vec<Slots>,
    /// Read at every end.
    at_end: Slots,
}

impl<'p> Liveness<'p> {
    /// `at_end`: what laws read.
    pub fn new(plan: &'p Plan<'p>, at_end: impl IntoIterator<Item = Slot>) -> Self {
        let activities = &plan.workflow.activities;
        let reads: Vec<Slots> = activities.iter().map(|activity| own_reads(plan, activity)).collect();
        let writes = activities.iter().map(|activity| own_writes(plan, activity)).collect();
        let mut all_reads = reads.clone();
        // A child comes after its parent.
        for activity in activities.iter().rev() {
            let mut sum = of(&reads, activity.id).clone();
            for child in activity.children() {
                sum.extend(of(&all_reads, *child));
            }
            if let Some(slots) = all_reads.get_mut(activity.id.0 as usize) {
                *slots = sum;
            }
        }
        Self { plan, reads, all_reads, writes, at_end: at_end.into_iter().collect() }
    }

    /// The live variables of a run.
    pub fn live(&self, frames: &[Frame<'p>]) -> BTreeSet<Slot> {
        frames.iter().fold(self.at_end.clone(), |live, frame| self.before_frame(frame, live))
    }

    /// What is live before a frame continues, of what is live after it.
    fn before_frame(&self, frame: &Frame<'p>, mut after: Slots) -> Slots {
        match frame {
            Frame::Activities { ids, next } => self.before_all(ids.get(*next..).unwrap_or_default(), after),
            Frame::Loop(frame) if frame.has_waited => {
                let head = self.before_loop(frame.activity, after);
                self.before_all(frame.activity.children(), head)
            }
            Frame::Loop(frame) => self.before_loop(frame.activity, after),
            Frame::Approval(frame) => {
                self.add_children(frame.activity, &mut after);
                after
            }
            Frame::Events(frame) => {
                self.add_children(frame.approval, &mut after);
                after
            }
            Frame::Wait(_) => after,
        }
    }

    fn add_children(&self, activity: &Activity<'_>, slots: &mut Slots) {
        for child in activity.children() {
            slots.extend(of(&self.all_reads, *child));
        }
    }

    fn before_all(&self, ids: &[ActivityId], after: Slots) -> Slots {
        let activities = ids.iter().rev().filter_map(|id| self.plan.activity(*id));
        activities.fold(after, |live, activity| self.before(activity, live))
    }

    fn before(&self, activity: &'p Activity<'p>, mut after: Slots) -> Slots {
        match &activity.kind {
            ActivityKind::Terminate => self.at_end.clone(),
            ActivityKind::Event { .. } => after,
            ActivityKind::While { .. } => self.before_loop(activity, after),
            ActivityKind::If { .. } => {
                let mut live = self.before_all(activity.children(), after.clone());
                live.append(&mut after);
                live.extend(of(&self.reads, activity.id));
                live
            }
            ActivityKind::Approval(_) => {
                after.retain(|slot| !of(&self.writes, activity.id).contains(slot));
                self.add_children(activity, &mut after);
                after.extend(of(&self.reads, activity.id));
                after
            }
            _ => {
                let mut live = self.before_all(activity.children(), after);
                live.retain(|slot| !of(&self.writes, activity.id).contains(slot));
                live.extend(of(&self.reads, activity.id));
                live
            }
        }
    }

    /// What is live before the condition of a loop is evaluated.
    fn before_loop(&self, activity: &'p Activity<'p>, mut after: Slots) -> Slots {
        after.extend(of(&self.reads, activity.id));
        // The children only add what they read and remove what they write, so one pass is the fixed point.
        let once = self.before_all(activity.children(), after.clone());
        after.extend(once);
        after
    }
}

fn of(slots: &[Slots], id: ActivityId) -> &Slots {
    static EMPTY: Slots = Slots::new();
    slots.get(id.0 as usize).unwrap_or(&EMPTY)
}
