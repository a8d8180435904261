//! Loops that no path leaves, Ifs that end the order on every path, and the conditions that are constant because of that:
//! the paths that would bring another value never get there.

use crate::collections::HashMap;
use crate::document::NodeId;
use crate::graph::{Analysis, Reason, VarId};
use crate::model::{Activity, ActivityId, ActivityKind};

/// Maximum number of loops, and of Ifs, that are considered for one variable of a condition, the nearest first.
const MAX_NEAREST: usize = 16;

/// Whether an activity is a loop that no path leaves.
pub fn is_endless(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    let is_left = analysis.control.after(activity.id).is_some_and(|after| analysis.paths.reaches(after));
    matches!(activity.kind, ActivityKind::While { .. }) && !is_left
}

/// The condition of an If that is always true, and whose activities never lead past it.
pub fn always_ends(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Option<NodeId> {
    let ActivityKind::If { expression } = &activity.kind else { return None };
    let is_passed = analysis.control.after(activity.id).is_some_and(|after| analysis.paths.reaches(after));
    expression.unboxed().filter(|_| analysis.reaches(activity.id) && !is_passed).map(|expression| expression.node)
}

/// The loops that some path enters and none leaves, and the Ifs that end the order on every path.
pub struct DeadEnds<'c, 'a> {
    pub analysis: &'c Analysis<'a>,
    loops: ByVariable<'c, 'a>,
    ifs: ByVariable<'c, 'a>,
}

impl<'c, 'a> DeadEnds<'c, 'a> {
    pub fn of(analysis: &'c Analysis<'a>) -> Self {
        let activities = || analysis.workflow.activities.iter();
        let loops = activities().filter(|activity| analysis.reaches(activity.id) && is_endless(analysis, activity));
        let ifs = activities().filter(|activity| always_ends(analysis, activity).is_some());
        Self { analysis, loops: ByVariable::of(analysis, loops), ifs: ByVariable::of(analysis, ifs) }
    }

    /// The loops before a While or If because of which its condition may have the same outcome on all paths; none if it
    /// has not.
    pub fn deciding(&self, activity: &Activity<'_>) -> Vec<&'c Activity<'a>> {
        self.loops.before(self.analysis, activity)
    }

    /// As [`Self::deciding`]: the conditions of Ifs.
    pub fn deciding_conditions(&self, activity: &Activity<'_>) -> impl Iterator<Item = NodeId> {
        self.ifs.before(self.analysis, activity).into_iter().filter_map(|ending| always_ends(self.analysis, ending))
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

/// Activities that no path leads past, by the variables that decide whether a path gets to them, or that are written on
/// the path there. In document order.
struct ByVariable<'c, 'a>(HashMap<VarId, Vec<&'c Activity<'a>>>);

impl<'c, 'a> ByVariable<'c, 'a> {
    fn of(analysis: &Analysis<'_>, activities: impl Iterator<Item = &'c Activity<'a>>) -> Self
    where
        'a: 'c,
    {
        let mut by_variable: HashMap<VarId, Vec<&'c Activity<'a>>> = HashMap::default();
        for activity in activities {
            for variable in variables_before(analysis, activity) {
                let known = by_variable.entry(variable).or_default();
                if known.last().is_none_or(|last| last.id != activity.id) {
                    known.push(activity);
                }
            }
        }
        Self(by_variable)
    }

    /// Those before a While or If whose condition has the same outcome on all paths, by the variables that it compares.
    fn before(&self, analysis: &Analysis<'_>, activity: &Activity<'_>) -> Vec<&'c Activity<'a>> {
        let outcomes = analysis.paths.outcomes.get(&activity.id);
        let is_constant = outcomes.is_some_and(|outcomes| outcomes.is_constant());
        let condition = analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref());
        let variables = condition.filter(|_| is_constant).into_iter().flat_map(|condition| condition.variables());
        let nearest = |variable| {
            let known = self.0.get(&variable).map_or(&[][..], Vec::as_slice);
            let end = known.partition_point(|ending| ending.id < activity.id);
            known.iter().take(end).rev().take(MAX_NEAREST).copied()
        };
        variables.flat_map(nearest).collect()
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

/// The variables of the conditions and Approvals around an activity, and those written before it in its branch.
fn variables_before(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Vec<VarId> {
    let mut variables = Vec::new();
    let mut is_in_branch = true;
    let mut inner = activity.id;
    for ancestor in analysis.workflow.ancestors(activity) {
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
