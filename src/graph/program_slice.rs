//! What the answer to a query depends on: the conditions that decide what it looks at, and their variables.
//!
//! A slice of the workflow, as a program slicer computes it. A condition belongs to it if something inside it matters:
//! what the query looks at, what ends the order, or what writes a variable of such a condition. Those of loops always do,
//! as they decide whether a path goes on. What is inside of other conditions is passed.

use fixedbitset::FixedBitSet;

use super::analysis::Analysis;
use super::effects::{Effects, VarId, Written};
use super::path_query::PathQuery;
use super::state::Slot;
use super::value::AbstractValue;
use crate::model::{Activity, ActivityId, ActivityKind};

/// The conditions that decide the answer, by activity, and their variables, by slot.
#[derive(Debug)]
pub struct ProgramSlice {
    conditions: FixedBitSet,
    variables: FixedBitSet,
}

impl ProgramSlice {
    pub fn new(analysis: &Analysis<'_>, query: &dyn PathQuery) -> Self {
        let mut slicer = Slicer::new(analysis);
        for activity in &analysis.workflow.activities {
            if slicer.matters(activity, query) {
                slicer.add_condition(is_condition(activity).then_some(activity.id).or(slicer.around(activity.id)));
            }
        }
        slicer.close();
        slicer.slice
    }

    /// Every condition and variable.
    #[cfg(test)]
    pub fn of_all(analysis: &Analysis<'_>) -> Self {
        let all = |count: usize| (0..count).collect();
        Self { conditions: all(analysis.effects.len()), variables: all(analysis.slots.variables().len()) }
    }

    pub fn contains(&self, variable: Slot) -> bool {
        self.variables.contains(variable.index())
    }

    pub fn has_condition(&self, id: ActivityId) -> bool {
        self.conditions.contains(id.0 as usize)
    }
}

const fn is_condition(activity: &Activity<'_>) -> bool {
    matches!(activity.kind, ActivityKind::While { .. } | ActivityKind::If { .. })
}

struct Slicer<'a, 'p> {
    analysis: &'a Analysis<'p>,
    slice: ProgramSlice,
    /// By activity, the innermost condition around it.
    around: Vec<Option<ActivityId>>,
    /// By slot.
    users: Vec<Users>,
    /// Variables whose users are not looked at yet.
    open: Vec<(VarId, Slot)>,
}

/// The activities that use a variable.
#[derive(Clone, Default)]
struct Users {
    /// Activities that change what is known of it.
    writers: Vec<ActivityId>,
    /// While and If on it.
    conditions: Vec<ActivityId>,
    /// The variables that it is copied to.
    copies: Vec<VarId>,
}

impl<'a, 'p> Slicer<'a, 'p> {
    fn new(analysis: &'a Analysis<'p>) -> Self {
        let slots = &analysis.slots;
        let mut users = vec![Users::default(); slots.variables().len()];
        let mut around: Vec<Option<ActivityId>> = Vec::with_capacity(analysis.effects.len());
        for (activity, effects) in analysis.workflow.activities.iter().zip(&analysis.effects) {
            let parent = activity.parent.and_then(|parent| analysis.workflow.activity(parent));
            around.push(parent.and_then(|parent| {
                let outer = around.get(parent.id.0 as usize).copied().flatten();
                if is_condition(parent) { Some(parent.id) } else { outer }
            }));
            let mut add = |variable: VarId, user: &dyn Fn(&mut Users)| {
                slots.get(variable).and_then(|slot| users.get_mut(slot.index())).into_iter().for_each(user);
            };
            for write in effects.writes.own() {
                add(write.variable, &|users| users.writers.push(activity.id));
                if let Written::Copy(from) = write.value {
                    add(from, &|users| users.copies.push(write.variable));
                }
            }
            // Later reads on the path find the variable assigned.
            let is_unassigned =
                |variable: VarId| analysis.start.variable(variable).is_some_and(|start| !start.assigned);
            for read in effects.reads.iter().filter(|read| is_unassigned(read.variable)) {
                add(read.variable, &|users| users.writers.push(activity.id));
            }
            for variable in effects.condition.iter().flat_map(|condition| condition.variables()) {
                add(variable, &|users| users.conditions.push(activity.id));
            }
        }
        let slice = ProgramSlice {
            conditions: FixedBitSet::with_capacity(around.len()),
            variables: FixedBitSet::with_capacity(users.len()),
        };
        Self { analysis, slice, around, users, open: Vec::new() }
    }

    /// Whether it matters to a query if an activity runs.
    fn matters(&self, activity: &Activity<'_>, query: &dyn PathQuery) -> bool {
        let may_write_any = |effects: &Effects<'_>| {
            effects.may_write.is_some()
                || effects.result_is_lost
                || effects.form().is_some_and(|form| form.writes_any())
        };
        matches!(activity.kind, ActivityKind::While { .. } | ActivityKind::Terminate)
            || activity.children.is_unknown()
            || self.analysis.effects(activity.id).is_some_and(may_write_any)
            || query.concerns(activity.id)
    }

    /// Adds a condition, and those around it.
    fn add_condition(&mut self, mut condition: Option<ActivityId>) {
        while let Some(id) = condition {
            if self.slice.conditions.contains(id.0 as usize) {
                return;
            }
            self.slice.conditions.grow_and_insert(id.0 as usize);
            let operands = self.analysis.effects(id).and_then(|effects| effects.condition.as_deref()).into_iter();
            for variable in operands.flat_map(|condition| condition.variables()) {
                self.add_variable(variable);
            }
            condition = self.around(id);
        }
    }

    /// The innermost condition around an activity.
    fn around(&self, id: ActivityId) -> Option<ActivityId> {
        self.around.get(id.0 as usize).copied().flatten()
    }

    fn add_variable(&mut self, variable: VarId) {
        let Some(slot) = self.analysis.slots.get(variable) else { return };
        if !self.slice.variables.put(slot.index()) {
            self.open.push((variable, slot));
        }
    }

    /// Whether each condition adds something to what is known of a variable that later ones do not say again: whether it
    /// is unset, equals another variable, or several texts.
    fn is_changed_by_conditions(&self, variable: Slot) -> bool {
        let start = self.analysis.start.at(variable);
        let is_unset = start.is_some_and(|start| !start.assigned || start.value == AbstractValue::Unset);
        is_unset || !self.analysis.unions.has(variable)
    }

    /// Adds what decides the values of the variables.
    fn close(&mut self) {
        while let Some((variable, slot)) = self.open.pop() {
            let Some(users) = self.users.get_mut(slot.index()) else { continue };
            let Users { writers, conditions, copies } = std::mem::take(users);
            for copy in copies {
                self.add_variable(copy);
            }
            let all_count = self.is_changed_by_conditions(slot);
            for id in conditions.into_iter().filter(|_| all_count) {
                self.add_condition(Some(id));
            }
            for id in writers {
                self.add_condition(self.around(id));
                let own = self.analysis.effects(id).into_iter().flat_map(|effects| effects.writes.own());
                for write in own.filter(|write| write.variable == variable) {
                    if let Written::Copy(from) = write.value {
                        self.add_variable(from);
                    }
                }
            }
        }
    }
}
