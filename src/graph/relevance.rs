//! What the answer to a query depends on: the conditions that decide what it looks at, and their variables.
//!
//! A slice of the workflow, as a program slicer computes it. A condition belongs to it if something inside it matters:
//! what the query looks at, what ends the order, or what writes a variable of such a condition. Those of loops always do,
//! as they decide whether a path goes on. What is inside of other conditions is passed.

use fixedbitset::FixedBitSet;

use super::effects::{Effects, VarId, Written};
use super::known_values::ValueId;
use super::path_query::PathQuery;
use super::program::Program;
use super::slots::Slot;
use super::state::AbstractState;
use super::structure::{Shape, ShapeKind};
use crate::model::ActivityId;

/// The conditions that decide the answer, by activity, and their variables, by slot.
#[derive(Debug)]
pub struct Relevance {
    conditions: FixedBitSet,
    variables: FixedBitSet,
}

impl Relevance {
    pub fn new(program: &Program<'_, '_>, start: &AbstractState, query: &dyn PathQuery) -> Self {
        let mut slice = Slice::new(*program, start);
        for shape in (0..).map(ActivityId).map_while(|id| program.structure.get(id)) {
            if slice.matters(shape, query) {
                slice.add_condition(if is_condition(shape) { Some(shape.id) } else { slice.around(shape.id) });
            }
        }
        slice.close();
        Self { conditions: slice.conditions, variables: slice.variables }
    }

    /// Every condition and variable.
    #[cfg(test)]
    pub fn of_all(program: &Program<'_, '_>) -> Self {
        let all = |count: usize| (0..count).collect();
        Self { conditions: all(program.effects.len()), variables: all(program.slots.variables().len()) }
    }

    pub fn contains(&self, variable: Slot) -> bool {
        self.variables.contains(variable.index())
    }

    pub fn has_condition(&self, id: ActivityId) -> bool {
        self.conditions.contains(id.0 as usize)
    }
}

const fn is_condition(shape: &Shape) -> bool {
    matches!(shape.kind, ShapeKind::While | ShapeKind::If)
}

struct Slice<'a, 'p> {
    program: Program<'a, 'p>,
    /// By activity, the innermost condition around it.
    parents: Vec<Option<ActivityId>>,
    start: &'a AbstractState,
    /// By slot.
    users: Vec<Users>,
    /// Activities.
    conditions: FixedBitSet,
    /// Slots.
    variables: FixedBitSet,
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

impl<'a, 'p> Slice<'a, 'p> {
    fn new(program: Program<'a, 'p>, start: &'a AbstractState) -> Self {
        let slots = program.slots;
        let mut users = vec![Users::default(); slots.variables().len()];
        let (mut parents, mut around) = (Vec::with_capacity(program.effects.len()), Vec::<&Shape>::new());
        for (id, effects) in (0..).map(ActivityId).zip(program.effects) {
            while around.pop_if(|outer| !outer.contains(id)).is_some() {}
            parents.push(around.last().map(|outer| outer.id));
            let shape = program.structure.get(id);
            around.extend(shape.filter(|shape| is_condition(shape)));
            let written = effects.writes.own().iter().map(|write| write.variable);
            // Later reads on the path find the variable assigned.
            let is_unassigned = |variable: &VarId| start.variable(*variable).is_some_and(|start| !start.assigned);
            let assuming = effects.reads.iter().map(|read| read.variable).filter(is_unassigned);
            for slot in written.chain(assuming).filter_map(|variable| slots.get(variable)) {
                if let Some(users) = users.get_mut(slot.index()) {
                    users.writers.push(id);
                }
            }
            for write in effects.writes.own() {
                if let Written::Copy(from) = write.value
                    && let Some(users) = slots.get(from).and_then(|slot| users.get_mut(slot.index()))
                {
                    users.copies.push(write.variable);
                }
            }
            let tested = effects.condition.iter().flat_map(|condition| condition.variables());
            for slot in tested.filter_map(|variable| slots.get(variable)) {
                if let Some(users) = users.get_mut(slot.index()) {
                    users.conditions.push(id);
                }
            }
        }
        let (conditions, variables) =
            (FixedBitSet::with_capacity(parents.len()), FixedBitSet::with_capacity(users.len()));
        Self { program, parents, start, users, conditions, variables, open: Vec::new() }
    }

    /// Whether it matters to a query if an activity runs.
    fn matters(&self, shape: &Shape, query: &dyn PathQuery) -> bool {
        let may_write_any = |effects: &Effects<'_>| {
            let has_form = effects.writes.len() > effects.writes.own().len();
            effects.may_write.is_some() || effects.result_is_lost || has_form
        };
        matches!(shape.kind, ShapeKind::While | ShapeKind::Terminate)
            || shape.has_unread_children
            || self.program.effects.get(shape.id.0 as usize).is_some_and(may_write_any)
            || query.concerns(shape.id)
    }

    /// Adds a condition, and those around it.
    fn add_condition(&mut self, mut condition: Option<ActivityId>) {
        while let Some(id) = condition {
            if self.conditions.contains(id.0 as usize) {
                return;
            }
            self.conditions.grow_and_insert(id.0 as usize);
            let effects = self.program.effects.get(id.0 as usize);
            let operands = effects.and_then(|effects| effects.condition.as_deref()).into_iter();
            for variable in operands.flat_map(|condition| condition.variables()) {
                self.add_variable(variable);
            }
            condition = self.around(id);
        }
    }

    /// The innermost condition around an activity.
    fn around(&self, id: ActivityId) -> Option<ActivityId> {
        self.parents.get(id.0 as usize).copied().flatten()
    }

    fn add_variable(&mut self, variable: VarId) {
        let Some(slot) = self.program.slots.get(variable) else { return };
        if !self.variables.contains(slot.index()) {
            self.variables.grow_and_insert(slot.index());
            self.open.push((variable, slot));
        }
    }

    /// Whether each condition adds something to what is known of a variable that later ones do not say again: whether it
    /// is unset, equals another variable, or several texts.
    fn is_changed_by_conditions(&self, variable: Slot) -> bool {
        let start = self.start.at(variable);
        let is_unset = start.is_some_and(|start| !start.assigned || start.value == ValueId::UNSET);
        is_unset || !self.program.unions.has(variable)
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
                let effects = self.program.effects.get(id.0 as usize);
                let own = effects.into_iter().flat_map(|effects| effects.writes.own());
                for write in own.filter(|write| write.variable == variable) {
                    if let Written::Copy(from) = write.value {
                        self.add_variable(from);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
