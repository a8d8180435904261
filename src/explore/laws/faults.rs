//! What the built-in law `no-fault` observes: what lint reports as WF201, WF302, WF303, WF306 or WF501, seen in a run.

use super::rejections::Rejections;
use super::unset::UnsetVariables;
use crate::catalog::Catalog;
use crate::collections::{HashMap, IndexSet};
use crate::diagnostic::Location;
use crate::document::NodeId;
use crate::facts::AnalyzedService;
use crate::graph::{Analysis, Resolution, placeholders};
use crate::model::{Activity, ActivityId, ActivityKind, Approval, Assign, Assignee, Member, Parameter, Provider};
use crate::simulate::{Plan, Record, UnsetRead, quote};

/// A fault that a run meets.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fault {
    pub location: Location,
    pub activity: Option<ActivityId>,
    /// In one line.
    pub message: String,
}

/// The faults that runs of a service can meet.
pub struct Faults<'f, 'a> {
    plan: &'f Plan<'f>,
    analysis: &'f Analysis<'a>,
    variables: UnsetVariables<'f, 'a>,
    /// The faults that occur whenever an activity begins.
    on_begin: HashMap<ActivityId, Vec<Fault>>,
    rejections: Rejections,
}

impl<'f, 'a> Faults<'f, 'a> {
    /// `None` if the service does not have the workflow of the plan.
    pub fn new(plan: &'f Plan<'f>, service: &'f AnalyzedService<'a>) -> Option<Self> {
        let analysis = service.workflows.iter().find(|analysis| analysis.file == plan.file)?;
        let begun = plan.workflow.activities.iter().map(|activity| (activity.id, on_begin(plan, analysis, activity)));
        Some(Self {
            plan,
            analysis,
            variables: UnsetVariables::new(service, analysis),
            on_begin: begun.filter(|(_, faults)| !faults.is_empty()).collect(),
            rejections: Rejections::new(plan, analysis),
        })
    }

    /// What decides which Approvals that have timed out matter.
    pub const fn rejections(&self) -> &Rejections {
        &self.rejections
    }

    /// The faults in the segment of a run with this record. `timed_out` are the Approvals that have timed out so far.
    pub fn of(&self, record: &Record<'_>, timed_out: &[ActivityId]) -> Vec<Fault> {
        let begun = record.begun.iter().filter_map(|id| self.on_begin.get(id)).flatten().cloned();
        let unset = record.unset_reads.iter().filter_map(|read| self.unset(read, timed_out));
        let faults: IndexSet<Fault> = begun.chain(unset).collect();
        faults.into_iter().collect()
    }

    fn unset(&self, read: &UnsetRead<'_>, timed_out: &[ActivityId]) -> Option<Fault> {
        let name = quote(read.variable);
        let message = match self.analysis.scope.resolve(read.variable) {
            // A placeholder without a variable is not read.
            Resolution::Undefined(_) => format!("undefined variable {name}"),
            Resolution::Unknown => return None,
            Resolution::Declared(_) | Resolution::System => {
                if !self.variables.counts_as_unset(read, timed_out) {
                    return None;
                }
                format!("unset variable {name}: nothing assigns it before this read")
            }
        };
        let location = match &read.part {
            Some(part) => {
                let span = self.plan.document.span_inside(read.node, part.clone());
                Location { span, ..self.plan.at(read.node) }
            }
            None => self.plan.at(read.node),
        };
        Some(Fault { location, activity: read.activity, message })
    }
}

fn on_begin(plan: &Plan<'_>, analysis: &Analysis<'_>, activity: &Activity<'_>) -> Vec<Fault> {
    let fault = |node, message| Fault { location: plan.at(node), activity: Some(activity.id), message };
    match &activity.kind {
        ActivityKind::Provider(provider) => {
            let method = quote(provider.method.value().unwrap_or_default());
            let missing = missing_parameters(&plan.config.catalog, activity, provider);
            let message = |name: &str| format!("missing required parameter {} of {method}", quote(name));
            missing.into_iter().map(|(name, node)| fault(node, message(name))).collect()
        }
        ActivityKind::Approval(approval) if has_no_assignees(approval) => {
            let node = approval.assignees.node().unwrap_or(activity.node);
            vec![fault(node, format!("missing assignees in {}, no assignee has a value", plan.name(activity)))]
        }
        ActivityKind::Assign(assign) => unknown_placeholders(plan, analysis, activity, assign),
        _ => Vec::new(),
    }
}

/// The required parameters that certainly have no value, as WF201 reports them, with their places.
fn missing_parameters<'n>(
    catalog: &'n Catalog,
    activity: &Activity<'_>,
    provider: &'n Provider<'_>,
) -> Vec<(&'n str, NodeId)> {
    let node = |parameter: &Parameter<'_>| parameter.value.node().unwrap_or(parameter.node);
    let Some(method) = provider.method.value().and_then(|name| catalog.method(name)) else {
        // Of a method that is in no catalog, the document's own `required` counts.
        let missing = |it: &&'n Parameter<'_>| it.required.value() == Some(true) && it.is_empty();
        let missing = provider.parameters().filter(missing);
        return missing.filter_map(|parameter| Some((parameter.name.value()?, node(parameter)))).collect();
    };
    let missing = method.parameters.iter().filter(|known| known.required).filter_map(|known| {
        match provider.parameter(&known.name) {
            Some(parameter) => parameter.is_empty().then(|| (known.name.as_str(), node(parameter))),
            None if provider.lists_are_known() => {
                Some((known.name.as_str(), provider.declared.node().unwrap_or(activity.node)))
            }
            None => None,
        }
    });
    missing.collect()
}

/// Whether certainly nobody is asked, as WF501 reports it.
fn has_no_assignees(approval: &Approval<'_>) -> bool {
    match &approval.assignees {
        Member::Unknown(_) => false,
        Member::Absent => true,
        Member::Known(_, assignees) => assignees.iter().all(Assignee::is_certainly_empty),
    }
}

/// The placeholders of a body without a variable, as WF306 reports them.
fn unknown_placeholders(
    plan: &Plan<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    assign: &Assign<'_>,
) -> Vec<Fault> {
    let Some((node, body)) = assign.body.known() else { return Vec::new() };
    let unknown = placeholders(body)
        .filter(|placeholder| matches!(analysis.scope.resolve(placeholder.name), Resolution::Undefined(_)));
    let faults = unknown.map(|placeholder| {
        let shown = quote(&format!("{{{}}}", placeholder.name));
        let span = plan.document.span_inside(node, placeholder.range);
        let message = format!("unknown placeholder {shown}: no variable has this name");
        Fault { location: Location { span, ..plan.at(node) }, activity: Some(activity.id), message }
    });
    faults.collect()
}
