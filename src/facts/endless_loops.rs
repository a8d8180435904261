//! Loops that no path leaves, and the conditions that are constant because of that: the paths that would bring another
//! value never get there.

use crate::collections::HashMap;
use crate::graph::{Analysis, Reason, VarId};
use crate::model::{Activity, ActivityId, ActivityKind};

/// Maximum number of loops that are considered for one variable of a condition, the nearest first.
const MAX_LOOPS: usize = 16;

/// Whether an activity is a loop that no path leaves.
pub fn is_endless(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    let is_left = analysis.control.after(activity.id).is_some_and(|after| analysis.paths.reaches(after));
    matches!(activity.kind, ActivityKind::While { .. }) && !is_left
}

/// The loops that some path enters and none leaves, by the variables that decide whether a path enters them, or that
/// are written on the way there. In document order.
pub struct EndlessLoops<'c, 'a> {
    pub analysis: &'c Analysis<'a>,
    by_variable: HashMap<VarId, Vec<&'c Activity<'a>>>,
}

impl<'c, 'a> EndlessLoops<'c, 'a> {
    pub fn of(analysis: &'c Analysis<'a>) -> Self {
        let mut by_variable: HashMap<VarId, Vec<&'c Activity<'a>>> = HashMap::default();
        let loops = analysis.workflow.loops();
        for endless in loops.filter(|looping| analysis.reaches(looping.id) && is_endless(analysis, looping)) {
            for variable in variables_before(analysis, endless) {
                let loops = by_variable.entry(variable).or_default();
                if loops.last().is_none_or(|last| last.id != endless.id) {
                    loops.push(endless);
                }
            }
        }
        Self { analysis, by_variable }
    }

    /// The loops before a While or If because of which its condition may have the same outcome on all paths; none if it
    /// has not.
    pub fn deciding(&self, activity: &Activity<'_>) -> Vec<&'c Activity<'a>> {
        let outcomes = self.analysis.paths.outcomes.get(&activity.id);
        let is_constant = outcomes.is_some_and(|outcomes| outcomes.is_constant());
        let condition = self.analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref());
        let variables = condition.filter(|_| is_constant).into_iter().flat_map(|condition| condition.variables());
        let before = |variable| {
            let loops = self.by_variable.get(&variable).map_or(&[][..], Vec::as_slice);
            let end = loops.partition_point(|endless| endless.id < activity.id);
            loops.iter().take(end).rev().take(MAX_LOOPS).copied()
        };
        variables.flat_map(before).collect()
    }

    /// The loops inside another one because of which no path leads back to its condition.
    pub fn inside(&self, outer: &'c Activity<'a>) -> Vec<&'c Activity<'a>> {
        let is_loop = matches!(outer.kind, ActivityKind::While { .. });
        if !is_loop || self.analysis.repeats(outer.id) {
            return Vec::new();
        }
        let inside = self.analysis.workflow.inside(outer);
        inside.filter(|inner| self.analysis.reaches(inner.id) && is_endless(self.analysis, inner)).collect()
    }
}

/// The loops before a While or If in which is decided what its condition compares. If one of them never ends on some
/// status, the condition may be constant only because of that.
pub fn loops_that_decide<'c, 'a>(
    analysis: &'c Analysis<'a>,
    activity: &Activity<'_>,
) -> impl Iterator<Item = &'c Activity<'a>> {
    let end = activity.id;
    let decided_by = analysis.paths.reasons.get(&activity.id).into_iter().flatten().filter_map(|reason| match reason {
        Reason::Start(_) => None,
        Reason::Write(_, by) | Reason::Test(by, _) => analysis.workflow.activity(*by),
    });
    let around = decided_by.flat_map(|by| std::iter::once(by).chain(analysis.workflow.ancestors(by)));
    around.filter(move |around| matches!(around.kind, ActivityKind::While { .. }) && around.end <= end)
}

/// The variables of the conditions and Approvals around a loop, and those written before it in its branch.
fn variables_before(analysis: &Analysis<'_>, endless: &Activity<'_>) -> Vec<VarId> {
    let mut variables = Vec::new();
    let mut is_in_branch = true;
    let mut inner = endless.id;
    for ancestor in analysis.workflow.ancestors(endless) {
        if is_in_branch {
            let before = ancestor.children().iter().take_while(|&&child| child < inner);
            variables.extend(before.flat_map(|&child| written(analysis, child)));
        }
        is_in_branch &= matches!(ancestor.kind, ActivityKind::Sequence);
        inner = ancestor.id;
        match ancestor.kind {
            ActivityKind::Approval(_) => variables.extend(written(analysis, ancestor.id)),
            _ => {
                let condition = analysis.effects(ancestor.id).and_then(|effects| effects.condition.as_deref());
                variables.extend(condition.into_iter().flat_map(|condition| condition.variables()));
            }
        }
    }
    variables
}

fn written(analysis: &Analysis<'_>, activity: ActivityId) -> impl Iterator<Item = VarId> {
    let effects = analysis.effects(activity);
    effects.into_iter().flat_map(|effects| effects.writes.own()).map(|write| write.variable)
}
