//! Which scripts build a signing case: those whose `Json` reaches the case of a request.
//!
//! A backward may-analysis over the control-flow graph, like liveness: a variable is *wanted* at a point if a path leads
//! from there to a request that takes its case from it, and nothing on that path overwrites it. An Assign that copies a
//! variable passes the want on to it.

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::provider_site::{ProviderSite, parameters_of_kind};
use super::service::AnalyzedService;
use crate::catalog::ParameterKind;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::graph::{Analysis, Effects, Step, VarId, Writer, Written};
use crate::model::{Activity, ActivityId, ActivityKind};

/// The Code activities whose `Json` a request may take as its case.
pub fn case_builders(service: &AnalyzedService<'_>) -> HashSet<(FileId, ActivityId)> {
    service.workflows.iter().flat_map(builders).collect()
}

fn builders(analysis: &Analysis<'_>) -> Vec<(FileId, ActivityId)> {
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
    Wanted { analysis, known: HashSet::default(), worklist: Vec::new() }.find(&requests)
}

struct Wanted<'q, 'p> {
    analysis: &'q Analysis<'p>,
    /// The variables that are wanted before a point.
    known: HashSet<(NodeIndex, VarId)>,
    worklist: Vec<(NodeIndex, VarId)>,
}

impl Wanted<'_, '_> {
    fn find(mut self, requests: &HashMap<ActivityId, Vec<VarId>>) -> Vec<(FileId, ActivityId)> {
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
        builders.into_iter().map(|id| (self.analysis.file, id)).collect()
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
        if !overwrites(activity, effects, variable) {
            self.want(point, variable);
        }
    }
}

/// Whether an activity always replaces the value of a variable.
fn overwrites(activity: &Activity<'_>, effects: &Effects<'_>, variable: VarId) -> bool {
    let may_fail = matches!(&activity.kind, ActivityKind::Provider(provider) if !provider.stops_on_error());
    let mut writes = effects.writes.to(variable).filter(|write| !write.guessed);
    !may_fail && writes.any(|write| write.by != Writer::Form)
}
