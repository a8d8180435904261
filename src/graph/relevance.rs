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
use crate::collections::HashMap;
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
        for (number, parent) in slice.parents.clone().into_iter().enumerate() {
            let Some(shape) = u32::try_from(number).ok().and_then(|id| program.structure.get(ActivityId(id))) else {
                continue;
            };
            let is_condition = matches!(shape.kind, ShapeKind::While | ShapeKind::If);
            if slice.matters(shape, query) {
                slice.add_condition(if is_condition { Some(shape.id) } else { parent });
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

struct Slice<'a, 'p> {
    program: Program<'a, 'p>,
    /// By activity, the innermost condition around it.
    parents: Vec<Option<ActivityId>>,
    start: &'a AbstractState,
    /// The users of each variable.
    users: HashMap<VarId, Users>,
    /// Activities.
    conditions: FixedBitSet,
    /// Slots.
    variables: FixedBitSet,
    /// Variables whose users are not looked at yet.
    open: Vec<VarId>,
}

#[derive(Default)]
struct Users {
    /// Activities that change what is known of it.
    writers: Vec<ActivityId>,
    /// While and If on it.
    conditions: Vec<ActivityId>,
}

impl<'a, 'p> Slice<'a, 'p> {
    fn new(program: Program<'a, 'p>, start: &'a AbstractState) -> Self {
        let mut users: HashMap<VarId, Users> = HashMap::default();
        let (mut parents, mut around) = (Vec::with_capacity(program.effects.len()), Vec::<&Shape>::new());
        for (id, effects) in (0..).map(ActivityId).zip(program.effects) {
            while around.pop_if(|outer| !outer.contains(id)).is_some() {}
            parents.push(around.last().map(|outer| outer.id));
            let shape = program.structure.get(id);
            around.extend(shape.filter(|shape| matches!(shape.kind, ShapeKind::While | ShapeKind::If)));
            for write in effects.writes.iter().filter(|write| program.slots.get(write.variable).is_some()) {
                users.entry(write.variable).or_default().writers.push(id);
            }
            let reads = effects.reads.iter().map(|read| read.variable);
            for variable in reads.filter(|variable| start.variable(*variable).is_some_and(|start| !start.assigned)) {
                // Later reads on its path find the variable assigned.
                users.entry(variable).or_default().writers.push(id);
            }
            for variable in effects.condition.iter().flat_map(|condition| condition.variables()) {
                users.entry(variable).or_default().conditions.push(id);
            }
        }
        let conditions = FixedBitSet::with_capacity(parents.len());
        let variables = FixedBitSet::with_capacity(program.slots.variables().len());
        Self { program, parents, start, users, conditions, variables, open: Vec::new() }
    }

    /// Whether it matters to a query if an activity runs.
    fn matters(&self, shape: &Shape, query: &dyn PathQuery) -> bool {
        let may_write_any = |effects: &Effects<'_>| effects.may_write.is_some() || effects.result_is_lost;
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
            condition = self.parents.get(id.0 as usize).copied().flatten();
        }
    }

    fn add_variable(&mut self, variable: VarId) {
        let Some(slot) = self.program.slots.get(variable) else { return };
        if !self.variables.contains(slot.index()) {
            self.variables.grow_and_insert(slot.index());
            self.open.push(variable);
        }
    }

    /// Whether each condition adds something to what is known of a variable that later ones do not say again: whether it
    /// is unset, equals another variable, or several texts.
    fn is_changed_by_conditions(&self, variable: VarId) -> bool {
        let start = self.start.variable(variable);
        let is_unset = start.is_some_and(|start| !start.assigned || start.value == ValueId::UNSET);
        let slot = self.program.slots.get(variable);
        is_unset || slot.is_some_and(|slot| !self.program.unions.has(slot))
    }

    /// Adds what decides the values of the variables.
    fn close(&mut self) {
        while let Some(variable) = self.open.pop() {
            let Users { writers, conditions } = self.users.remove(&variable).unwrap_or_default();
            let all_count = self.is_changed_by_conditions(variable);
            for id in conditions.into_iter().filter(|_| all_count) {
                self.add_condition(Some(id));
            }
            for id in writers {
                self.add_condition(self.parents.get(id.0 as usize).copied().flatten());
                let effects = self.program.effects.get(id.0 as usize);
                let copied = effects.into_iter().flat_map(|effects| effects.writes.to(variable));
                for write in copied {
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
