//! The control-flow graph of a workflow: in which order activities can run.

use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::{Activity, ActivityId, Kind, Workflow};

/// A point of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The workflow begins.
    Entry,
    /// An activity runs; of a While and an If, the condition is evaluated.
    Run(ActivityId),
    /// An Approval is decided: approved, rejected, or not known which.
    Decide(ActivityId, Option<bool>),
    /// After an activity with children.
    After(ActivityId),
    /// The workflow ends after its last activity.
    Exit,
}

/// Why one point follows another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It is next.
    Next,
    /// The condition is true.
    True,
    /// The condition is false.
    False,
    /// The end of a loop's body leads back to its condition.
    Back,
}

/// The control-flow graph. Points are numbered in the order of the text.
#[derive(Debug)]
pub struct ControlFlow {
    /// Points, and what follows what.
    pub graph: DiGraph<Step, Flow>,
    /// Where the workflow begins.
    pub entry: NodeIndex,
    /// By activity: the point at which it runs.
    points: Vec<NodeIndex>,
    /// By activity: the point after it, for those with children.
    after: Vec<Option<NodeIndex>>,
}

impl ControlFlow {
    /// The graph of a workflow.
    ///
    /// Recurses with the nesting of activities, which the depth limit of the document bounds.
    pub fn new(workflow: &Workflow<'_>) -> Self {
        let mut graph = DiGraph::new();
        let entry = graph.add_node(Step::Entry);
        let count = workflow.activities.len();
        let flow = Self { graph, entry, points: vec![entry; count], after: vec![None; count] };
        let mut builder = Builder { workflow, flow };
        let roots = workflow.roots.get().map_or(&[][..], Vec::as_slice);
        let end = builder.sequence(roots, Some((entry, Flow::Next)));
        let exit = builder.flow.graph.add_node(Step::Exit);
        builder.connect(end, exit);
        builder.flow
    }

    /// The point at which an activity runs.
    pub fn point(&self, activity: ActivityId) -> Option<NodeIndex> {
        self.points.get(activity.0 as usize).copied()
    }

    /// The point after an activity with children.
    pub fn after(&self, activity: ActivityId) -> Option<NodeIndex> {
        self.after.get(activity.0 as usize).copied().flatten()
    }
}

/// Whether an activity is the event that runs when an approver approves.
pub fn is_approve_event(activity: &Activity<'_>) -> bool {
    matches!(&activity.kind, Kind::Event { event } if event.value() == Some("OnForeachApprove"))
}

/// A way out of what was built so far; `None` when nothing follows.
type End = Option<(NodeIndex, Flow)>;

struct Builder<'w, 'd> {
    workflow: &'w Workflow<'d>,
    flow: ControlFlow,
}

impl Builder<'_, '_> {
    fn connect(&mut self, from: End, to: NodeIndex) {
        if let Some((from, flow)) = from {
            self.flow.graph.add_edge(from, to, flow);
        }
    }

    fn sequence(&mut self, activities: &[ActivityId], from: End) -> End {
        activities.iter().fold(from, |from, &id| match self.workflow.activity(id) {
            Some(activity) => self.activity(activity, from),
            None => from,
        })
    }

    fn activity(&mut self, activity: &Activity<'_>, from: End) -> End {
        let point = self.flow.graph.add_node(Step::Run(activity.id));
        if let Some(place) = self.flow.points.get_mut(activity.id.0 as usize) {
            *place = point;
        }
        self.connect(from, point);
        match &activity.kind {
            Kind::Terminate => {
                // Children here are misplaced; they are modelled so that they are not called unused.
                self.sequence(activity.children(), None);
                None
            }
            Kind::Sequence => self.sequence(activity.children(), Some((point, Flow::Next))),
            Kind::While { .. } => {
                let end = self.sequence(activity.children(), Some((point, Flow::True)));
                if let Some((end, flow)) = end {
                    let back = if end == point { flow } else { Flow::Back };
                    self.flow.graph.add_edge(end, point, back);
                }
                Some(self.after(activity.id, &[Some((point, Flow::False))]))
            }
            Kind::If { .. } => {
                let end = self.sequence(activity.children(), Some((point, Flow::True)));
                Some(self.after(activity.id, &[end, Some((point, Flow::False))]))
            }
            Kind::Approval(_) => Some(self.approval(activity, point)),
            // Children of these are misplaced, or nobody knows whether they run: both is possible.
            _ if activity.children().is_empty() => Some((point, Flow::Next)),
            Kind::Declared { .. } | Kind::Unknown { .. } => {
                let end = self.sequence(activity.children(), Some((point, Flow::Next)));
                Some(self.after(activity.id, &[end, Some((point, Flow::Next))]))
            }
            _ => {
                let end = self.sequence(activity.children(), Some((point, Flow::Next)));
                Some(end.unwrap_or((point, Flow::Next)))
            }
        }
    }

    fn after(&mut self, activity: ActivityId, ends: &[End]) -> (NodeIndex, Flow) {
        let after = self.flow.graph.add_node(Step::After(activity));
        for &end in ends {
            self.connect(end, after);
        }
        if let Some(place) = self.flow.after.get_mut(activity.0 as usize) {
            *place = Some(after);
        }
        (after, Flow::Next)
    }

    /// Rejections come first, any number of them, each running the reject event; then one
    /// approval with the approve event, or the rejection that decides. An approval whose kind the
    /// reference does not show may run its events in any order.
    fn approval(&mut self, activity: &Activity<'_>, point: NodeIndex) -> (NodeIndex, Flow) {
        let Some(approval) = activity.approval() else { return (point, Flow::Next) };
        let is = |member: Option<&str>, shown: &str| member.is_none_or(|value| value == shown);
        let is_shown = is(approval.approval_type.value(), "parallel") && is(approval.required.value(), "one");
        let times_out_approved = !is(approval.on_timeout.value(), "reject");

        let id = activity.id;
        let [approved, rejected, open] =
            [Some(true), Some(false), None].map(|how| self.flow.graph.add_node(Step::Decide(id, how)));
        let mut ends = vec![Some((rejected, Flow::Next)), Some((open, Flow::Next))];
        let mut approved_end = Some((approved, Flow::Next));
        for &child in activity.children() {
            let Some(event) = self.workflow.activity(child) else { continue };
            let on_approve = is_approve_event(event);
            if on_approve && is_shown {
                approved_end = self.activity(event, approved_end);
            } else {
                let end = self.activity(event, Some((point, Flow::Next)));
                self.connect(end.map(|(end, _)| (end, Flow::Back)), point);
            }
        }
        ends.push(approved_end);
        if times_out_approved {
            let timed_out = self.flow.graph.add_node(Step::Decide(id, Some(true)));
            self.connect(Some((point, Flow::Next)), timed_out);
            ends.push(Some((timed_out, Flow::Next)));
        }
        self.connect(Some((point, Flow::Next)), approved);
        self.connect(Some((point, Flow::Next)), rejected);
        if !is_shown {
            self.connect(Some((point, Flow::Next)), open);
        }
        self.after(id, &ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Types;
    use crate::document::{Document, Limits};
    use crate::model::Lowering;
    use crate::suggest::Suggester;

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
            Step::Decide(_, how) => format!("{how:?}"),
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
                "entry>W Next",
                "W>I True",
                "I>T True",
                "I>after I False",
                "after I>W Back",
                "W>after W False",
                "after W>S Next",
                "S>exit Next",
            ]
        );
    }

    #[test]
    fn an_approval_runs_its_approve_event_once_and_its_reject_event_any_number_of_times() {
        let json = r#"{"activities": [{"type": "Approval", "name": "A", "activities": [
            {"type": "Event", "name": "yes", "event": "OnForeachApprove"},
            {"type": "Event", "name": "no", "event": "OnForeachReject"}]}]}"#;
        assert_eq!(
            edges(json),
            [
                "entry>A Next",
                "Some(true)>yes Next",
                "A>no Next",
                "no>A Back",
                "A>Some(true) Next",
                "A>Some(false) Next",
                "Some(false)>after A Next",
                "None>after A Next",
                "yes>after A Next",
                "after A>exit Next",
            ]
        );
    }
}
