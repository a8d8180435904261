//! The variables that a run can still read from a position on, so that all others can be forgotten: live variables (backward
//! data flow over the structure of the workflow; Aho et al., Compilers, 9.2.5), remembered for all positions that a search
//! reaches.

use std::collections::BTreeSet;
use std::rc::Rc;

use fixedbitset::FixedBitSet;

use crate::common::collections::HashMap;
use crate::model::{Activity, ActivityId, ActivityKind, Binding, SCRIPT_RESULT};
use crate::simulate::{Frame, Plan, Slot};

/// The live variables of the positions in a workflow.
pub struct FutureReads<'p> {
    plan: &'p Plan<'p>,
    /// By activity, without those of the children.
    reads: Vec<Vec<Slot>>,
    writes: Vec<Vec<Slot>>,
    /// Read at every end.
    at_end: FixedBitSet,
    /// By the shape of the stack of frames.
    known: HashMap<Vec<usize>, Rc<[Slot]>>,
    /// The last shape.
    shape: Vec<usize>,
}

impl<'p> FutureReads<'p> {
    /// `at_end`: what laws read.
    pub fn new(plan: &'p Plan<'p>, at_end: impl IntoIterator<Item = Slot>) -> Self {
        let activities = plan.workflow.activities.iter();
        let reads = activities.clone().map(|activity| own_reads(plan, activity).into_iter().collect()).collect();
        let writes = activities.map(|activity| own_writes(plan, activity).into_iter().collect()).collect();
        let mut read_at_end = FixedBitSet::with_capacity(plan.names.iter().len());
        read_at_end.extend(at_end.into_iter().map(Slot::index));
        Self { plan, reads, writes, at_end: read_at_end, known: HashMap::default(), shape: Vec::new() }
    }

    /// The live variables of a run with these frames, in their order.
    pub fn of(&mut self, frames: &[Frame<'p>]) -> Rc<[Slot]> {
        self.shape.clear();
        add_shape(frames, &mut self.shape);
        if let Some(known) = self.known.get(&self.shape) {
            return Rc::clone(known);
        }
        let mut live = self.at_end.clone();
        for frame in frames {
            self.before_frame(frame, &mut live);
        }
        let live: Rc<[Slot]> = live.ones().map(Slot::at).collect();
        self.known.insert(self.shape.clone(), Rc::clone(&live));
        live
    }

    /// Transforms the variables that are live after a frame into those that are live before it continues.
    fn before_frame(&self, frame: &Frame<'p>, live: &mut FixedBitSet) {
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

    fn add_children(&self, activity: &Activity<'_>, live: &mut FixedBitSet) {
        for inner in self.plan.workflow.inside(activity) {
            add(of(&self.reads, inner.id), live);
        }
    }

    fn before_all(&self, ids: &[ActivityId], live: &mut FixedBitSet) {
        for activity in ids.iter().rev().filter_map(|id| self.plan.activity(*id)) {
            self.before(activity, live);
        }
    }

    fn before(&self, activity: &'p Activity<'p>, live: &mut FixedBitSet) {
        match &activity.kind {
            ActivityKind::Terminate => live.clone_from(&self.at_end),
            ActivityKind::Event { .. } => {}
            ActivityKind::While { .. } => self.before_loop(activity, live),
            ActivityKind::If { .. } => {
                self.add_before_children(activity, live);
                add(of(&self.reads, activity.id), live);
            }
            ActivityKind::Approval(_) => {
                remove(of(&self.writes, activity.id), live);
                self.add_children(activity, live);
                add(of(&self.reads, activity.id), live);
            }
            _ => {
                self.before_all(activity.children(), live);
                remove(of(&self.writes, activity.id), live);
                add(of(&self.reads, activity.id), live);
            }
        }
    }

    /// Transforms the variables that are live after a loop into those that are live before its condition is evaluated.
    fn before_loop(&self, activity: &'p Activity<'p>, live: &mut FixedBitSet) {
        add(of(&self.reads, activity.id), live);
        // The children only add what they read and remove what they write, so one pass is the fixed point.
        self.add_before_children(activity, live);
    }

    /// Adds the variables that are live before the children of an activity, given those that are live after them.
    fn add_before_children(&self, activity: &'p Activity<'p>, live: &mut FixedBitSet) {
        let mut before = live.clone();
        self.before_all(activity.children(), &mut before);
        live.union_with(&before);
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

fn add(slots: &[Slot], live: &mut FixedBitSet) {
    live.extend(slots.iter().map(|slot| slot.index()));
}

fn remove(slots: &[Slot], live: &mut FixedBitSet) {
    for slot in slots {
        live.remove(slot.index());
    }
}

fn of(slots: &[Vec<Slot>], id: ActivityId) -> &[Slot] {
    slots.get(id.0 as usize).map_or(&[], Vec::as_slice)
}

/// What an activity itself reads, without its children.
pub fn own_reads(plan: &Plan<'_>, activity: &Activity<'_>) -> BTreeSet<Slot> {
    let mut slots = BTreeSet::new();
    activity.bindings(|binding, role| {
        if let Some((_, name)) = binding.target().filter(|_| !role.writes()) {
            slots.extend(plan.names.slot(name));
        }
    });
    if let ActivityKind::Assign(assign) = &activity.kind {
        slots.extend(plan.names.placeholders(assign));
    }
    slots
}

/// What an activity itself has written whenever the run continues after it.
pub fn own_writes(plan: &Plan<'_>, activity: &Activity<'_>) -> BTreeSet<Slot> {
    let slot = |binding: Option<&Binding<'_>>| plan.names.slot(binding?.target()?.1);
    match &activity.kind {
        ActivityKind::Assign(assign) => slot(assign.result.get()).into_iter().collect(),
        ActivityKind::Code(_) => plan.names.slot(SCRIPT_RESULT).into_iter().collect(),
        ActivityKind::Approval(approval) => slot(approval.result.get()).into_iter().collect(),
        ActivityKind::Provider(provider) => {
            let common = &plan.config.catalog.status_outputs;
            let common = common.iter().filter_map(|name| plan.names.slot(name));
            slot(provider.result.get()).into_iter().chain(common).collect()
        }
        _ => BTreeSet::new(),
    }
}
