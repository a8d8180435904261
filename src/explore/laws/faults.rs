//! What the built-in law `no-fault` observes: what lint reports as WF201, WF302, WF303, WF306 or WF501, seen in a run.

use std::ops::Range;

use crate::catalog::Catalog;
use crate::common::collections::{HashMap, HashSet, IndexSet};
use crate::document::NodeId;
use crate::facts::AnalyzedService;
use crate::graph::{Analysis, FieldTarget, Resolution};
use crate::model::{
    Activity, ActivityId, ActivityKind, Approval, Assign, Assignee, Member, ON_APPROVE, Parameter, Provider,
};
use crate::simulate::{Plan, Record, Slot, UnsetRead, quote};
use crate::text::diagnostic::Location;

/// A fault that a run meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub location: Location,
    pub activity: Option<ActivityId>,
    /// In one line.
    pub message: String,
}

/// Faults that a run meets together, without their places and messages: there may be any number in one string.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MetFault<'p> {
    /// Those of an activity whenever it begins.
    Begins(ActivityId),
    /// A variable is read that is not set.
    Reads(UnsetRead<'p>),
}

/// The faults that runs of a service can meet.
pub struct Faults<'f, 'a> {
    plan: &'f Plan<'f>,
    analysis: &'f Analysis<'a>,
    service: &'f AnalyzedService<'a>,
    set: &'f SetVariables<'f>,
    /// The activities with faults that occur whenever they begin.
    on_begin: HashSet<ActivityId>,
    /// By Approval, the variables that it may write on a rejection; `None` if it may write any. An Approval that writes
    /// none is left out.
    rejections: HashMap<ActivityId, Option<Vec<Slot>>>,
    /// The variables that activities write which runs leave out.
    left_out: HashSet<&'f str>,
}

impl<'f, 'a> Faults<'f, 'a> {
    /// `analysis` is that of the workflow of the plan.
    pub fn new(
        plan: &'f Plan<'f>,
        service: &'f AnalyzedService<'a>,
        analysis: &'f Analysis<'a>,
        set: &'f SetVariables<'f>,
    ) -> Self {
        let activities = plan.workflow.activities.iter();
        let faulty = activities.clone().filter(|activity| on_begin(plan, analysis, activity).next().is_some());
        let on_begin = faulty.map(|activity| activity.id).collect();
        let approvals = activities.filter(|activity| matches!(activity.kind, ActivityKind::Approval(_)));
        let rejections = approvals.map(|approval| (approval.id, written_on_rejection(plan, analysis, approval)));
        let rejections = rejections.filter(|(_, slots)| slots.as_ref().is_none_or(|slots| !slots.is_empty())).collect();
        let left_out = written_by_left_out(analysis);
        Self { plan, analysis, service, set, on_begin, rejections, left_out }
    }

    /// Whether it matters that the timeout of an Approval has ended it, where these variables can still be read (sorted):
    /// one that it writes on a rejection then does not count as unset.
    pub fn timeout_matters(&self, timed_out: ActivityId, live: &[Slot]) -> bool {
        self.rejections.get(&timed_out).is_some_and(|written| {
            let is_live = |slot: &Slot| live.binary_search(slot).is_ok();
            written.as_ref().is_none_or(|written| written.iter().any(is_live))
        })
    }

    /// The faults in the segment of a run with this record. `timed_out` are the Approvals that have timed out so far.
    pub fn of<'p>(&self, record: &Record<'p>, timed_out: &[ActivityId]) -> Vec<MetFault<'p>> {
        let begun = record.begun.iter().filter(|id| self.on_begin.contains(*id)).map(|id| MetFault::Begins(*id));
        let unset = record.unset_reads.iter().filter(|read| self.is_fault(read, timed_out));
        let faults: IndexSet<MetFault<'p>> = begun.chain(unset.cloned().map(MetFault::Reads)).collect();
        faults.into_iter().collect()
    }

    /// Faults that are met together: the first `max` of them, and the number of the others.
    pub fn list(&self, met: &MetFault<'_>, max: usize) -> (Vec<Fault>, usize) {
        let id = match met {
            MetFault::Reads(read) if max > 0 => return (vec![self.of_read(read)], 0),
            MetFault::Reads(_) => return (Vec::new(), 1),
            MetFault::Begins(id) => *id,
        };
        let Some(activity) = self.plan.activity(id) else { return (Vec::new(), 0) };
        let mut causes = on_begin(self.plan, self.analysis, activity);
        let listed = causes.by_ref().take(max).map(|cause| Fault {
            location: self.location(cause.node, cause.part.as_ref()),
            activity: Some(id),
            message: cause.message(self.plan, activity),
        });
        (listed.collect(), causes.count())
    }

    /// Whether the variable of a read counts as unset or undefined there.
    fn is_fault(&self, read: &UnsetRead<'_>, timed_out: &[ActivityId]) -> bool {
        match self.analysis.scope.resolve(read.variable) {
            // A placeholder without a variable is not read.
            Resolution::Undefined(_) => true,
            Resolution::Unknown => false,
            Resolution::Declared(_) | Resolution::System => self.counts_as_unset(read, timed_out),
        }
    }

    fn of_read(&self, read: &UnsetRead<'_>) -> Fault {
        let name = quote(read.variable);
        let message = match self.analysis.scope.resolve(read.variable) {
            Resolution::Undefined(_) => format!("undefined variable {name}"),
            _ => format!("unset variable {name}: nothing assigns it before this read"),
        };
        Fault { location: self.location(read.node, read.part.as_ref()), activity: read.activity, message }
    }

    /// The location of a node, or of a part of its string.
    fn location(&self, node: NodeId, part: Option<&Range<usize>>) -> Location {
        let location = self.plan.at(node);
        match part {
            Some(part) => Location { span: self.plan.document.span_inside(node, part.clone()), ..location },
            None => location,
        }
    }
}

/// The cause of a fault that occurs whenever an activity begins.
struct Cause<'c> {
    node: NodeId,
    /// A part of the string of the node.
    part: Option<Range<usize>>,
    what: Missing<'c>,
}

/// What is missing where an activity begins.
enum Missing<'c> {
    /// A required parameter has no value.
    Parameter(&'c str),
    Assignees,
    /// No variable has the name of this placeholder.
    Variable(&'c str),
}

impl Cause<'_> {
    fn message(&self, plan: &Plan<'_>, activity: &Activity<'_>) -> String {
        match self.what {
            Missing::Parameter(name) => {
                let method = activity.provider().and_then(|provider| provider.method.value()).unwrap_or_default();
                format!("missing required parameter {} of {}", quote(name), quote(method))
            }
            Missing::Assignees => format!("missing assignees in {}, no assignee has a value", plan.name(activity)),
            Missing::Variable(name) => {
                format!("unknown placeholder {}: no variable has this name", quote(&format!("{{{name}}}")))
            }
        }
    }
}

fn on_begin<'c>(
    plan: &'c Plan<'_>,
    analysis: &'c Analysis<'_>,
    activity: &'c Activity<'_>,
) -> Box<dyn Iterator<Item = Cause<'c>> + 'c> {
    match &activity.kind {
        ActivityKind::Provider(provider) => {
            let missing = missing_parameters(&plan.config.catalog, activity, provider).into_iter();
            Box::new(missing.map(|(name, node)| Cause { node, part: None, what: Missing::Parameter(name) }))
        }
        ActivityKind::Approval(approval) if has_no_assignees(approval) => {
            let node = approval.assignees.node().unwrap_or(activity.node);
            Box::new(std::iter::once(Cause { node, part: None, what: Missing::Assignees }))
        }
        ActivityKind::Assign(assign) => Box::new(unknown_placeholders(analysis, assign)),
        _ => Box::new(std::iter::empty()),
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

/// The placeholders of a body without a variable, as WF306 reports them, of each name the first.
fn unknown_placeholders<'c>(analysis: &'c Analysis<'_>, assign: &'c Assign<'_>) -> impl Iterator<Item = Cause<'c>> {
    let mut known = HashSet::default();
    let of = |node| analysis.scope.placeholders_of(assign).map(move |placeholder| (node, placeholder));
    assign.body.node().into_iter().flat_map(of).filter_map(move |(node, placeholder)| {
        let is_unknown = matches!(analysis.scope.resolve(placeholder.name), Resolution::Undefined(_));
        let what = Missing::Variable(placeholder.name);
        let cause = Cause { node, part: Some(placeholder.range), what };
        (is_unknown && known.insert(placeholder.name)).then_some(cause)
    })
}

/// The variables that the documents of a service set.
pub struct SetVariables<'f> {
    /// The variables that forms of the service fill: the order form, and those that approvers fill in, which runs do not
    /// play.
    filled: HashSet<&'f str>,
    /// Whether some form may fill any variable.
    fills_any: bool,
}

impl<'f> SetVariables<'f> {
    pub fn of(service: &'f AnalyzedService<'_>) -> Self {
        let forms = service.model.forms.iter().zip(&service.form_scopes);
        let targets =
            forms.flat_map(|(form, scope)| form.form.fields.iter().map(|field| FieldTarget::of(field, scope)));
        let (mut filled, mut fills_any) = (HashSet::default(), service.model.has_broken_file);
        for target in targets {
            match target {
                FieldTarget::Variable(name) => drop(filled.insert(name)),
                FieldTarget::Nothing => {}
                FieldTarget::Unknown => fills_any = true,
            }
        }
        Self { filled, fills_any }
    }
}

impl Faults<'_, '_> {
    /// Whether a declared variable that has no value counts as unset where it is read.
    fn counts_as_unset(&self, read: &UnsetRead<'_>, timed_out: &[ActivityId]) -> bool {
        let name = read.variable;
        let scope = &self.analysis.scope;
        // Every call returns the common outputs, whichever values those are (docs/platform.md, Outputs).
        let is_result = self.plan.config.catalog.result_outputs().any(|output| output == name);
        let is_set_elsewhere = is_result
            || self.set.fills_any
            || self.set.filled.contains(name)
            || !scope.declarations.are_there
            || scope.is_provided(name)
            || scope.declarations.named(name).any(|declared| declared.variable.is_preset())
            || self.service.usage.is_filled_by_order(name)
            || self.may_be_written(name)
            || self.left_out.contains(name)
            || self.service.usage.is_written_outside(self.analysis.file, name);
        !is_set_elsewhere && !self.is_awaited(read) && !self.is_written_by_rejections(name, timed_out)
    }

    /// Whether an activity with unknown outputs may write a variable.
    fn may_be_written(&self, name: &str) -> bool {
        let mut effects = self.analysis.effects.iter();
        effects.any(|effects| effects.may_write.is_some_and(|prefix| name.starts_with(prefix)))
    }

    /// Whether an Approval that has timed out writes a variable on rejection, since the platform may count the timeout
    /// as one (docs/assumptions.md, A11).
    fn is_written_by_rejections(&self, name: &str, timed_out: &[ActivityId]) -> bool {
        let mut written = timed_out.iter().filter_map(|approval| self.rejections.get(approval));
        let slot = self.plan.names.slot(name);
        written.any(|slots| slots.as_ref().is_none_or(|slots| slot.is_some_and(|slot| slots.contains(&slot))))
    }

    /// Whether the condition of a loop reads what the body of the loop may write: it waits for that.
    fn is_awaited(&self, read: &UnsetRead<'_>) -> bool {
        let workflow = self.analysis.workflow;
        let Some(activity) = read.activity.and_then(|id| workflow.activity(id)) else { return false };
        let effects = self.analysis.effects(activity.id);
        let mut reads = effects.into_iter().flat_map(|effects| &effects.reads);
        matches!(activity.kind, ActivityKind::While { .. })
            && reads.any(|own| own.node == read.node && own.in_condition)
            && workflow.inside(activity).any(|inner| may_write(self.analysis, inner, read.variable))
    }
}

fn may_write(analysis: &Analysis<'_>, activity: &Activity<'_>, name: &str) -> bool {
    let Some(effects) = analysis.effects(activity.id) else { return false };
    let is_written = |id| effects.writes.to(id).next().is_some();
    effects.may_write.is_some_and(|prefix| name.starts_with(prefix)) || analysis.names.id(name).is_some_and(is_written)
}

/// The variables that activities of declared types, and those that runs leave out, certainly write.
fn written_by_left_out<'f>(analysis: &'f Analysis<'_>) -> HashSet<&'f str> {
    let left_out = analysis.workflow.left_out();
    let all = analysis.workflow.activities.iter().zip(left_out).zip(&analysis.effects);
    let of_left_out = all
        .filter(|((activity, is_left_out), _)| *is_left_out || matches!(activity.kind, ActivityKind::Declared { .. }));
    let writes = of_left_out.flat_map(|(_, effects)| effects.writes.own());
    writes.map(|write| analysis.names.name(write.variable)).collect()
}

/// The variables that an Approval may write on a rejection; `None` if it may write any.
fn written_on_rejection(plan: &Plan<'_>, analysis: &Analysis<'_>, approval: &Activity<'_>) -> Option<Vec<Slot>> {
    let mut slots = Vec::new();
    for event in approval.children().iter().filter_map(|id| analysis.workflow.activity(*id)) {
        if !matches!(&event.kind, ActivityKind::Event { event } if event.value() != Some(ON_APPROVE)) {
            continue;
        }
        for inner in analysis.workflow.inside(event) {
            let Some(effects) = analysis.effects(inner.id) else { continue };
            // The form of an Approval may write as well.
            if effects.may_write.is_some() || matches!(inner.kind, ActivityKind::Approval(_)) {
                return None;
            }
            for write in effects.writes.own() {
                slots.push(plan.names.slot(analysis.names.name(write.variable))?);
            }
        }
    }
    Some(slots)
}
