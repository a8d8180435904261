//! The transfer functions of the abstract interpreter: what an activity does to a state, and what of it is recorded.

use super::calls::changes_input;
use super::constant::Constant;
use super::decisions::{ApprovalEvent, Decisions};
use super::effects::{Effects, VarId, Write, Writer, Written};
use super::interpreter::Interpreter;
use super::known_values::ValueId;
use super::paths::{Overwrite, Unassigned};
use super::program::Program;
use super::state::{AbstractState, HeldOutput};
use super::structure::{Shape, ShapeKind};
use super::value::AbstractValue;
use crate::model::ActivityId;

impl Interpreter<'_, '_> {
    /// Records the reads of an activity. Returns the variables that it compares and that are not assigned.
    pub(super) fn read(&mut self, id: ActivityId, effects: &Effects<'_>, state: &mut AbstractState) -> Vec<VarId> {
        let mut unset_operands = Vec::new();
        for (index, read) in effects.reads.iter().enumerate() {
            self.record_output_read(read.variable, state);
            // A state that stays the same keeps sharing its memory.
            let Some(tracked) = state.variable(read.variable) else { continue };
            let is_unset = !tracked.assigned || tracked.value == ValueId::UNSET;
            if is_unset && !read.guessed && read.in_condition && self.is_written_in_loop(id, read.variable) {
                // A loop that waits for its own body to write the variable, which compares as the empty string until
                // then (docs/concepts.md, Flow).
                state.empty(read.variable);
                continue;
            }
            if tracked.assigned || read.guessed {
                continue;
            }
            if read.in_condition {
                unset_operands.push(read.variable);
            }
            // Later reads on this path have the same cause, so only the first one is recorded.
            if let Some(tracked) = state.variable_mut(read.variable) {
                tracked.assigned = true;
            }
            if !state.merged {
                let unassigned =
                    Unassigned { activity: id, read: index, trail: state.trail, has_path: self.keeps_paths };
                self.paths.unassigned.entry((id, index)).or_insert(unassigned);
            }
        }
        // The approvers see their form, and an opaque activity may read any variable.
        let colliding = self.program.colliding;
        if effects.may_read || colliding.len() < effects.shows().len() {
            for &variable in colliding.iter().filter(|&&variable| effects.may_read || effects.shows_variable(variable))
            {
                self.record_output_read(variable, state);
            }
        } else {
            for &variable in effects.shows() {
                self.record_output_read(variable, state);
            }
        }
        unset_operands
    }

    /// On a path that no order takes, nothing counts as unset.
    pub(super) fn assign_all(&self, state: &mut AbstractState) {
        for &id in self.program.slots.variables() {
            if state.variable(id).is_some_and(|tracked| !tracked.assigned)
                && let Some(tracked) = state.variable_mut(id)
            {
                tracked.assigned = true;
            }
        }
    }

    fn record_output_read(&mut self, variable: VarId, state: &mut AbstractState) {
        let Some(output) = state.variable(variable).and_then(|tracked| tracked.output) else { return };
        self.paths.read_outputs.insert((output.writer, variable));
        if !output.was_read
            && let Some(output) = state.variable_mut(variable).and_then(|tracked| tracked.output.as_mut())
        {
            output.was_read = true;
        }
    }

    /// Whether an activity is a While whose body may write a variable. A body that cannot be read may write any.
    fn is_written_in_loop(&self, id: ActivityId, variable: VarId) -> bool {
        let program = self.program;
        let Some(activity) = program.structure.get(id) else { return false };
        let writes = |inner: &Shape| {
            let effects = program.effects.get(inner.id.0 as usize);
            effects.is_some_and(|effects| effects.may_write.is_some() || effects.writes.to(variable).next().is_some())
        };
        activity.kind == ShapeKind::While
            && (activity.has_unread_children || program.structure.inside(activity).any(writes))
    }

    pub(super) fn write(&mut self, id: ActivityId, effects: &Effects<'_>, state: &mut AbstractState) {
        if let Some(prefix) = effects.may_write {
            self.write_unknown(prefix, state);
        }
        self.write_inside_declared(id, state);
        let is_undecided = self.is_undecided(id);
        let writes = effects.writes.to_some(self.program.slots.variables().iter().copied());
        for write in writes.filter(|write| !(is_undecided && write.by == Writer::ApprovalResult)) {
            self.change_input(id, write, state);
            if let Written::Copy(from) = write.value {
                state.copy(from, write.variable, id);
                continue;
            }
            let value = self.value_of(write);
            // No path depends on outputs, so queries do not ask for them.
            let is_colliding = !self.is_query()
                && matches!(write.by, Writer::Output { .. })
                && self.program.colliding.contains(&write.variable);
            if is_colliding {
                self.record_overwrite(id, write.variable, state);
            }
            state.write(write.variable, value, id);
            if let Some(tracked) = state.variable_mut(write.variable).filter(|_| is_colliding) {
                tracked.output = Some(HeldOutput { writer: id, was_read: false, input_changed: false });
            }
        }
    }

    /// The same call after this write is another one, unless the call itself feeds its output back.
    fn change_input(&self, id: ActivityId, write: &Write<'_>, state: &mut AbstractState) {
        let Program { effects, calls, changing_inputs, .. } = self.program;
        if changes_input(write) && changing_inputs.contains(&write.variable) {
            let reads_it = |effects: &Effects<'_>| effects.reads.iter().any(|read| read.variable == write.variable);
            let fingerprint = |id: ActivityId| calls.get(&id).map(|call| call.fingerprint);
            state.change_input(|writer| {
                fingerprint(writer) != fingerprint(id) && effects.get(writer.0 as usize).is_some_and(reads_it)
            });
        }
    }

    /// How often the children of a declared type run is unknown: what they write counts as assigned, also on the path
    /// past them.
    fn write_inside_declared(&self, id: ActivityId, state: &mut AbstractState) {
        let structure = self.program.structure;
        let Some(activity) = structure.get(id).filter(|activity| activity.kind == ShapeKind::Declared) else { return };
        for inner in structure.inside(activity) {
            let effects = self.program.effects.get(inner.id.0 as usize);
            if let Some(prefix) = effects.and_then(|effects| effects.may_write) {
                self.write_unknown(prefix, state);
            }
            for write in effects.into_iter().flat_map(|effects| &effects.writes) {
                state.write(write.variable, AbstractValue::Any, inner.id);
            }
        }
    }

    /// What runs inside a While or If whose children cannot be read: they may write every variable.
    pub(super) fn write_unread_children(&self, id: ActivityId, state: &mut AbstractState) {
        if self.program.structure.get(id).is_some_and(|activity| activity.has_unread_children) {
            self.write_unknown("", state);
        }
    }

    /// Whether events may run before `decide` writes the result of this Approval.
    fn is_undecided(&self, id: ActivityId) -> bool {
        let kind = self.program.structure.get(id).map(|activity| activity.kind);
        matches!(kind, Some(ShapeKind::Approval { may_reject_undecided: true, .. }))
    }

    fn value_of(&self, write: &Write<'_>) -> AbstractValue {
        match (write.value, write.by) {
            (Written::Constant(text), _) => AbstractValue::Is(Constant::text(text)),
            // This is the path on which the call succeeds; `write_failure` is the other one.
            (Written::Unknown, Writer::ProviderResult) if !write.guessed => AbstractValue::Is(Constant::text("true")),
            (Written::Unknown, Writer::Output { is_status: true }) => {
                let fixed = self.fixed.iter().find(|fixed| fixed.variable == write.variable);
                fixed.map_or(AbstractValue::Any, |fixed| AbstractValue::Is(fixed.status.clone()))
            }
            // `approvalResult` as well: at the Approval itself it is not decided yet, see `decide`.
            (Written::Unknown | Written::Copy(_), _) => AbstractValue::Any,
        }
    }

    /// The writes of a provider activity that fails without ending the order: only its `providerResult`.
    pub(super) fn write_failure(&self, id: ActivityId, effects: &Effects<'_>, state: &mut AbstractState) {
        // A condition on the result is not known, so nothing is known of what depends on it.
        if effects.result_is_lost {
            self.write_unknown("", state);
        }
        for write in effects.writes.own().iter().filter(|write| write.by == Writer::ProviderResult) {
            state.write(write.variable, AbstractValue::Is(Constant::text("false")), id);
        }
    }

    pub(super) fn writes_fixed_status(&self, effects: &Effects<'_>) -> bool {
        self.fixed.iter().any(|fixed| effects.writes.to(fixed.variable).next().is_some())
    }

    /// An activity with unknown outputs may write every variable with this prefix (docs/concepts.md, Outputs). Each
    /// then counts as assigned, and its value is unknown.
    fn write_unknown(&self, prefix: &str, state: &mut AbstractState) {
        for &id in self.program.slots.variables() {
            if !self.program.names.name(id).starts_with(prefix) {
                continue;
            }
            state.forget(id);
            if let Some(tracked) = state.variable_mut(id) {
                tracked.assigned = true;
                tracked.output = None;
            }
        }
    }

    fn record_overwrite(&mut self, id: ActivityId, variable: VarId, state: &AbstractState) {
        let Some(output) = state.variable(variable).and_then(|tracked| tracked.output) else { return };
        let call = |id: ActivityId| self.program.calls.get(&id);
        // Repeating the same call, such as a lookup in a loop, is meant to update its outputs.
        let is_repeated = !output.input_changed
            && call(output.writer).zip(call(id)).is_some_and(|(earlier, later)| earlier.may_repeat(later));
        if state.merged || output.writer == id || is_repeated {
            return;
        }
        let overwrite = Overwrite { later: id, variable, earlier: output.writer };
        let paths = self.paths.overwrites.entry(overwrite).or_default();
        paths.some_read |= output.was_read;
        paths.some_unread |= !output.was_read;
    }

    /// People decide an Approval: `approvalResult` is written before the activities of that event run
    /// (docs/concepts.md, Flow). `None` is an unknown decision.
    pub(super) fn decide(&mut self, id: ActivityId, approved: Option<bool>, state: &mut AbstractState) {
        if let Some(approved) = approved {
            self.record_decision(id, approved, state);
        }
        match self.decisions(id) {
            Some(Decisions::OfOne { .. }) | None => {}
            // The paths through the events lead here: each rejection runs its event first, and an approval afterwards.
            Some(Decisions::OfSeveral { .. }) => self.weaken_event_writes(id, |_| false, state),
            Some(Decisions::Undocumented { .. }) => {
                self.weaken_event_writes(id, |event| event.may_precede(approved), state);
            }
        }
        if let Some(approved) = approved {
            self.write_approval_result(id, approved, state);
        }
    }

    /// A timeout decides an Approval. If an event that may have run before it can end the order, a variable without a
    /// value afterwards would be a guess.
    pub(super) fn time_out(&mut self, id: ActivityId, approved: bool, state: &mut AbstractState) {
        self.record_decision(id, approved, state);
        let may_precede = |event: ApprovalEvent| event.may_precede(Some(approved));
        let may_have_ended = self.may_end_in_event(id, may_precede);
        self.weaken_event_writes(id, |event| may_have_ended || may_precede(event), state);
        self.write_approval_result(id, approved, state);
    }

    /// Whether one of these events of an Approval contains a Terminate.
    fn may_end_in_event(&self, id: ActivityId, is_meant: impl Fn(ApprovalEvent) -> bool) -> bool {
        let structure = self.program.structure;
        let events = structure.get(id).into_iter().flat_map(|approval| structure.children(approval));
        let mut meant = events.filter(|event| is_meant(event.event()));
        meant.any(|event| structure.inside(event).any(|inner| inner.kind == ShapeKind::Terminate))
    }

    fn decisions(&self, id: ActivityId) -> Option<Decisions> {
        match self.program.structure.get(id)?.kind {
            ShapeKind::Approval { decisions, .. } => decisions,
            _ => None,
        }
    }

    fn write_approval_result(&self, id: ActivityId, approved: bool, state: &mut AbstractState) {
        let effects = self.program.effects.get(id.0 as usize);
        let writes = effects.into_iter().flat_map(|effects| effects.writes.own());
        for write in writes.filter(|write| write.by == Writer::ApprovalResult) {
            let decision = Constant::text(if approved { "true" } else { "false" });
            state.write(write.variable, AbstractValue::Is(decision), id);
        }
    }

    /// Which events have run before a decision is not documented (docs/platform.md, Assumptions about documents,
    /// "Events before a decision"). After a rejection, `OnForeachReject` may have run on every path, also after a
    /// timeout: what it writes counts as assigned. No output of an event counts as overwritten later.
    fn weaken_event_writes(
        &self,
        id: ActivityId,
        may_have_run: impl Fn(ApprovalEvent) -> bool,
        state: &mut AbstractState,
    ) {
        let structure = self.program.structure;
        let Some(approval) = structure.get(id) else { return };
        for event in structure.children(approval) {
            let may_have_run = may_have_run(event.event());
            for inner in std::iter::once(event).chain(structure.inside(event)) {
                let effects = self.program.effects.get(inner.id.0 as usize);
                if let Some(prefix) = effects.and_then(|effects| effects.may_write).filter(|_| may_have_run) {
                    self.write_unknown(prefix, state);
                }
                for write in effects.into_iter().flat_map(|effects| &effects.writes) {
                    let Some(tracked) = state.variable_mut(write.variable) else { continue };
                    tracked.output = tracked.output.filter(|output| !approval.contains(output.writer));
                    if may_have_run && !tracked.assigned {
                        state.write(write.variable, AbstractValue::Any, inner.id);
                    }
                }
            }
        }
    }
}
