use crate::collections::HashMap;
use crate::diagnostic::{FileId, Severity};
use crate::document::NodeId;
use crate::facts::{Context, GuardFault, Place, UndefinedGuards};
use crate::graph::{Analysis, Decision, FormUsers, Unassigned, VarId, Writer};
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF303",
    name: "maybe-unassigned",
    severity: Severity::Warning,
    yields_to: YieldsTo::Rules(&["WF101", "WF103", "WF402", "WF407", "WF415"]),
    page: include_str!("../../../rules/WF303-maybe-unassigned.md"),
    check,
    ..Rule::DEFAULT
};

/// Decisions of a path that are searched for those that led past a write.
const MAX_DECISIONS: usize = 1_000;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in cx.workflows.iter().filter(|analysis| !analysis.paths.unassigned.is_empty()) {
        let writes = Writes::of(analysis);
        let guards = UndefinedGuards::of(analysis, cx.operand_types());
        for unassigned in analysis.paths.unassigned.values() {
            if !analysis.is_merged(unassigned.activity) {
                report(analysis, &writes, &guards, unassigned, out);
            }
        }
    }
}

/// The writes of a workflow.
struct Writes<'c, 'a> {
    file: FileId,
    /// By variable, the activities that write it and the places of its writes, in the order of the document.
    own: HashMap<VarId, Vec<(ActivityId, NodeId)>>,
    forms: FormUsers<'c, 'a>,
    /// By variable that only activities under conditions write that are never true, one of these conditions.
    prevented: HashMap<VarId, NodeId>,
}

impl<'c, 'a> Writes<'c, 'a> {
    fn of(analysis: &'c Analysis<'a>) -> Self {
        let mut own: HashMap<VarId, Vec<_>> = HashMap::default();
        let mut preventing: HashMap<VarId, Option<NodeId>> = HashMap::default();
        let mut never_true = None;
        for (activity, effects) in analysis.workflow.activities.iter().zip(&analysis.effects) {
            // What is inside of such a condition is not reached, so these are not nested.
            never_true = never_true.filter(|&(_, end)| activity.id < end);
            for write in effects.writes.own() {
                own.entry(write.variable).or_default().push((activity.id, write.node));
                let condition = never_true.map(|(condition, _)| condition);
                let known = preventing.entry(write.variable).or_insert(condition);
                *known = known.filter(|_| condition.is_some());
            }
            if let Some(expression) = activity.expression().filter(|_| is_never_true(analysis, activity)) {
                never_true = Some((expression.node, activity.end));
            }
        }
        let forms = FormUsers::of(&analysis.effects);
        let prevented = preventing.into_iter().filter_map(|(variable, condition)| Some((variable, condition?)));
        let prevented = prevented.filter(|(variable, _)| forms.writing(*variable).next().is_none()).collect();
        Self { file: analysis.file, own, forms, prevented }
    }

    fn own(&self, variable: VarId) -> &[(ActivityId, NodeId)] {
        self.own.get(&variable).map_or(&[], Vec::as_slice)
    }

    /// The place of the first write of a variable.
    fn first(&self, variable: VarId) -> Option<Place> {
        let own = self.own(variable).first().map(|&(id, node)| (id, (self.file, node)));
        let of_forms = self.forms.writing(variable).filter_map(|(approvals, place)| Some((*approvals.first()?, place)));
        let (_, (file, node)) = own.into_iter().chain(of_forms).min_by_key(|(id, _)| *id)?;
        Some(Place::value(file, node))
    }

    /// Whether an activity, or one inside it, writes the variable.
    fn are_inside(&self, activity: &Activity<'_>, variable: VarId) -> bool {
        let is_inside = |id: Option<ActivityId>| id.is_some_and(|id| id == activity.id || id < activity.end);
        let own = self.own(variable);
        let first = own.partition_point(|(id, _)| *id < activity.id);
        is_inside(own.get(first).map(|(id, _)| *id))
            || self.forms.writing(variable).any(|(approvals, _)| {
                is_inside(approvals.get(approvals.partition_point(|id| *id < activity.id)).copied())
            })
    }
}

/// Whether a condition is false on all paths.
fn is_never_true(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    let outcomes = analysis.paths.outcomes.get(&activity.id);
    outcomes.is_some_and(|outcomes| outcomes.is_false && !outcomes.is_true && !outcomes.undecided)
}

fn report(
    analysis: &Analysis<'_>,
    writes: &Writes<'_, '_>,
    guards: &UndefinedGuards<'_>,
    unassigned: &Unassigned,
    out: &mut Reporter<'_>,
) {
    let Some(reader) = analysis.workflow.activity(unassigned.activity) else { return };
    let effects = analysis.effects(unassigned.activity);
    let Some(read) = effects.and_then(|effects| effects.reads.get(unassigned.read)) else { return };
    let Some(faults) = faults_on_path(analysis, writes, guards, unassigned, read.variable) else { return };
    let name = quote(analysis.names.name(read.variable));
    let (path, is_cut_off) = path(analysis, writes, unassigned, read.variable);
    let (message, help) = if is_read_before_decision(analysis, reader, read.variable) {
        (
            format!("{name} may be unset: this event may run before the approval is decided"),
            format!("read {name} after the Approval"),
        )
    } else if path.is_empty() && !is_cut_off {
        (format!("{name} is unset: read before it is assigned"), format!("assign {name} before this read"))
    } else {
        (
            format!("{name} may be unset: not assigned on every path"),
            format!("assign {name} on every path, or give it an initial value"),
        )
    };
    let mut draft = out.report(&Place::of_read(analysis.file, read), message);
    draft.help(help);
    // A loop that waits for what it never looks up (WF407) reads an unset variable because of that.
    draft.about(Cause::Loop(analysis.file, reader.node));
    for fault in faults {
        draft.about(match fault {
            GuardFault::Name(name) => Cause::Variable(name.to_owned()),
            GuardFault::Node(node) => Cause::Node(analysis.file, node),
        });
    }
    if let Some(&condition) = writes.prevented.get(&read.variable) {
        draft.about(Cause::Node(analysis.file, condition));
    }
    let start = (Place::of_activities(analysis), format!("the workflow starts without a value in {name}"));
    let decisions = path.iter().map(|(activity, decision)| {
        (Place::value(analysis.file, activity.node), format!("{decision}, nothing assigns {name}"))
    });
    let end = (Place::of_read(analysis.file, read), format!("{name} is read, still unset"));
    draft.flow(std::iter::once(start).chain(decisions).chain([end]));
    for (activity, decision) in path {
        draft.related(&Place::value(analysis.file, activity.node), decision);
    }
    if let Some(write) = writes.first(read.variable) {
        draft.related(&write, format!("{name} is assigned here"));
    }
}

/// Whether an event reads the result of its Approval.
fn is_read_before_decision(analysis: &Analysis<'_>, reader: &Activity<'_>, variable: VarId) -> bool {
    let writes_result = |activity: &Activity<'_>| {
        let effects = analysis.effects(activity.id);
        let mut writes = effects.into_iter().flat_map(|effects| effects.writes.to(variable));
        writes.any(|write| write.by == Writer::ApprovalResult)
    };
    analysis.workflow.ancestors(reader).any(writes_result)
}

/// The decisions on the path that led past a write of the variable, in the order of the run, and whether earlier ones
/// were not searched.
fn path<'a>(
    analysis: &'a Analysis<'_>,
    writes: &Writes<'_, '_>,
    unassigned: &Unassigned,
    variable: VarId,
) -> (Vec<(&'a Activity<'a>, &'static str)>, bool) {
    let mut path: Vec<(&Activity<'_>, &str)> = Vec::new();
    let Some(trail) = &unassigned.trail else { return (path, true) };
    let mut decisions = trail.decisions();
    for decision in decisions.by_ref().take(MAX_DECISIONS) {
        let Some(activity) = analysis.workflow.activity(decision.activity) else { continue };
        let is_known = || path.iter().any(|(known, _)| known.id == activity.id);
        if writes.are_inside(activity, variable) && !is_known() {
            path.push((activity, described(activity, decision)));
        }
    }
    path.reverse();
    (path, decisions.next().is_some())
}

/// The faults (WF101, WF103, WF415) of the conditions that could have kept the path from the read: the read is inside, or
/// the path leads past a write or a Terminate inside. `None` if one of these conditions cannot be read.
fn faults_on_path<'g>(
    analysis: &Analysis<'_>,
    writes: &Writes<'_, '_>,
    guards: &'g UndefinedGuards<'_>,
    unassigned: &Unassigned,
    variable: VarId,
) -> Option<Vec<GuardFault<'g>>> {
    let mut faults = Vec::new();
    if guards.is_empty() {
        return Some(faults);
    }
    for decision in unassigned.trail.as_ref()?.decisions().take(MAX_DECISIONS) {
        let Some(guard) = guards.get(decision.activity) else { continue };
        let Some(activity) = analysis.workflow.activity(decision.activity) else { continue };
        let could_protect = if decision.outcome {
            activity.id < unassigned.activity && unassigned.activity < activity.end
        } else {
            guard.contains_terminate || writes.are_inside(activity, variable)
        };
        if could_protect && guard.is_unread {
            return None;
        }
        if could_protect {
            faults.extend_from_slice(&guard.faults);
        }
    }
    Some(faults)
}

const fn described(activity: &Activity<'_>, decision: Decision) -> &'static str {
    match (&activity.kind, decision.outcome) {
        (ActivityKind::While { .. }, false) => "when this loop is skipped",
        (ActivityKind::Provider(_), false) => "when this call fails without stopping the workflow",
        (ActivityKind::Approval(_), true) => "when this is approved",
        (ActivityKind::Approval(_), false) => "when this is rejected",
        (ActivityKind::While { .. }, true) => "in the first iteration of this loop",
        (_, true) => "when this condition is true",
        (_, false) => "when this condition is false",
    }
}
