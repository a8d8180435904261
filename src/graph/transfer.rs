//! The transfer functions of the abstract interpreter: what an activity does to a state, and what of it is recorded.

use super::analysis::Analysis;
use super::calls::changes_input;
use super::decisions::{ApprovalEvent, Decisions, may_reject_undecided};
use super::effects::{Effects, VarId, Write, Writer, Written};
use super::interpreter::Interpreter;
use super::paths::{Overwrite, Unassigned};
use super::state::{AbstractState, HeldOutput};
use super::value::{AbstractValue, Constant};
use crate::model::{Activity, ActivityId, ActivityKind};

impl<'p> Interpreter<'_, 'p> {
    /// Records the reads of an activity. Returns the variables that it compares and that are not assigned.
    pub(super) fn read(
        &mut self,
        activity: &Activity<'p>,
        effects: &Effects<'p>,
        state: &mut AbstractState<'p>,
    ) -> Vec<VarId> {
        let mut unset_operands = Vec::new();
        for (index, read) in effects.reads.iter().enumerate() {
            self.record_output_read(read.variable, state);
            // A state that stays the same keeps sharing its memory.
            let Some(tracked) = state.variable(read.variable) else { continue };
            let is_unset = !tracked.assigned || tracked.value == AbstractValue::Unset;
            if is_unset && !read.guessed && read.in_condition && self.is_written_in_loop(activity, read.variable) {
                // A loop that waits for its own body to write the variable, which compares as the empty string until
                // then (docs/how-it-thinks.md, Flow). Of joined paths, some may have written it.
                if tracked.value == AbstractValue::Unset {
                    state.empty(read.variable);
                }
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
                let trail = self.keeps_paths.then(|| state.trail.clone());
                let unassigned = || Unassigned { activity: activity.id, read: index, trail };
                self.paths.unassigned.entry((activity.id, index)).or_insert_with(unassigned);
            }
        }
        // The approvers see their form, and an opaque activity may read any variable.
        if effects.may_read || effects.form().is_some() {
            let is_read = |variable: VarId| effects.may_read || effects.shows_variable(variable);
            for &variable in self.analysis.colliding.iter().filter(|variable| is_read(**variable)) {
                self.record_output_read(variable, state);
            }
        }
        unset_operands
    }

    /// On a path that no order takes, nothing counts as unset.
    pub(super) fn assign_all(&self, state: &mut AbstractState<'p>) {
        for &id in self.analysis.slots.variables() {
            if state.variable(id).is_some_and(|tracked| !tracked.assigned)
                && let Some(tracked) = state.variable_mut(id)
            {
                tracked.assigned = true;
            }
        }
    }

    fn record_output_read(&mut self, variable: VarId, state: &mut AbstractState<'p>) {
        let Some(output) = state.variable(variable).and_then(|tracked| tracked.output) else { return };
        self.paths.read_outputs.insert((output.writer, variable));
        if !output.was_read
            && let Some(output) = state.variable_mut(variable).and_then(|tracked| tracked.output.as_mut())
        {
            output.was_read = true;
        }
    }

    /// Whether an activity is a While whose body may write a variable. A body that cannot be read may write any.
    fn is_written_in_loop(&self, activity: &Activity<'p>, variable: VarId) -> bool {
        let writes = |inner: &Activity<'_>| {
            let effects = self.analysis.effects(inner.id);
            effects.is_some_and(|effects| effects.may_write.is_some() || effects.writes.to(variable).next().is_some())
        };
        matches!(activity.kind, ActivityKind::While { .. })
            && (activity.children.is_unknown() || self.analysis.workflow.inside(activity).any(writes))
    }

    pub(super) fn write(&mut self, activity: &Activity<'p>, effects: &Effects<'p>, state: &mut AbstractState<'p>) {
        let id = activity.id;
        if let Some(prefix) = effects.may_write {
            self.write_unknown(prefix, state);
        }
        self.write_inside_declared(activity, state);
        // Events may run before `decide` writes the result of this Approval.
        let is_undecided = may_reject_undecided(self.analysis.workflow, activity);
        let slots = &self.analysis.slots;
        let writes = effects.writes.to_some(slots.variables().iter().copied());
        for write in writes.filter(|write| !(is_undecided && write.by == Writer::ApprovalResult)) {
            self.change_input(id, write, state);
            if let Written::Copy(from) = write.value {
                state.copy(from, write.variable, id);
                continue;
            }
            // No path depends on outputs, so queries do not ask for them.
            let is_colliding = !self.is_query()
                && matches!(write.by, Writer::Output { .. })
                && self.analysis.colliding.contains(&write.variable);
            if is_colliding {
                self.record_overwrite(id, write.variable, state);
            }
            state.write(write.variable, self.value_of(write), id);
            if let Some(tracked) = state.variable_mut(write.variable).filter(|_| is_colliding) {
                tracked.output = Some(HeldOutput { writer: id, was_read: false, input_changed: false });
            }
        }
    }

    /// The same call after this write is another one, unless the call itself feeds its output back.
    fn change_input(&self, id: ActivityId, write: &Write<'_>, state: &mut AbstractState<'p>) {
        let Analysis { effects, calls, changing_inputs, .. } = self.analysis;
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
    fn write_inside_declared(&self, activity: &Activity<'p>, state: &mut AbstractState<'p>) {
        if !matches!(activity.kind, ActivityKind::Declared { .. }) {
            return;
        }
        for inner in self.analysis.workflow.inside(activity) {
            let effects = self.analysis.effects(inner.id);
            if let Some(prefix) = effects.and_then(|effects| effects.may_write) {
                self.write_unknown(prefix, state);
            }
            for write in effects.into_iter().flat_map(|effects| &effects.writes) {
                state.write(write.variable, AbstractValue::Any, inner.id);
            }
        }
    }

    fn value_of(&self, write: &Write<'p>) -> AbstractValue<'p> {
        match (write.value, write.by) {
            (Written::Constant(text), _) => AbstractValue::Is(Constant::text(text)),
            // This is the path on which the call succeeds; `write_failure` is the other one.
            (Written::Unknown, Writer::ProviderResult) if !write.guessed => AbstractValue::Is(Constant::boolean(true)),
            (Written::Unknown, Writer::Output { is_status: true }) => {
                let fixed = self.fixed.iter().find(|fixed| fixed.variable == write.variable);
                fixed.map_or(AbstractValue::Any, |fixed| AbstractValue::Is(fixed.status))
            }
            // `approvalResult` as well: at the Approval itself it is not decided yet, see `decide`.
            (Written::Unknown | Written::Copy(_), _) => AbstractValue::Any,
        }
    }

    /// The writes of a provider activity that fails without ending the order: its `providerResult`, and the common outputs that
    /// only a result sets, such as an error code.
    pub(super) fn write_failure(&self, id: ActivityId, effects: &Effects<'_>, state: &mut AbstractState<'p>) {
        // A condition on the result is not known, so nothing is known of what depends on it.
        if effects.result_is_lost {
            self.write_unknown("", state);
        }
        for write in effects.writes.own().iter().filter(|write| write.by == Writer::ProviderResult) {
            state.write(write.variable, AbstractValue::Is(Constant::boolean(false)), id);
        }
        let Analysis { scope, names, .. } = self.analysis;
        let results = || scope.config.catalog.result_outputs();
        let is_result = |write: &&Write<'_>| results().any(|name| name == names.name(write.variable));
        for write in effects.writes.own().iter().filter(is_result) {
            state.write(write.variable, AbstractValue::Any, id);
        }
    }

    pub(super) fn writes_fixed_status(&self, effects: &Effects<'_>) -> bool {
        self.fixed.iter().any(|fixed| effects.writes.to(fixed.variable).next().is_some())
    }

    /// An activity with unknown outputs may write every variable with this prefix (docs/concepts.md, Outputs). Each
    /// then counts as assigned, and its value is unknown.
    pub(super) fn write_unknown(&self, prefix: &str, state: &mut AbstractState<'p>) {
        let slots = &self.analysis.slots;
        for &id in slots.variables().iter().filter(|id| self.analysis.names.name(**id).starts_with(prefix)) {
            state.write_unknown(id);
        }
    }

    fn record_overwrite(&mut self, id: ActivityId, variable: VarId, state: &AbstractState<'p>) {
        let Some(output) = state.variable(variable).and_then(|tracked| tracked.output) else { return };
        let call = |id: ActivityId| self.analysis.calls.get(&id);
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
    /// (docs/how-it-thinks.md, Flow). `None` is an unknown decision.
    pub(super) fn decide(&mut self, id: ActivityId, approved: Option<bool>, state: &mut AbstractState<'p>) {
        if let Some(approved) = approved {
            self.record_decision(id, approved, state);
        }
        let approval = self.analysis.workflow.activity(id);
        match approval.and_then(|approval| Decisions::of(self.analysis.workflow, approval)) {
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
    pub(super) fn time_out(&mut self, id: ActivityId, approved: bool, state: &mut AbstractState<'p>) {
        self.record_decision(id, approved, state);
        let ends = |activity: &Activity<'_>| matches!(activity.kind, ActivityKind::Terminate);
        let may_have_ended = self.events(id).any(|event| {
            let mut inside = self.analysis.workflow.inside(event);
            ApprovalEvent::of(event).may_precede(Some(approved)) && inside.any(ends)
        });
        self.weaken_event_writes(id, |event| may_have_ended || event.may_precede(Some(approved)), state);
        self.write_approval_result(id, approved, state);
    }

    /// The events of an Approval.
    fn events(&self, id: ActivityId) -> impl Iterator<Item = &Activity<'p>> {
        let workflow = self.analysis.workflow;
        let children = workflow.activity(id).map_or(&[][..], Activity::children);
        children.iter().filter_map(|&child| workflow.activity(child))
    }

    fn write_approval_result(&self, id: ActivityId, approved: bool, state: &mut AbstractState<'p>) {
        let writes = self.analysis.effects(id).into_iter().flat_map(|effects| effects.writes.own());
        for write in writes.filter(|write| write.by == Writer::ApprovalResult) {
            state.write(write.variable, AbstractValue::Is(Constant::boolean(approved)), id);
        }
    }

    /// Which events have run before a decision is not documented (docs/assumptions.md, A11). After a rejection, `OnForeachReject` may have run on every path, also after a
    /// timeout: what it writes counts as assigned. No output of an event counts as overwritten later.
    fn weaken_event_writes(
        &self,
        id: ActivityId,
        may_have_run: impl Fn(ApprovalEvent) -> bool,
        state: &mut AbstractState<'p>,
    ) {
        let Some(approval) = self.analysis.workflow.activity(id) else { return };
        let is_inside = |id: ActivityId| approval.id < id && id < approval.end;
        for event in self.events(id) {
            let may_have_run = may_have_run(ApprovalEvent::of(event));
            for inner in std::iter::once(event).chain(self.analysis.workflow.inside(event)) {
                let effects = self.analysis.effects(inner.id);
                if let Some(prefix) = effects.and_then(|effects| effects.may_write).filter(|_| may_have_run) {
                    self.write_unknown(prefix, state);
                }
                for write in effects.into_iter().flat_map(|effects| &effects.writes) {
                    let Some(tracked) = state.variable_mut(write.variable) else { continue };
                    tracked.output = tracked.output.filter(|output| !is_inside(output.writer));
                    if may_have_run && !tracked.assigned {
                        state.write(write.variable, AbstractValue::Any, inner.id);
                    }
                }
            }
        }
    }
}
