use std::collections::BTreeSet;

use crate::catalog::ParameterKind;
use crate::document::Editor;
use crate::facts::{Context, Loop, NewActivities, OTHER_STATUS, Place, with_copy};
use crate::graph::{Condition, LoopOutcome, Prefix, VarId, Writer};
use crate::model::{Activity, Binding};
use crate::rules::flow::loop_steps;
use crate::rules::{Cause, Draft, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::{quote, quoted_list};

pub const RULE: Rule = rule!("WF407-stale-poll", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for while_loop in cx.loops() {
        let Some(variable) = stale_status(&while_loop) else { continue };
        let analysis = while_loop.analysis;
        let (loop_name, name) = (while_loop.activity.display_name(), quote(analysis.names.name(variable)));
        let lookups: Vec<_> = while_loop.lookups().collect();
        let message = match lookups.first() {
            Some(_) => format!("loop {loop_name} never ends: no lookup inside it writes {name}"),
            None => format!("loop {loop_name} never ends: it waits for {name}, but never looks it up"),
        };
        let mut draft = out.report(&Place::value(analysis.file, while_loop.activity.node), message);
        let is_offered = offer(&while_loop, variable, &mut draft);
        let help = match lookups.first() {
            Some((lookup, written)) => {
                let id = if written.is_empty() { "" } else { ", and `Id` if it looks up another case" };
                format!("set `Prefix` of {} so that it writes {name}{id}", lookup.display_name())
            }
            None => format!("add a status lookup that writes {name} inside the loop"),
        };
        if !is_offered {
            draft.help(help);
        }
        draft.cause(Cause::Variable(analysis.names.name(variable).to_owned()));
        let mut steps = Vec::new();
        for (lookup, written) in lookups {
            let written: Vec<&str> = written.iter().map(|&status| analysis.names.name(status)).collect();
            let label = if written.is_empty() {
                let lost = while_loop.lost_statuses(lookup);
                format!("this lookup returns {}, which no variable receives", quoted_list(&lost, "and"))
            } else {
                format!("this lookup writes {}", quoted_list(&written, "and"))
            };
            draft.cause(Cause::Node(analysis.file, lookup.node));
            let place = Place::value(analysis.file, lookup.node);
            draft.related(&place, label.as_str());
            steps.push((place, label));
        }
        draft.flow(loop_steps(&while_loop, steps, format!("nothing has written {name}, so the loop repeats")));
    }
}

/// Offers to correct the prefix of the lookup inside, or to copy the one before the loop; false if it is unclear which.
fn offer(while_loop: &Loop<'_, '_>, status: VarId, draft: &mut Draft<'_>) -> bool {
    let analysis = while_loop.analysis;
    let writes_status = |activity: &&Activity<'_>| {
        let mut writes = analysis.effects(activity.id).into_iter().flat_map(|effects| effects.writes.own());
        writes.any(|it| it.variable == status && it.by == Writer::Output { is_status: true } && !it.guessed)
    };
    let before = analysis.workflow.activities.iter().take_while(|activity| activity.id < while_loop.activity.id);
    let before: Vec<&Activity<'_>> = before.filter(writes_status).collect();
    let Some(lookup) = before.last().copied() else { return false };
    let Some(case) = case_id(while_loop, lookup) else { return false };
    let is_of_case = |other: &Activity<'_>| case_id(while_loop, other).is_some_and(|other| other.has_value_of(case));
    if !before.iter().all(|other| is_of_case(other)) {
        return false;
    }
    let inside: Vec<_> = while_loop.lookups().filter(|(inner, _)| is_of_case(inner)).collect();
    match &*inside {
        [] => copy_into(while_loop, lookup, draft),
        // Another activity may need what it writes now.
        [(inner, written)] if !written.iter().any(|&written| is_read(while_loop, written)) => {
            correct_prefix(while_loop, lookup, inner, draft)
        }
        _ => false,
    }
}

/// The id of the case that a lookup is about.
fn case_id<'c>(while_loop: &Loop<'c, '_>, lookup: &'c Activity<'_>) -> Option<&'c Binding<'c>> {
    let method = while_loop.analysis.effects(lookup.id)?.provider.as_ref()?.method?;
    lookup.provider()?.parameter(&method.parameter_of_kind(ParameterKind::CaseId)?.name)?.value.get()
}

fn is_read(while_loop: &Loop<'_, '_>, variable: VarId) -> bool {
    while_loop.analysis.effects.iter().flat_map(|effects| &effects.reads).any(|read| read.variable == variable)
}

/// After the delay, the first step of each iteration.
fn copy_into(while_loop: &Loop<'_, '_>, lookup: &Activity<'_>, draft: &mut Draft<'_>) -> bool {
    let analysis = while_loop.analysis;
    let Some(body) = analysis.document.member(while_loop.activity.node, "activities") else { return false };
    let name = lookup.name.value().unwrap_or("Look up the status");
    let copy = NewActivities::new(analysis, while_loop.activity).copy(lookup, &format!("{name} again"));
    let mut editor = Editor::new(analysis.document, analysis.file);
    editor.insert_item(body, None, copy);
    let title = format!("copy {} to the beginning of the loop", lookup.display_name());
    draft.fix(Applicability::Unsafe, title, editor.finish());
    true
}

/// Gives a lookup the prefix of another one.
fn correct_prefix(
    while_loop: &Loop<'_, '_>,
    right: &Activity<'_>,
    wrong: &Activity<'_>,
    draft: &mut Draft<'_>,
) -> bool {
    let analysis = while_loop.analysis;
    let prefix = |activity: &Activity<'_>| {
        let outputs = analysis.effects(activity.id)?.provider.as_ref()?;
        matches!(outputs.prefix, Prefix::Static(_)).then_some((outputs.prefix, outputs.prefix_node?))
    };
    let (Some((Prefix::Static(right), _)), Some((_, node))) = (prefix(right), prefix(wrong)) else { return false };
    if analysis.document.string(node).is_none() {
        return false;
    }
    let edits = with_copy(analysis, wrong, node, &serde_json::Value::from(right).to_string());
    draft.fix(Applicability::Unsafe, format!("set `Prefix` of {} to {}", wrong.display_name(), quote(right)), edits);
    true
}

/// The case status that the loop waits for, if nothing in its body writes it, and no other variable of its condition
/// changes.
fn stale_status(while_loop: &Loop<'_, '_>) -> Option<VarId> {
    let Some(status) = while_loop.compared_status() else {
        return stale_copy(while_loop).or_else(|| stale_test(while_loop));
    };
    let mut others = while_loop.condition()?.variables().filter(|&other| other != status);
    let is_stale = !while_loop.writes_by_intent(status)
        && !others.any(|other| while_loop.may_change(other))
        && while_loop.is_entered()
        && while_loop.analysis.repeats(while_loop.activity.id);
    is_stale.then_some(status)
}

/// The case status of which the loop compares a copy, if the loop never ends on a status that it does not name: its body
/// only copies that again.
fn stale_copy(while_loop: &Loop<'_, '_>) -> Option<VarId> {
    let status = while_loop.compared_copy()?;
    let is_stale = !while_loop.writes_by_intent(status) && is_endless_on_others(while_loop, status);
    is_stale.then_some(status)
}

/// The case status that a loop on something else, such as a flag, tests inside, if the loop never ends on a status that it
/// does not name.
fn stale_test(while_loop: &Loop<'_, '_>) -> Option<VarId> {
    // Where paths were merged, it is not known whether a path with such a status enters the loop.
    if while_loop.analysis.is_merged(while_loop.activity.id) {
        return None;
    }
    // If no status ends the loop, no lookup would.
    if while_loop.outcome_on_all(&[]) != Some(LoopOutcome::Ends) {
        return None;
    }
    let conditions = while_loop.body().filter_map(|inner| while_loop.analysis.effects(inner.id)?.condition.as_deref());
    let tested: BTreeSet<VarId> = conditions.flat_map(Condition::variables).collect();
    tested.into_iter().find(|&status| {
        while_loop.statuses.variables.contains_key(&status)
            && !while_loop.may_change(status)
            && is_endless_on_others(while_loop, status)
    })
}

/// Whether the loop may begin with a status that it does not name, and then never ends.
fn is_endless_on_others(while_loop: &Loop<'_, '_>, status: VarId) -> bool {
    while_loop.may_begin_with(status, OTHER_STATUS)
        && matches!(while_loop.outcome_on(status, OTHER_STATUS), Some(LoopOutcome::NeverEnds(_)))
}
