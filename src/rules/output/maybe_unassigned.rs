use crate::common::collections::HashMap;
use crate::document::{Editor, NodeId};
use crate::facts::{Context, NewActivities, OperandTypes, Place};
use crate::graph::{Analysis, Decision, FormUsers, Resolution, Unassigned, VarId, Writer};
use crate::model::{Activity, ActivityId, ActivityKind, Binding};
use crate::rules::flow::contains_terminate;
use crate::rules::{Cause, Draft, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, FileId};
use crate::text::quote;

pub const RULE: Rule = rule!("WF303-maybe-unassigned", Warning, check, fixes: Fixes::Unsafe);

/// Decisions of a path that are searched for those that led past a write.
const MAX_DECISIONS: usize = 1_000;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in cx.workflows.iter().filter(|analysis| !analysis.paths.unassigned.is_empty()) {
        let writes = Writes::of(analysis);
        let activities = analysis.workflow.activities.iter();
        let unclear: Vec<_> =
            activities.filter(|activity| is_unclear(analysis, cx.operand_types(), activity)).collect();
        for unassigned in analysis.paths.unassigned.values() {
            if !analysis.is_merged(unassigned.activity) {
                report(analysis, &writes, &unclear, unassigned, out);
            }
        }
    }
}

/// Whether it is not known what a condition decides, because of a fault that other rules report: it cannot be read, it
/// names no variable, or it compares different types.
fn is_unclear(analysis: &Analysis<'_>, types: &OperandTypes<'_>, activity: &Activity<'_>) -> bool {
    let Some(expression) = activity.expression() else {
        return matches!(activity.kind, ActivityKind::While { .. } | ActivityKind::If { .. });
    };
    let is_unclear = |binding: &Binding<'_>| match binding.target() {
        Some((_, name)) => matches!(analysis.scope.resolve(name), Resolution::Undefined(_)),
        None => binding.is_opaque() || binding.value.is_unknown() || binding.lacks_literal(),
    };
    let operands = [&expression.left, &expression.right];
    expression.operand.get().is_none()
        || operands.into_iter().any(|operand| operand.get().is_none_or(is_unclear))
        || types.incompatible(analysis, activity).is_some()
}

/// The writes of a workflow.
struct Writes<'c, 'a> {
    file: FileId,
    /// By variable, the activities that write it and the places of its writes, in the order of the document.
    own: HashMap<VarId, Vec<(ActivityId, NodeId)>>,
    forms: FormUsers<'c, 'a>,
}

impl<'c, 'a> Writes<'c, 'a> {
    fn of(analysis: &'c Analysis<'a>) -> Self {
        let mut own: HashMap<VarId, Vec<_>> = HashMap::default();
        for (activity, effects) in analysis.workflow.activities.iter().zip(&analysis.effects) {
            for write in effects.writes.own() {
                own.entry(write.variable).or_default().push((activity.id, write.node));
            }
        }
        Self { file: analysis.file, own, forms: FormUsers::of(&analysis.effects) }
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

fn report(
    analysis: &Analysis<'_>,
    writes: &Writes<'_, '_>,
    unclear: &[&Activity<'_>],
    unassigned: &Unassigned,
    out: &mut Reporter<'_>,
) {
    let Some(reader) = analysis.workflow.activity(unassigned.activity) else { return };
    let effects = analysis.effects(unassigned.activity);
    let Some(read) = effects.and_then(|effects| effects.reads.get(unassigned.read)) else { return };
    // The condition may keep every path from the read, if it runs before it: in an earlier iteration, too.
    let runs_before = |guard: &Activity<'_>| {
        let is_shared = |outer: &Activity<'_>| matches!(outer.kind, ActivityKind::While { .. }) && guard.id < outer.end;
        guard.id <= reader.id || analysis.workflow.ancestors(reader).any(is_shared)
    };
    let may_protect = |guard: &&Activity<'_>| {
        let is_around = guard.id < reader.id && reader.id < guard.end;
        let has_effect = || writes.are_inside(guard, read.variable) || contains_terminate(analysis, guard);
        is_around || runs_before(guard) && has_effect()
    };
    if unclear.iter().any(may_protect) {
        return;
    }
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
    draft.cause(Cause::Node(analysis.file, reader.node));
    let start = (Place::of_activities(analysis), format!("the workflow starts without a value in {name}"));
    let decisions = path.iter().map(|(activity, decision)| {
        (Place::value(analysis.file, activity.node), format!("{decision}, nothing assigns {name}"))
    });
    let end = (Place::of_read(analysis.file, read), format!("{name} is read, still unset"));
    draft.flow(std::iter::once(start).chain(decisions).chain([end]));
    if let Some((branch, _)) = path.first().filter(|_| !is_cut_off) {
        offer(analysis, branch, read.variable, &mut draft);
    }
    for (activity, decision) in path {
        draft.related(&Place::value(analysis.file, activity.node), decision);
    }
    if let Some(write) = writes.first(read.variable) {
        draft.related(&write, format!("{name} is assigned here"));
    }
}

/// Offers to begin with an empty string, if the variable is only compared: published or handed over, it would hide that the
/// value is missing.
fn offer(analysis: &Analysis<'_>, branch: &Activity<'_>, variable: VarId, draft: &mut Draft<'_>) {
    let mut reads = analysis.effects.iter().flat_map(|effects| &effects.reads).filter(|read| read.variable == variable);
    let name = analysis.names.name(variable);
    let is_text = analysis
        .scope
        .declarations
        .variable(name)
        .is_some_and(|declared| declared.variable.variable_type.value() == Some("String"));
    let around = || analysis.workflow.ancestors(branch);
    if !is_text
        || !reads.all(|read| read.in_condition)
        || around().any(|it| matches!(it.kind, ActivityKind::Event { .. }))
    {
        return;
    }
    // A later iteration keeps what an earlier one has written.
    let first = around().filter(|outer| matches!(outer.kind, ActivityKind::While { .. })).last().unwrap_or(branch);
    let Some(list) = analysis.document.parent(first.node) else { return };
    let before = analysis.document.elements(list).take_while(|&node| node != first.node).last();
    let assign = NewActivities::new(analysis, first).assign(&format!("Set {name}"), name, "");
    let mut editor = Editor::new(analysis.document, analysis.file);
    editor.insert_item(list, before, assign);
    let title = format!("assign an empty string to {} before {}", quote(name), first.display_name());
    draft.alternative(Applicability::Unsafe, title, editor.finish());
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
