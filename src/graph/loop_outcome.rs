//! What a loop does while every lookup returns some statuses (docs/how-it-thinks.md, Case status).

use super::analysis::Analysis;
use super::effects::VarId;
use super::interpreter::{FixedStatus, Interpreter};
use super::paths::LoopOutcome;
use super::state::{AbstractState, Decision, DecisionTrail};
use super::value::{AbstractValue, Constant};
use crate::model::{ActivityId, ActivityKind};

/// Decisions of an iteration that are kept.
const MAX_REPETITION_STEPS: usize = 100;

impl<'p> Analysis<'p> {
    /// Runs the body of a loop abstractly, with every lookup of these case status variables returning their status;
    /// `None` if no path enters the loop.
    pub fn loop_on_statuses(&self, id: ActivityId, statuses: &[(VarId, &str)]) -> Option<LoopOutcome> {
        let key = (id, statuses.iter().map(|&(variable, status)| (variable, status.to_owned())).collect());
        if let Some(known) = self.loop_outcomes.borrow().get(&key) {
            return Some(known.clone());
        }
        let fixed = |&(variable, status)| FixedStatus { variable, status: Constant::text(status) };
        let fixed: Vec<FixedStatus<'_>> = statuses.iter().map(fixed).collect();
        let outcome = self.explore_loop(id, &fixed)?;
        self.loop_outcomes.borrow_mut().insert(key, outcome.clone());
        Some(outcome)
    }

    fn explore_loop(&self, id: ActivityId, fixed: &[FixedStatus<'p>]) -> Option<LoopOutcome> {
        let entry = self.paths.entries.get(&id)?;
        // What the last lookups before the loop may have found: these statuses, which other variables may contain too.
        let was_found = fixed.iter().all(|fixed| entry.may_equal(fixed.variable, fixed.status));
        let is_copied = fixed.iter().any(|fixed| entry.is_copied(fixed.variable));
        let mut start = entry.clone();
        for &FixedStatus { variable, status } in fixed {
            start.write(variable, AbstractValue::Is(status), id);
        }
        let mut outcome = self.loop_from(id, start, fixed);
        // Otherwise the lookup of some iteration is the first that finds them.
        let is_first = is_copied || !was_found;
        if outcome != LoopOutcome::Ends && is_first && !self.repeats_from_other_statuses(id, entry, fixed) {
            outcome = LoopOutcome::Ends;
        }
        // The cases have other statuses until an iteration finds these; and if there are copies that were made before the
        // loop, these may contain the statuses as well.
        let may_change = fixed.iter().all(|fixed| entry.may_differ(fixed.variable, fixed.status));
        for (is_found, is_possible) in [(true, is_copied && was_found), (false, may_change)] {
            if !is_possible || matches!(outcome, LoopOutcome::NeverEnds(_)) {
                continue;
            }
            let mut start = entry.clone();
            for &FixedStatus { variable, status } in fixed {
                start.refine_with_copies(variable, status, is_found);
                start.empty_if_unset(entry, variable);
            }
            let other = self.loop_from(id, start, fixed);
            if other != LoopOutcome::Ends {
                outcome = other;
            }
        }
        Some(outcome)
    }

    /// Whether a loop that is entered with other statuses may repeat after the lookups of one iteration have found these.
    fn repeats_from_other_statuses(
        &self,
        id: ActivityId,
        entry: &AbstractState<'p>,
        fixed: &[FixedStatus<'p>],
    ) -> bool {
        let mut start = entry.clone();
        for &FixedStatus { variable, status } in fixed {
            start.write(variable, AbstractValue::Not([status].into()), id);
            start.empty_if_unset(entry, variable);
        }
        if !self.assume_condition(id, &mut start) {
            return false;
        }
        let paths = Interpreter::new(self).run_loop(id, start, fixed);
        let repeats = paths.outcomes.get(&id).is_some_and(|outcomes| outcomes.is_true || outcomes.undecided);
        repeats || paths.is_incomplete
    }

    /// The body of a loop runs because its condition is true; false if it cannot be.
    fn assume_condition(&self, id: ActivityId, start: &mut AbstractState<'p>) -> bool {
        let Some(condition) = self.effects(id).and_then(|effects| effects.condition.as_deref()) else { return true };
        let is_possible = start.evaluate(condition) != Some(false);
        start.assume(condition, true);
        is_possible
    }

    /// What a loop does from this state on.
    fn loop_from(&self, id: ActivityId, mut start: AbstractState<'p>, fixed: &[FixedStatus<'p>]) -> LoopOutcome {
        if !self.assume_condition(id, &mut start) {
            return LoopOutcome::Ends;
        }
        let paths = Interpreter::new(self).until_exit().run_loop(id, start, fixed);
        let reaches = |point: Option<_>| point.is_some_and(|point| paths.reaches(point));
        let inside = self.workflow.activity(id).into_iter().flat_map(|activity| self.workflow.inside(activity));
        let mut terminates = inside.filter(|inner| matches!(inner.kind, ActivityKind::Terminate));
        let ends_order = terminates.any(|terminate| reaches(self.control.point(terminate.id)));
        match (reaches(self.control.point(id)), ends_order || reaches(self.control.after(id))) {
            _ if paths.is_incomplete => LoopOutcome::Unknown,
            (true, false) => {
                let trail = paths.repetition.as_ref().into_iter().flat_map(DecisionTrail::decisions);
                let mut decisions: Vec<Decision> = trail.take(MAX_REPETITION_STEPS).collect();
                decisions.reverse();
                LoopOutcome::NeverEnds(decisions)
            }
            _ => LoopOutcome::Ends,
        }
    }
}
