//! The control-flow graph of a workflow: in which order activities can run.
//!
//! Activities are structured, so the graph is built in one recursive pass in document order. An edge stays open until
//! its target is built.

use petgraph::graph::{DiGraph, NodeIndex};

use super::decisions::{ApprovalEvent, Decisions, Timeout};
use crate::model::{Activity, ActivityId, ActivityKind, Workflow};

/// A point of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Entry,
    /// An activity runs. A While or an If evaluates its condition.
    Run(ActivityId),
    /// People approve or reject an Approval; `None` if that is unknown.
    Decide(ActivityId, Option<bool>),
    /// An Approval is approved or rejected because time is up.
    TimeOut(ActivityId, bool),
    /// The paths through an activity with children join.
    After(ActivityId),
    /// The workflow ends, but not by a Terminate or a failure.
    Exit,
}

/// The kind of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    Next,
    /// Taken if the condition is true.
    True,
    /// Taken if the condition is false.
    False,
    /// From the end of a loop's body to its condition, or from an event to its Approval.
    Back,
}

/// Points are numbered in document order, which the interpreter uses as the order of its worklist.
#[derive(Debug)]
pub struct ControlFlow {
    pub graph: DiGraph<Step, Flow>,
    pub entry: NodeIndex,
    /// The `Run` point, by activity.
    points: Vec<NodeIndex>,
    /// The `After` point, by activity.
    after: Vec<Option<NodeIndex>>,
    /// By point: the first point of the outermost loop around it; itself outside of loops.
    loop_starts: Vec<NodeIndex>,
}

impl ControlFlow {
    /// Recurses into nested activities; the depth limit of documents bounds that.
    pub fn new(workflow: &Workflow<'_>) -> Self {
        let mut graph = DiGraph::new();
        let entry = graph.add_node(Step::Entry);
        let count = workflow.activities.len();
        let flow = Self { graph, entry, points: vec![entry; count], after: vec![None; count], loop_starts: Vec::new() };
        let mut builder = Builder { workflow, flow };
        let roots = workflow.roots.get().map_or(&[][..], Vec::as_slice);
        let last = builder.sequence(roots, Some((entry, Flow::Next)));
        let exit = builder.flow.graph.add_node(Step::Exit);
        builder.connect(last, exit);
        let mut flow = builder.flow;
        // There may be very many small ones.
        flow.graph.shrink_to_fit();
        flow.loop_starts = loop_starts(&flow.graph);
        flow
    }

    /// Where the loops around a point start: no path leads from here, or from later points, to an earlier one.
    pub fn start_of_loops(&self, point: NodeIndex) -> NodeIndex {
        self.loop_starts.get(point.index()).copied().unwrap_or(point)
    }

    /// The `Run` point of an activity.
    pub fn point(&self, activity: ActivityId) -> Option<NodeIndex> {
        self.points.get(activity.0 as usize).copied()
    }

    /// The `After` point of a While, an If or an Approval, and of an activity of unknown type with children.
    pub fn after(&self, activity: ActivityId) -> Option<NodeIndex> {
        self.after.get(activity.0 as usize).copied().flatten()
    }
}

/// One pass from the last point to the first: an edge to an earlier point is a loop, which lasts until that point.
fn loop_starts(graph: &DiGraph<Step, Flow>) -> Vec<NodeIndex> {
    let mut starts: Vec<NodeIndex> = graph.node_indices().collect();
    let mut start = None;
    for point in graph.node_indices().rev() {
        start = graph.neighbors(point).filter(|target| *target <= point).chain(start).min();
        if let Some(entry) = starts.get_mut(point.index()) {
            *entry = start.unwrap_or(point);
        }
        start = start.filter(|start| *start < point);
    }
    starts
}

/// An edge whose target is not built yet; `None` after a Terminate, which no edge leaves.
type OpenEdge = Option<(NodeIndex, Flow)>;

struct Builder<'w, 'd> {
    workflow: &'w Workflow<'d>,
    flow: ControlFlow,
}

impl Builder<'_, '_> {
    fn connect(&mut self, from: OpenEdge, to: NodeIndex) {
        if let Some((from, flow)) = from {
            self.flow.graph.add_edge(from, to, flow);
        }
    }

    /// Chains siblings: the open edge of each one leads to the next.
    fn sequence(&mut self, activities: &[ActivityId], from: OpenEdge) -> OpenEdge {
        activities.iter().fold(from, |from, &id| match self.workflow.activity(id) {
            Some(activity) => self.activity(activity, from),
            None => from,
        })
    }

    fn activity(&mut self, activity: &Activity<'_>, from: OpenEdge) -> OpenEdge {
        let point = self.flow.graph.add_node(Step::Run(activity.id));
        if let Some(entry) = self.flow.points.get_mut(activity.id.0 as usize) {
            *entry = point;
        }
        self.connect(from, point);
        match &activity.kind {
            ActivityKind::Terminate => {
                // Misplaced children (WF010) get points that nothing leads to.
                self.sequence(activity.children(), None);
                None
            }
            ActivityKind::Sequence | ActivityKind::Event { .. } => {
                self.sequence(activity.children(), Some((point, Flow::Next)))
            }
            ActivityKind::While { .. } => {
                let end = self.sequence(activity.children(), Some((point, Flow::True)));
                if let Some((end, flow)) = end {
                    // With an empty body, the condition itself is the end: its edge to itself keeps the kind `True`.
                    let back = if end == point { flow } else { Flow::Back };
                    self.flow.graph.add_edge(end, point, back);
                }
                // The only exit is the false condition.
                Some(self.after(activity.id, &[Some((point, Flow::False))]))
            }
            // There is no "else": a false condition leads past the children.
            ActivityKind::If { .. } => {
                let end = self.sequence(activity.children(), Some((point, Flow::True)));
                Some(self.after(activity.id, &[end, Some((point, Flow::False))]))
            }
            ActivityKind::Approval(_) => Some(self.approval(activity, point)),
            // The types below have children only if these are misplaced or the type is not documented.
            _ if activity.children().is_empty() => Some((point, Flow::Next)),
            // Whether the children of a declared type run is unknown, so there is a path through and one past them.
            ActivityKind::Declared { .. } if !self.has_events(activity) => {
                let end = self.sequence(activity.children(), Some((point, Flow::Next)));
                Some(self.after(activity.id, &[end, Some((point, Flow::Next))]))
            }
            ActivityKind::Declared { .. } | ActivityKind::Unknown { .. } => {
                self.any_number_of_times(activity, point);
                Some(self.after(activity.id, &[Some((point, Flow::Next))]))
            }
            _ => {
                let end = self.sequence(activity.children(), Some((point, Flow::Next)));
                Some(end.unwrap_or((point, Flow::Next)))
            }
        }
    }

    fn has_events(&self, activity: &Activity<'_>) -> bool {
        let mut children = activity.children().iter().filter_map(|&id| self.workflow.activity(id));
        children.any(|child| matches!(child.kind, ActivityKind::Event { .. }))
    }

    /// Joins open edges in the `After` point of an activity.
    fn after(&mut self, activity: ActivityId, ends: &[OpenEdge]) -> (NodeIndex, Flow) {
        let after = self.flow.graph.add_node(Step::After(activity));
        for &end in ends {
            self.connect(end, after);
        }
        if let Some(entry) = self.flow.after.get_mut(activity.0 as usize) {
            *entry = Some(after);
        }
        (after, Flow::Next)
    }

    fn approval(&mut self, activity: &Activity<'_>, point: NodeIndex) -> (NodeIndex, Flow) {
        match Decisions::of(self.workflow, activity) {
            None => (point, Flow::Next),
            Some(Decisions::OfOne { timeout }) => self.approval_of_one(activity, point, timeout),
            Some(Decisions::Undocumented { timeout }) => self.undocumented_approval(activity, point, timeout),
            Some(Decisions::OfSeveral { timeout }) => self.approval_of_several(activity, point, timeout),
        }
    }

    /// One person is asked: at most one event runs, after the decision.
    fn approval_of_one(&mut self, activity: &Activity<'_>, point: NodeIndex, timeout: Timeout) -> (NodeIndex, Flow) {
        let [mut approved, mut rejected] =
            [true, false].map(|decision| Some(self.decide(activity.id, Some(decision), point)));
        for &child in activity.children() {
            let Some(event) = self.workflow.activity(child) else { continue };
            let end = if ApprovalEvent::of(event) == ApprovalEvent::Approve { &mut approved } else { &mut rejected };
            *end = self.activity(event, *end);
        }
        let timed_out = self.time_out(activity.id, point, timeout);
        self.after(activity.id, &[&[approved, rejected], timed_out.as_slice()].concat())
    }

    /// Everybody is asked at once, and one approval is enough. So there are any number of rejections, each running the
    /// reject event and leading back to the Approval. Then it is decided: by an approval, which runs the approve event,
    /// by the last rejection, or by the timeout.
    fn approval_of_several(
        &mut self,
        activity: &Activity<'_>,
        point: NodeIndex,
        timeout: Timeout,
    ) -> (NodeIndex, Flow) {
        let mut approved = Some(self.decide(activity.id, Some(true), point));
        let rejected = self.flow.graph.add_node(Step::Decide(activity.id, Some(false)));
        let mut has_reject_event = false;
        for &child in activity.children() {
            let Some(event) = self.workflow.activity(child) else { continue };
            if ApprovalEvent::of(event) == ApprovalEvent::Approve {
                approved = self.activity(event, approved);
            } else {
                has_reject_event = true;
                let end = self.activity(event, Some((point, Flow::Next)));
                self.connect(end.map(|(end, _)| (end, Flow::Back)), point);
                self.connect(end, rejected);
            }
        }
        if !has_reject_event {
            self.connect(Some((point, Flow::Next)), rejected);
        }
        let timed_out = self.time_out(activity.id, point, timeout);
        self.after(activity.id, &[&[approved, Some((rejected, Flow::Next))], timed_out.as_slice()].concat())
    }

    /// Every event may run any number of times before the decision.
    fn undocumented_approval(
        &mut self,
        activity: &Activity<'_>,
        point: NodeIndex,
        timeout: Timeout,
    ) -> (NodeIndex, Flow) {
        let decisions = [Some(true), Some(false), None].map(|decision| Some(self.decide(activity.id, decision, point)));
        self.any_number_of_times(activity, point);
        let timed_out = self.time_out(activity.id, point, timeout);
        self.after(activity.id, &[decisions.as_slice(), timed_out.as_slice()].concat())
    }

    /// Which children run, how often and in which order is unknown: each leads from the point back to it.
    fn any_number_of_times(&mut self, activity: &Activity<'_>, point: NodeIndex) {
        for &child in activity.children() {
            let Some(child) = self.workflow.activity(child) else { continue };
            let end = self.activity(child, Some((point, Flow::Next)));
            self.connect(end.map(|(end, _)| (end, Flow::Back)), point);
        }
    }

    /// A decision that follows a point.
    fn decide(&mut self, id: ActivityId, decision: Option<bool>, point: NodeIndex) -> (NodeIndex, Flow) {
        let decided = self.flow.graph.add_node(Step::Decide(id, decision));
        self.connect(Some((point, Flow::Next)), decided);
        (decided, Flow::Next)
    }

    /// The decisions of a timeout, after which no event runs.
    fn time_out(&mut self, id: ActivityId, point: NodeIndex, timeout: Timeout) -> Vec<OpenEdge> {
        let decisions: &[bool] = match timeout {
            Timeout::Never => &[],
            Timeout::Rejects => &[false],
            Timeout::Unknown => &[false, true],
        };
        let decide = |&approved: &bool| {
            let timed_out = self.flow.graph.add_node(Step::TimeOut(id, approved));
            self.connect(Some((point, Flow::Next)), timed_out);
            Some((timed_out, Flow::Next))
        };
        decisions.iter().map(decide).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Types;
    use crate::document::{Document, Limits};
    use crate::model::Lowering;
    use crate::text::suggest::Suggester;

    /// The edges as `from>to`, a point named by its activity.
    fn edges(json: &str) -> Vec<String> {
        let document = Document::parse(json, Limits::default()).unwrap();
        let (types, suggester) = (Types::default(), Suggester::default());
        let workflow = Workflow::lower(Lowering { document: &document, types: &types, suggester: &suggester });
        let flow = ControlFlow::new(&workflow);
        let name = |step: Step| match step {
            Step::Entry => "entry".to_owned(),
            Step::Exit => "exit".to_owned(),
            Step::Run(id) => workflow.activity(id).unwrap().name.value().unwrap().to_owned(),
            Step::Decide(_, decision) => format!("{decision:?}"),
            Step::TimeOut(_, approved) => format!("timeout {approved}"),
            Step::After(id) => format!("after {}", workflow.activity(id).unwrap().name.value().unwrap()),
        };
        let graph = &flow.graph;
        let ends = |edge| graph.edge_endpoints(edge).unwrap();
        graph
            .edge_indices()
            .map(|edge| format!("{}>{} {:?}", name(graph[ends(edge).0]), name(graph[ends(edge).1]), graph[edge]))
            .collect()
    }

    #[test]
    fn a_loop_leads_back_and_a_terminate_leads_nowhere() {
        let json = r#"{"activities": [
            {"type": "While", "name": "W", "activities": [
                {"type": "If", "name": "I", "activities": [{"type": "Terminate", "name": "T"}]}]},
            {"type": "Status", "name": "S"}]}"#;
        assert_eq!(
            edges(json),
            [
                "entry>W Next", "W>I True", "I>T True", "I>after I False", "after I>W Back", "W>after W False",
                "after W>S Next", "S>exit Next",
            ]
        );
    }

    /// An Approval with both events and this member.
    fn approval(member: &str) -> String {
        format!(
            r#"{{"activities": [{{"type": "Approval", "name": "A", {member}, "activities": [
                {{"type": "Event", "name": "yes", "event": "OnForeachApprove"}},
                {{"type": "Event", "name": "no", "event": "OnForeachReject"}}]}}]}}"#
        )
    }

    #[test]
    fn an_approval_runs_its_approve_event_once_and_its_reject_event_any_number_of_times() {
        assert_eq!(
            edges(&approval(r#""timeout": {"isBound": false, "value": 100}"#)),
            [
                "entry>A Next",
                "A>Some(true) Next",
                "Some(true)>yes Next",
                "A>no Next",
                "no>A Back",
                "no>Some(false) Next",
                "A>timeout false Next",
                "yes>after A Next",
                "Some(false)>after A Next",
                "timeout false>after A Next",
                "after A>exit Next",
            ]
        );
    }

    #[test]
    fn an_approval_by_one_person_runs_one_event() {
        let one =
            r#""assignees": [{"type": "Parameter", "parameter": {"isBound": false, "value": "anna@example.com"}}]"#;
        assert_eq!(
            edges(&approval(one)),
            [
                "entry>A Next", "A>Some(true) Next", "A>Some(false) Next", "Some(true)>yes Next",
                "Some(false)>no Next", "yes>after A Next", "no>after A Next", "after A>exit Next",
            ]
        );
    }
}
