//! The sinks that taint reaches on a feasible path.

use std::cell::Cell;
use std::collections::BTreeSet;

use petgraph::graph::NodeIndex;

use super::analysis::{TaintAnalysis, equal_to_literal};
use super::path::{TaintPath, TaintSource, TaintStep};
use super::policy::Transfer;
use crate::collections::HashMap;
use crate::graph::control::Flow;
use crate::graph::effects::{VarId, Writer};
use crate::graph::path_query::{Facts, PathQuery};
use crate::graph::points_before::PointsBefore;
use crate::model::ActivityId;

/// The sinks that taint reaches, each an activity and a variable that it reads, with a path of the taint.
pub type FeasiblePaths = HashMap<(ActivityId, VarId), TaintPath>;

impl TaintAnalysis<'_, '_> {
    /// Which of these sinks taint reaches on a feasible path. `None` if no condition excludes a path, so that it reaches
    /// each that [`Self::is_tainted`] says, or if there are too many paths to follow.
    pub fn feasible_paths(
        &self,
        sinks: impl Iterator<Item = (ActivityId, VarId)>,
        budget: &Cell<usize>,
    ) -> Option<FeasiblePaths> {
        if !self.analysis.has_infeasible_paths() {
            return None;
        }
        let mut open: HashMap<ActivityId, Vec<VarId>> = HashMap::default();
        for (activity, variable) in sinks {
            open.entry(activity).or_default().push(variable);
        }
        if open.is_empty() {
            return Some(FeasiblePaths::default());
        }
        let mut left = budget.get();
        let before_sinks = PointsBefore::new(&self.analysis.control, open.keys().copied());
        let (origins, found) = (Vec::new(), FeasiblePaths::default());
        let mut query = Query { taint: self, open, before_sinks, origins, found, left };
        let followed = self.analysis.follow(&mut query, &mut left);
        budget.set(query.left.min(left));
        (followed.is_complete && query.left > 0).then_some(query.found)
    }
}

/// How a variable got its taint.
#[derive(Clone, Copy)]
enum Origin {
    Source(TaintSource),
    /// By a step from a variable with an earlier origin.
    Step(TaintStep, u32),
}

/// The facts are the tainted variables.
struct Query<'q, 'a, 'p> {
    taint: &'q TaintAnalysis<'a, 'p>,
    /// The sinks that are not found yet.
    open: HashMap<ActivityId, Vec<VarId>>,
    before_sinks: PointsBefore,
    origins: Vec<Origin>,
    found: FeasiblePaths,
    /// Writes that it may still look at.
    left: usize,
}

/// What a write does to the fact that its variable is tainted.
enum Change {
    Clear,
    Taint(Origin),
}

impl Query<'_, '_, '_> {
    fn add_origin(&mut self, origin: Origin) -> u32 {
        self.origins.push(origin);
        u32::try_from(self.origins.len() - 1).unwrap_or(u32::MAX)
    }

    fn find_sinks(&mut self, activity: ActivityId, facts: &Facts) {
        let Some(mut open) = self.open.remove(&activity) else { return };
        open.retain(|&variable| match facts.get(variable.0) {
            Some(origin) => {
                if let Some(path) = self.path(origin) {
                    self.found.insert((activity, variable), path);
                }
                false
            }
            None => true,
        });
        if !open.is_empty() {
            self.open.insert(activity, open);
        }
    }

    fn path(&self, mut origin: u32) -> Option<TaintPath> {
        let mut steps = Vec::new();
        loop {
            match *self.origins.get(origin as usize)? {
                Origin::Source(source) => {
                    steps.reverse();
                    return Some(TaintPath { source, steps });
                }
                Origin::Step(step, previous) => {
                    steps.push(step);
                    origin = previous;
                }
            }
        }
    }

    /// What the last write of each tracked variable does.
    fn changes(&mut self, id: ActivityId, failed: bool, facts: &Facts) -> Vec<(VarId, Change)> {
        let Some((activity, effects)) = self.taint.activity(id) else { return Vec::new() };
        self.left = self.left.saturating_sub(effects.writes.len().min(self.taint.tracked().len()));
        let writes = effects.writes.to_some(self.taint.tracked());
        // A call that fails writes only its `providerResult`.
        let writes = writes.filter(|write| !failed || write.by == Writer::ProviderResult);
        let variables: BTreeSet<VarId> = writes.map(|write| write.variable).collect();
        let changes = variables.into_iter().filter_map(|into| {
            let (index, write) = effects.writes.last_to(into)?;
            let change = match self.taint.transfer(activity, write) {
                Transfer::Taint => Change::Taint(Origin::Source(TaintSource::Write(id, index))),
                Transfer::Propagate => {
                    let mut inputs = self.taint.propagation.inputs(id).iter();
                    let step = inputs.find_map(|&read| {
                        let previous = facts.get(effects.reads.get(read)?.variable.0)?;
                        Some(Origin::Step(TaintStep { activity: id, read, into }, previous))
                    });
                    step.map_or(Change::Clear, Change::Taint)
                }
                Transfer::Clear => Change::Clear,
                Transfer::Keep => return None,
            };
            Some((into, change))
        });
        changes.collect()
    }
}

impl PathQuery for Query<'_, '_, '_> {
    fn start(&mut self, facts: &mut Facts) {
        let taint = self.taint;
        for variable in taint.tracked().filter(|&variable| taint.is_tainted_at_start(variable)) {
            let origin = self.add_origin(Origin::Source(TaintSource::Start(variable)));
            facts.set(variable.0, origin);
        }
    }

    fn run(&mut self, activity: ActivityId, failed: bool, facts: &mut Facts) {
        self.find_sinks(activity, facts);
        for (variable, change) in self.changes(activity, failed, facts) {
            match change {
                Change::Clear => facts.retain(|id| id != variable.0),
                Change::Taint(origin) => {
                    let origin = self.add_origin(origin);
                    facts.set(variable.0, origin);
                }
            }
        }
    }

    fn branch(&mut self, activity: ActivityId, holds: bool, facts: &mut Facts) {
        let condition = self.taint.activity(activity).and_then(|(_, effects)| effects.condition.as_deref());
        let flow = if holds { Flow::True } else { Flow::False };
        if let Some(cleared) = condition.and_then(|condition| equal_to_literal(condition, flow)) {
            facts.retain(|id| id != cleared.0);
        }
    }

    fn is_over(&self, point: NodeIndex, _facts: &Facts) -> bool {
        !self.before_sinks.contains(point)
    }

    fn is_done(&self) -> bool {
        self.open.is_empty() || self.left == 0
    }
}
