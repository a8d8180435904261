//! Which scripts build a signing case: those whose `Json` reaches the case of a request, on a feasible path. An Assign that
//! copies a variable passes it on.

use petgraph::graph::NodeIndex;

use super::provider_site::{ProviderSite, parameters_of_kind};
use super::service::AnalyzedService;
use crate::catalog::ParameterKind;
use crate::collections::{HashMap, HashSet, IndexSet};
use crate::diagnostic::FileId;
use crate::graph::{Analysis, Effects, PathQuery, PointsBefore, QueryFacts, VarId, Writer, Written};
use crate::limits::MAX_SEARCH_STEPS;
use crate::model::ActivityId;

/// The Code activities whose `Json` a request may take as its case.
pub fn case_builders(service: &AnalyzedService<'_>) -> HashSet<(FileId, ActivityId)> {
    let mut budget = MAX_SEARCH_STEPS;
    service.workflows.iter().flat_map(|analysis| builders(analysis, &mut budget)).collect()
}

fn builders(analysis: &Analysis<'_>, budget: &mut usize) -> Vec<(FileId, ActivityId)> {
    let mut requests: HashMap<ActivityId, Vec<VarId>> = HashMap::default();
    for site in ProviderSite::of(analysis) {
        for (parameter, _) in parameters_of_kind(&site, ParameterKind::CaseJson) {
            let node = parameter.value.get().and_then(|value| value.target()).map(|(node, _)| node);
            let reads = analysis.effects(site.activity.id).into_iter().flat_map(|effects| &effects.reads);
            if let Some(read) = reads.into_iter().find(|read| Some(read.node) == node) {
                requests.entry(site.activity.id).or_default().push(read.variable);
            }
        }
    }
    let wanted = copied_into(analysis, requests.values().flatten().copied());
    let scripts = analysis.workflow.activities.iter().zip(&analysis.effects).filter(|(_, effects)| {
        let mut writes = effects.writes.own().iter();
        writes.any(|write| write.by == Writer::Script && wanted.contains(&write.variable))
    });
    let unused: HashSet<ActivityId> = scripts.map(|(activity, _)| activity.id).collect();
    if unused.is_empty() {
        return Vec::new();
    }
    let all = unused.clone();
    let mut built = Built {
        analysis,
        before_builders: PointsBefore::new(&analysis.control, unused.iter().copied()),
        before_requests: PointsBefore::new(&analysis.control, requests.keys().copied()),
        requests,
        wanted,
        unused,
        held: IndexSet::default(),
    };
    // Beyond the budget, all scripts count.
    let is_complete = analysis.follow(&mut built, budget);
    all.into_iter().filter(|id| !is_complete || !built.unused.contains(id)).map(|id| (analysis.file, id)).collect()
}

/// These variables, and all that Assigns copy to them, whatever their order.
fn copied_into(analysis: &Analysis<'_>, variables: impl Iterator<Item = VarId>) -> HashSet<VarId> {
    let mut open: Vec<VarId> = variables.collect();
    let mut sources: HashMap<VarId, Vec<VarId>> = HashMap::default();
    let writes = analysis.effects.iter().filter(|_| !open.is_empty()).flat_map(|effects| effects.writes.own());
    for write in writes {
        if let Written::Copy(from) = write.value {
            sources.entry(write.variable).or_default().push(from);
        }
    }
    let mut found = HashSet::default();
    while let Some(variable) = open.pop() {
        if found.insert(variable) {
            open.extend(sources.get(&variable).into_iter().flatten());
        }
    }
    found
}

/// The facts are pairs of a variable and the script whose `Json` it holds.
struct Built<'q, 'p> {
    analysis: &'q Analysis<'p>,
    requests: HashMap<ActivityId, Vec<VarId>>,
    /// The variables that a request takes its case from, or from which these are copied.
    wanted: HashSet<VarId>,
    /// The scripts whose `Json` has reached no request yet.
    unused: HashSet<ActivityId>,
    before_builders: PointsBefore,
    before_requests: PointsBefore,
    /// The facts, by number.
    held: IndexSet<(VarId, ActivityId)>,
}

impl Built<'_, '_> {
    fn fact(&mut self, variable: VarId, script: ActivityId) -> u32 {
        u32::try_from(self.held.insert_full((variable, script)).0).unwrap_or(u32::MAX)
    }

    /// The scripts whose `Json` a variable holds.
    fn scripts(&self, variable: VarId, facts: &QueryFacts) -> Vec<ActivityId> {
        let held = facts.ids().filter_map(|fact| self.held.get_index(fact as usize));
        held.filter(|(holder, _)| *holder == variable).map(|(_, script)| *script).collect()
    }
}

impl PathQuery for Built<'_, '_> {
    fn run(&mut self, id: ActivityId, failed: bool, facts: &mut QueryFacts) {
        for &variable in self.requests.get(&id).into_iter().flatten() {
            for script in self.scripts(variable, facts) {
                self.unused.remove(&script);
            }
        }
        let Some(effects) = self.analysis.effects(id).filter(|_| !failed) else { return };
        for write in effects.writes.own() {
            if !self.wanted.contains(&write.variable) {
                continue;
            }
            let new = match (write.by, write.value) {
                (Writer::Script, _) => vec![id],
                (_, Written::Copy(from)) => self.scripts(from, facts),
                _ => Vec::new(),
            };
            if overwrites(effects, write.variable) {
                let is_old =
                    |fact: u32| self.held.get_index(fact as usize).is_some_and(|(it, _)| *it == write.variable);
                facts.retain(|fact| !is_old(fact));
            }
            for script in new {
                facts.set(self.fact(write.variable, script), 0);
            }
        }
    }

    fn concerns(&self, id: ActivityId) -> bool {
        let writes = self.analysis.effects(id).into_iter().flat_map(|effects| effects.writes.own());
        self.requests.contains_key(&id) || writes.into_iter().any(|write| self.wanted.contains(&write.variable))
    }

    fn is_over(&self, point: NodeIndex, facts: &QueryFacts) -> bool {
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
