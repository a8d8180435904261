//! Analyzes the workflows of a service: effects, usage of variables, then abstract interpretation.

use super::analysis::Analysis;
use super::collector::WorkflowEffects;
use super::effects::{Effects, OpaqueActivities, Writer};
use super::interpreter::Interpreter;
use super::path_query::PathQuery;
use super::scope::Scope;
use super::start::BeforeStart;
use super::usage::Usage;
use crate::project::ServiceModel;

/// `scopes` are by workflow and `form_scopes` by form.
pub fn analyze<'p>(
    model: &'p ServiceModel<'p>,
    scopes: Vec<Scope<'p>>,
    form_scopes: &[Scope<'p>],
    opaque: &OpaqueActivities,
) -> (Vec<Analysis<'p>>, Usage<'p>) {
    let mut usage = Usage::of_forms(model, form_scopes);
    let documents = model.workflows.iter().zip(scopes);
    let mut workflows: Vec<WorkflowEffects<'p>> = documents
        .map(|(document, scope)| WorkflowEffects::collect((model, form_scopes), document, scope, opaque))
        .collect();
    for workflow in &workflows {
        usage.add_activities(workflow.document.file, &workflow.names, &workflow.effects);
        if workflow.document.workflow.roots.is_unknown() {
            let mut unread = Effects::default();
            unread.make_opaque();
            usage.add_activities(workflow.document.file, &workflow.names, &[unread]);
        }
    }
    // Mistyped outputs need the usage of the whole service, and change it. The interpreter needs the result.
    for workflow in &mut workflows {
        workflow.attribute_mistyped_outputs(&usage);
    }
    for WorkflowEffects { document, names, mistyped, .. } in &workflows {
        for output in mistyped {
            usage.add_write(document.file, names, output.variable, Writer::Output { is_status: false });
        }
    }
    let before = BeforeStart::of(model, form_scopes);
    let analyses = workflows
        .into_iter()
        .map(|workflow| {
            let mut analysis = Analysis::new(&before, workflow, &usage);
            analysis.explore();
            analysis
        })
        .collect();
    (analyses, usage)
}

impl Analysis<'_> {
    fn explore(&mut self) {
        let mut paths = Interpreter::new(self).run();
        if paths.has_to_be_explained() {
            paths.explain(Interpreter::new(self).explaining().run());
        }
        self.paths = paths;
    }

    /// Follows all feasible paths; it explores no more than `budget` entries of states, which it reduces. Where that is not
    /// enough, or no condition excludes a path, all paths to a point share one state: what the query finds, it may then
    /// find on excluded paths. Returns whether it has followed all, or until nothing more could be found out.
    pub fn follow(&self, query: &mut dyn PathQuery, budget: &mut usize) -> bool {
        if self.has_infeasible_paths() {
            let mut apart = *budget / 2;
            *budget -= apart;
            let is_complete = Interpreter::new(self).run_query(query, &mut apart);
            *budget += apart;
            if is_complete {
                return true;
            }
        }
        self.follow_merged(query, budget)
    }

    /// As [`Self::follow`], with one state at each point.
    pub(super) fn follow_merged(&self, query: &mut dyn PathQuery, budget: &mut usize) -> bool {
        Interpreter::new(self).merging().run_query(query, budget)
    }

    /// Whether conditions exclude some paths through the control-flow graph.
    pub(super) fn has_infeasible_paths(&self) -> bool {
        let mut outcomes = self.paths.outcomes.values();
        let has_known = self.paths.has_unions || outcomes.any(|outcomes| outcomes.is_true || outcomes.is_false);
        has_known && !self.paths.is_incomplete
    }
}
