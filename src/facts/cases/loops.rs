//! Whiles: what their bodies write and look up, and whether they end.

use std::collections::BTreeSet;

use crate::catalog::Status;
use crate::facts::cases::statuses::CaseStatuses;
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, Condition, Effects, LoopOutcome, OperandValue, Receiver, VarId, Write, Writer, Written};
use crate::model::{Activity, ActivityKind, Literal};

/// Maximum number of case status variables of one loop whose statuses are simulated.
pub const MAX_AWAITED: usize = 64;
/// Case status variables whose final statuses are combined.
const MAX_COMBINED: usize = 4;

/// Stands for every status that the workflow does not name.
pub const OTHER_STATUS: &str = "\u{0}";

/// Variables with one status each.
pub type VariableStatuses<'a> = Vec<(VarId, &'a str)>;

#[derive(Clone, Copy)]
pub struct Loop<'c, 'a> {
    pub analysis: &'c Analysis<'a>,
    pub activity: &'c Activity<'a>,
    pub statuses: &'c CaseStatuses<'a>,
}

/// Every loop that can be read completely, by workflow, in document order.
pub fn loops<'c, 'a>(
    service: &'c AnalyzedService<'a>,
    statuses: &'c [CaseStatuses<'a>],
) -> impl Iterator<Item = Loop<'c, 'a>> {
    service.workflows.iter().zip(statuses).flat_map(|(analysis, statuses)| {
        let loops = analysis.workflow.loops().map(move |activity| Loop { analysis, activity, statuses });
        // An activity that cannot be read may be the one that ends the loop.
        let loops = loops.filter(|while_loop| !while_loop.with_body().any(|inner| inner.children.is_unknown()));
        let left_out = analysis.workflow.left_out();
        loops.filter(move |while_loop| !while_loop.may_be_ended_by(&left_out))
    })
}

impl<'c, 'a> Loop<'c, 'a> {
    /// Whether an Event of an activity of a declared type, which may run at any time after that began, may end the loop.
    fn may_be_ended_by(&self, left_out: &[bool]) -> bool {
        let variables: Vec<VarId> = self.condition().into_iter().flat_map(Condition::variables).collect();
        let all = self.analysis.workflow.activities.iter().zip(left_out).zip(&self.analysis.effects);
        let mut before = all.filter(|((activity, is_left_out), _)| **is_left_out && activity.id < self.activity.end);
        before.any(|((activity, _), effects)| {
            may_end_order(activity)
                || effects.may_write.is_some()
                || effects.writes.iter().any(|write| variables.contains(&write.variable))
        })
    }

    pub fn condition(&self) -> Option<&'c Condition<'a>> {
        self.analysis.effects(self.activity.id)?.condition.as_deref()
    }

    /// Whether the condition and both its operands are known.
    pub fn condition_is_known(&self) -> bool {
        self.condition().is_some_and(|condition| {
            condition.left != OperandValue::Unknown && condition.right != OperandValue::Unknown
        })
    }

    pub fn body(&self) -> impl Iterator<Item = &'c Activity<'a>> + use<'c, 'a> {
        self.analysis.workflow.inside(self.activity)
    }

    fn with_body(&self) -> impl Iterator<Item = &'c Activity<'a>> + use<'c, 'a> {
        std::iter::once(self.activity).chain(self.body())
    }

    fn body_effects(&self) -> impl Iterator<Item = (&'c Activity<'a>, &'c Effects<'a>)> + use<'c, 'a> {
        let analysis = self.analysis;
        self.body().filter_map(move |inner| Some((inner, analysis.effects(inner.id)?)))
    }

    /// Whether some path may enter the body.
    pub fn is_entered(&self) -> bool {
        let outcomes = self.analysis.paths.outcomes.get(&self.activity.id);
        outcomes.is_some_and(|outcomes| outcomes.is_true || outcomes.undecided)
    }

    /// Whether the condition is never false.
    pub fn is_always_true(&self) -> bool {
        let outcomes = self.analysis.paths.outcomes.get(&self.activity.id);
        outcomes.is_some_and(|outcomes| outcomes.is_true && !outcomes.is_false && !outcomes.undecided)
    }

    /// Whether the body writes a variable, or may.
    pub fn writes(&self, variable: VarId) -> bool {
        let name = self.analysis.names.name(variable);
        self.body_effects().any(|(_, effects)| {
            effects.may_write.is_some_and(|prefix| name.starts_with(prefix))
                || effects.writes.to(variable).next().is_some()
        })
    }

    /// Whether a variable may have another value in a later iteration: the body writes it, or the platform, which changes
    /// its own variables. Only a call writes a common output such as `ZPActivityStatus`.
    pub fn may_change(&self, variable: VarId) -> bool {
        self.writes(variable) || self.is_provided(variable)
    }

    fn is_provided(&self, variable: VarId) -> bool {
        self.analysis.scope.is_provided(self.analysis.names.name(variable))
    }

    /// Whether the condition compares a variable of the platform.
    pub fn compares_provided(&self) -> bool {
        self.condition().is_some_and(|condition| condition.variables().any(|variable| self.is_provided(variable)))
    }

    /// As [`Self::writes`], but without lost outputs whose names are similar: these do not reach the variable.
    pub fn writes_by_intent(&self, variable: VarId) -> bool {
        let name = self.analysis.names.name(variable);
        self.body_effects().any(|(_, effects)| {
            let is_lost = |write: &Write<'_>| write.guessed && matches!(write.by, Writer::Output { .. });
            effects.may_write.is_some_and(|prefix| name.starts_with(prefix))
                || effects.writes.to(variable).any(|write| !is_lost(write))
        })
    }

    /// The case status variable that the condition compares: one that a lookup writes, or one that is named like the
    /// status of a lookup in the body and compared with one of its statuses.
    pub fn compared_status(&self) -> Option<VarId> {
        let condition = self.condition()?;
        condition.variables().find(|&variable| {
            self.statuses.variables.contains_key(&variable)
                || matches!(condition.operand_beside(variable), Some(OperandValue::Literal(Literal::Text(status)))
                    if self.is_named_as_status(variable, status))
        })
    }

    /// Whether the loop compares the status with a string that is near to this one.
    pub fn misspells(&self, variable: VarId, status: &str) -> bool {
        let is_inside = |id| self.activity.id <= id && id < self.activity.end;
        let mut unknown = self.statuses.unknown.iter();
        unknown.any(|it| it.variable == variable && it.near == Some(status) && is_inside(it.activity))
    }

    /// The case status of which the condition compares a copy, if the body writes nothing besides that status to the copy.
    pub fn compared_copy(&self) -> Option<VarId> {
        let copied = |compared: VarId| {
            let name = self.analysis.names.name(compared);
            let mut copied = None;
            for (_, effects) in self.body_effects() {
                let may_write = effects.may_write.is_some_and(|prefix| name.starts_with(prefix));
                for write in effects.writes.to(compared) {
                    let Written::Copy(from) = write.value else { return None };
                    if *copied.get_or_insert(from) != from {
                        return None;
                    }
                }
                if may_write {
                    return None;
                }
            }
            copied.filter(|from| self.statuses.variables.contains_key(from))
        };
        self.condition()?.variables().find_map(copied)
    }

    fn is_named_as_status(&self, variable: VarId, status: &str) -> bool {
        let name = self.analysis.names.name(variable);
        self.body_effects().filter_map(|(_, effects)| effects.provider.as_ref()).any(|provider| {
            provider.outputs.iter().any(|output| output.is_status && name.ends_with(output.property))
                && provider.method.is_some_and(|method| method.statuses().any(|known| known.value == status))
        })
    }

    /// The status lookups in the body, each with the status variables that it writes.
    pub fn lookups(&self) -> impl Iterator<Item = (&'c Activity<'a>, Vec<VarId>)> + use<'c, 'a> {
        self.body_effects().filter_map(|(activity, effects)| {
            let outputs = &effects.provider.as_ref()?.outputs;
            let is_status = |write: &&Write<'_>| write.by == Writer::Output { is_status: true } && !write.guessed;
            let written = effects.writes.own().iter().filter(is_status).map(|write| write.variable).collect();
            outputs.iter().any(|output| output.is_status).then_some((activity, written))
        })
    }

    /// The first lookup in the body that writes a status variable.
    pub fn lookup_of(&self, variable: VarId) -> Option<&'c Activity<'a>> {
        self.lookups().find(|(_, written)| written.contains(&variable)).map(|(lookup, _)| lookup)
    }

    /// The names of a lookup's statuses that no variable receives.
    pub fn lost_statuses(&self, lookup: &Activity<'_>) -> Vec<&'c str> {
        let provider = self.analysis.effects(lookup.id).and_then(|effects| effects.provider.as_ref());
        let outputs = provider.into_iter().flat_map(|provider| &provider.outputs);
        let lost = outputs.filter(|output| output.is_status && output.receiver == Receiver::Missing);
        lost.map(|output| output.name.as_str()).collect()
    }

    /// The case status variables that the loop waits for, with their possible statuses: the body looks them up, and the
    /// condition depends on them. At most [`MAX_AWAITED`].
    pub fn awaited_statuses(&self) -> impl Iterator<Item = (VarId, &'c [&'a Status])> {
        let awaited = self.awaited().into_iter().take(MAX_AWAITED);
        awaited.filter_map(|variable| Some((variable, self.statuses.variables.get(&variable)?.as_slice())))
    }

    /// As [`Self::awaited_statuses`], with the documented final statuses alone.
    pub fn final_statuses(&self) -> impl Iterator<Item = (VarId, Vec<&'a str>)> {
        self.awaited_statuses().map(|(variable, statuses)| {
            let terminal = statuses.iter().filter(|status| status.terminal && status.documented);
            (variable, terminal.map(|status| status.value.as_str()).collect())
        })
    }

    /// All combinations of [`Self::final_statuses`] of a loop that waits for several cases; none of one that waits for
    /// too many.
    pub fn combined_final_statuses(&self) -> Vec<VariableStatuses<'a>> {
        let awaited: Vec<(VarId, Vec<&'a str>)> = self.final_statuses().collect();
        if !(2..=MAX_COMBINED).contains(&awaited.len()) {
            return Vec::new();
        }
        let mut combinations = vec![Vec::new()];
        for (variable, statuses) in &awaited {
            let with =
                |status| combinations.iter().map(move |others| [others.as_slice(), &[(*variable, status)]].concat());
            combinations = statuses.iter().copied().flat_map(with).collect();
        }
        combinations
    }

    /// The final statuses on which the loop never ends: of the first variable that suffices, else of several together.
    pub fn endless_statuses(&self) -> Vec<VariableStatuses<'a>> {
        let never_ends =
            |statuses: &VariableStatuses<'a>| matches!(self.outcome_on_all(statuses), Some(LoopOutcome::NeverEnds(_)));
        let mut of_one = self.final_statuses().map(|(variable, statuses)| -> Vec<_> {
            statuses.into_iter().map(|status| vec![(variable, status)]).filter(never_ends).collect()
        });
        let of_one = of_one.find(|endless| !endless.is_empty());
        of_one.unwrap_or_else(|| self.combined_final_statuses().into_iter().find(never_ends).into_iter().collect())
    }

    /// How many case status variables the loop waits for, if these are more than are followed.
    pub fn too_many_awaited(&self) -> Option<usize> {
        Some(self.awaited().len()).filter(|&awaited| awaited > MAX_AWAITED)
    }

    fn awaited(&self) -> BTreeSet<VarId> {
        let compared: Vec<VarId> = self.condition().into_iter().flat_map(Condition::variables).collect();
        // A condition on another variable that the body writes, such as a flag, may depend on the status too, and so may
        // a Terminate that alone ends the loop.
        let only_terminate_ends = self.is_always_true() || !compared.iter().any(|&variable| self.may_change(variable));
        let depends_on_any =
            compared.iter().any(|&variable| self.writes(variable)) || only_terminate_ends && self.contains_terminate();
        let looked_up = self.lookups().flat_map(|(_, written)| written);
        looked_up.filter(|variable| depends_on_any || compared.contains(variable)).collect()
    }

    /// Whether a variable may have this value when the loop begins.
    pub fn may_begin_with(&self, variable: VarId, value: &str) -> bool {
        self.analysis.may_enter_with(self.activity.id, variable, value)
    }

    /// What the loop does while every lookup of a variable returns this status; `None` if it is never entered.
    pub fn outcome_on(&self, variable: VarId, status: &str) -> Option<LoopOutcome> {
        self.outcome_on_all(&[(variable, status)])
    }

    /// As [`Self::outcome_on`], of several variables.
    pub fn outcome_on_all(&self, statuses: &[(VarId, &str)]) -> Option<LoopOutcome> {
        self.analysis.loop_on_statuses(self.activity.id, statuses)
    }

    /// One of unknown type may end the order as well.
    pub fn contains_terminate(&self) -> bool {
        self.body().any(may_end_order)
    }

    /// Whether some path reaches what [`Self::contains_terminate`] finds.
    pub fn reaches_terminate(&self) -> bool {
        self.body().any(|inner| may_end_order(inner) && self.analysis.reaches(inner.id))
    }
}

fn may_end_order(activity: &Activity<'_>) -> bool {
    matches!(activity.kind, ActivityKind::Terminate | ActivityKind::Unknown { .. })
}
