//! Which scripts build a signing case: those whose `Json` reaches the case of a request.
//!
//! A backward may-analysis over the control-flow graph, like liveness: a variable is *wanted* at a point if a path leads
//! from there to a request that takes its case from it, and nothing on that path overwrites it. An Assign that copies a
//! variable passes the want on to it. Where conditions exclude some paths, a query then follows what each script builds
//! on the others.

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::provider_site::{ProviderSite, parameters_of_kind};
use super::service::AnalyzedService;
use crate::catalog::ParameterKind;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::graph::{Analysis, Effects, Facts, MAX_QUERY_COST, PathQuery, PointsBefore, Step, VarId, Writer, Written};
use crate::model::{ActivityId, ActivityKind};

/// The Code activities whose `Json` a request may take as its case.
pub fn case_builders(service: &AnalyzedService<'_>) -> HashSet<(FileId, ActivityId)> {
    // Beyond the budget, paths that conditions exclude count as well.
    let mut budget = MAX_QUERY_COST;
    service.workflows.iter().flat_map(|analysis| builders(analysis, &mut budget)).collect()
}

fn builders(analysis: &Analysis<'_>, budget: &mut usize) -> Vec<(FileId, ActivityId)> {
    let mut requests: HashMap<ActivityId, Vec<VarId>> = HashMap::default();
    for site in ProviderSite::of(analysis) {
        let variables = parameters_of_kind(&site, ParameterKind::CaseJson).filter_map(|(parameter, _)| {
            let (node, _) = parameter.value.get()?.target()?;
            let reads = &analysis.effects(site.activity.id)?.reads;
            Some(reads.iter().find(|read| read.node == node)?.variable)
        });
        let variables: Vec<VarId> = variables.collect();
        if !variables.is_empty() {
            requests.insert(site.activity.id, variables);
        }
    }
    if requests.is_empty() {
        return Vec::new();
    }
    let wanted = Wanted { analysis, known: HashSet::default(), worklist: Vec::new() };
    let (mut builders, wanted) = wanted.find(&requests);
    let facts = builders.len().checked_mul(analysis.names.len());
    let can_number = facts.is_some_and(|facts| u32::try_from(facts).is_ok());
    if !builders.is_empty() && can_number && analysis.has_infeasible_paths() {
        let mut built = Built::new(analysis, &requests, wanted, builders.iter().copied());
        if analysis.follow(&mut built, budget).is_complete {
            builders.retain(|id| !built.unused.contains(id));
        }
    }
    builders.into_iter().map(|id| (analysis.file, id)).collect()
}

struct Wanted<'q, 'p> {
    analysis: &'q Analysis<'p>,
    /// The variables that are wanted before a point.
    known: HashSet<(NodeIndex, VarId)>,
    worklist: Vec<(NodeIndex, VarId)>,
}

impl Wanted<'_, '_> {
    /// The scripts, and the variables that are wanted anywhere.
    fn find(mut self, requests: &HashMap<ActivityId, Vec<VarId>>) -> (HashSet<ActivityId>, HashSet<VarId>) {
        for (id, variables) in requests {
            if let Some(point) = self.analysis.control.point(*id).filter(|point| self.analysis.paths.reaches(*point)) {
                for &variable in variables {
                    self.want(point, variable);
                }
            }
        }
        let mut builders = HashSet::default();
        while let Some((point, variable)) = self.worklist.pop() {
            let before: Vec<NodeIndex> =
                self.analysis.control.graph.neighbors_directed(point, Direction::Incoming).collect();
            for earlier in before {
                self.step_back(earlier, variable, &mut builders);
            }
        }
        (builders, self.known.into_iter().map(|(_, variable)| variable).collect())
    }

    fn want(&mut self, before: NodeIndex, variable: VarId) {
        if self.analysis.paths.reaches(before) && self.known.insert((before, variable)) {
            self.worklist.push((before, variable));
        }
    }

    /// A variable is wanted after a point.
    fn step_back(&mut self, point: NodeIndex, variable: VarId, builders: &mut HashSet<ActivityId>) {
        let step = self.analysis.control.graph.node_weight(point);
        let run = match step {
            Some(&Step::Run(id)) => self.analysis.workflow.activity(id).zip(self.analysis.effects(id)),
            _ => None,
        };
        let Some((activity, effects)) = run else { return self.want(point, variable) };
        for write in effects.writes.to(variable) {
            match (write.by, write.value) {
                (Writer::Script, _) if self.analysis.paths.reaches(point) => {
                    builders.insert(activity.id);
                }
                (_, Written::Copy(from)) => self.want(point, from),
                _ => {}
            }
        }
        let may_fail = matches!(&activity.kind, ActivityKind::Provider(provider) if !provider.stops_on_error());
        if may_fail || !overwrites(effects, variable) {
            self.want(point, variable);
        }
    }
}

/// The facts are pairs of a variable and the script whose `Json` it holds.
struct Built<'q, 'p> {
    analysis: &'q Analysis<'p>,
    requests: &'q HashMap<ActivityId, Vec<VarId>>,
    /// The variables that a request takes its case from, or from which these are copied.
    wanted: HashSet<VarId>,
    /// In the order of the document.
    builders: Vec<ActivityId>,
    /// Those whose `Json` has reached no request yet.
    unused: HashSet<ActivityId>,
    before_builders: PointsBefore,
    before_requests: PointsBefore,
}

impl<'q, 'p> Built<'q, 'p> {
    fn new(
        analysis: &'q Analysis<'p>,
        requests: &'q HashMap<ActivityId, Vec<VarId>>,
        wanted: HashSet<VarId>,
        builders: impl Iterator<Item = ActivityId>,
    ) -> Self {
        let unused: HashSet<ActivityId> = builders.collect();
        let mut builders: Vec<ActivityId> = unused.iter().copied().collect();
        builders.sort_unstable();
        let before_builders = PointsBefore::new(&analysis.control, builders.iter().copied());
        let before_requests = PointsBefore::new(&analysis.control, requests.keys().copied());
        Self { analysis, requests, wanted, builders, unused, before_builders, before_requests }
    }

    fn fact(&self, variable: VarId, builder: usize) -> u32 {
        let fact = (variable.0 as usize).saturating_mul(self.builders.len()).saturating_add(builder);
        u32::try_from(fact).unwrap_or(u32::MAX)
    }

    /// The scripts whose `Json` a variable holds, as indices.
    fn built(&self, variable: VarId, facts: &Facts) -> Vec<usize> {
        let first = self.fact(variable, 0);
        let builders = facts.ids().filter_map(|fact| usize::try_from(fact.checked_sub(first)?).ok());
        builders.filter(|&builder| builder < self.builders.len()).collect()
    }
}

impl PathQuery for Built<'_, '_> {
    fn run(&mut self, id: ActivityId, failed: bool, facts: &mut Facts) {
        for &variable in self.requests.get(&id).into_iter().flatten() {
            for builder in self.built(variable, facts) {
                if let Some(id) = self.builders.get(builder) {
                    self.unused.remove(id);
                }
            }
        }
        let Some(effects) = self.analysis.effects(id).filter(|_| !failed) else { return };
        for write in effects.writes.own().iter().filter(|write| self.wanted.contains(&write.variable)) {
            let new = match (write.by, write.value) {
                (Writer::Script, _) => self.builders.binary_search(&id).into_iter().collect(),
                (_, Written::Copy(from)) => self.built(from, facts),
                _ => Vec::new(),
            };
            if overwrites(effects, write.variable) {
                for old in self.built(write.variable, facts) {
                    let old = self.fact(write.variable, old);
                    facts.retain(|fact| fact != old);
                }
            }
            for builder in new {
                facts.set(self.fact(write.variable, builder), 0);
            }
        }
    }

    fn concerns(&self, id: ActivityId) -> bool {
        self.requests.contains_key(&id)
            || self
                .analysis
                .effects(id)
                .is_some_and(|effects| effects.writes.own().iter().any(|write| self.wanted.contains(&write.variable)))
    }

    fn is_over(&self, point: NodeIndex, facts: &Facts) -> bool {
        !self.before_requests.contains(point) || facts.is_empty() && !self.before_builders.contains(point)
    }

    fn is_done(&self) -> bool {
        self.unused.is_empty()
    }
}

/// Whether an activity that does not fail always replaces the value of a variable.
fn overwrites(effects: &Effects<'_>, variable: VarId) -> bool {
    let mut writes = effects.writes.to(variable).filter(|write| !write.guessed);
    writes.any(|write| write.by != Writer::Form)
}
