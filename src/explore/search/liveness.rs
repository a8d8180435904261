//! Live variables: those whose values may still be read from a point on, so that all others can be forgotten (backward
//! data flow over the structure of the workflow; Aho et al., Compilers, 9.2.5).

use fixedbitset::FixedBitSet;

use super::reads::{own_reads, own_writes};
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::simulate::{Frame, Plan, Slot};

pub struct Liveness<'p> {
    plan: &'p Plan<'p>,
    reads: Vec<Vec<Slot>>,
    /// Including those of the children.
    all_reads: Vec<Vec<Slot>>,
    writes: Vec<Vec<Slot>>,
    /// Read at every end.
    at_end: Live,
}

/// The variables that are live at a point, a bit for each.
#[derive(Clone, Default)]
struct Live(FixedBitSet);

impl Live {
    fn add(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.0.grow_and_insert(slot.index());
        }
    }

    fn remove(&mut self, slots: &[Slot]) {
        for slot in slots {
            if self.0.contains(slot.index()) {
                self.0.remove(slot.index());
            }
        }
    }
}

impl<'p> Liveness<'p> {
    /// `at_end`: what laws read.
    pub fn new(plan: &'p Plan<'p>, at_end: impl IntoIterator<Item = Slot>) -> Self {
        let activities = &plan.workflow.activities;
        let reads: Vec<Vec<Slot>> =
            activities.iter().map(|activity| own_reads(plan, activity).into_iter().collect()).collect();
        let writes = activities.iter().map(|activity| own_writes(plan, activity).into_iter().collect()).collect();
        let mut all_reads = reads.clone();
        // A child comes after its parent.
        for activity in activities.iter().rev() {
            let mut sum = of(&reads, activity.id).to_vec();
            for child in activity.children() {
                sum.extend(of(&all_reads, *child));
            }
            sum.sort_unstable();
            sum.dedup();
            if let Some(slots) = all_reads.get_mut(activity.id.0 as usize) {
                *slots = sum;
            }
        }
        let mut read_at_end = Live::default();
        read_at_end.add(&at_end.into_iter().collect::<Vec<_>>());
        Self { plan, reads, all_reads, writes, at_end: read_at_end }
    }

    /// The live variables of a run, in their order.
    pub fn live(&self, frames: &[Frame<'p>]) -> Vec<Slot> {
        let mut live = self.at_end.clone();
        for frame in frames {
            self.before_frame(frame, &mut live);
        }
        live.0.ones().map(Slot::at).collect()
    }

    /// Transforms the variables that are live after a frame into those that are live before it continues.
    fn before_frame(&self, frame: &Frame<'p>, live: &mut Live) {
        match frame {
            Frame::Activities { ids, next } => self.before_all(ids.get(*next..).unwrap_or_default(), live),
            Frame::Loop(frame) => {
                self.before_loop(frame.activity, live);
                if frame.has_waited {
                    self.before_all(frame.activity.children(), live);
                }
            }
            Frame::Approval(frame) => self.add_children(frame.activity, live),
            Frame::Events(frame) => self.add_children(frame.approval, live),
            Frame::Wait(_) => {}
        }
    }

    fn add_children(&self, activity: &Activity<'_>, live: &mut Live) {
        for child in activity.children() {
            live.add(of(&self.all_reads, *child));
        }
    }

    fn before_all(&self, ids: &[ActivityId], live: &mut Live) {
        for activity in ids.iter().rev().filter_map(|id| self.plan.activity(*id)) {
            self.before(activity, live);
        }
    }

    fn before(&self, activity: &'p Activity<'p>, live: &mut Live) {
        match &activity.kind {
            ActivityKind::Terminate => live.clone_from(&self.at_end),
            ActivityKind::Event { .. } => {}
            ActivityKind::While { .. } => self.before_loop(activity, live),
            ActivityKind::If { .. } => {
                self.add_before_children(activity, live);
                live.add(of(&self.reads, activity.id));
            }
            ActivityKind::Approval(_) => {
                live.remove(of(&self.writes, activity.id));
                self.add_children(activity, live);
                live.add(of(&self.reads, activity.id));
            }
            _ => {
                self.before_all(activity.children(), live);
                live.remove(of(&self.writes, activity.id));
                live.add(of(&self.reads, activity.id));
            }
        }
    }

    /// Transforms the variables that are live after a loop into those that are live before its condition is evaluated.
    fn before_loop(&self, activity: &'p Activity<'p>, live: &mut Live) {
        live.add(of(&self.reads, activity.id));
        // The children only add what they read and remove what they write, so one pass is the fixed point.
        self.add_before_children(activity, live);
    }

    /// Adds the variables that are live before the children of an activity, given those that are live after them.
    fn add_before_children(&self, activity: &'p Activity<'p>, live: &mut Live) {
        let mut before = live.clone();
        self.before_all(activity.children(), &mut before);
        live.0.union_with(&before.0);
    }
}

fn of(slots: &[Vec<Slot>], id: ActivityId) -> &[Slot] {
    slots.get(id.0 as usize).map_or(&[], Vec::as_slice)
}
