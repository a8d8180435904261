use std::collections::BTreeSet;

use crate::facts::{Context, Loop, OTHER_STATUS, Place};
use crate::graph::{Condition, LoopOutcome, VarId};
use crate::rules::flow::loop_steps;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::{quote, quoted_list};

pub const RULE: Rule = rule!("WF407-stale-poll", Error, check);

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
        draft.help(match lookups.first() {
            Some((lookup, written)) => {
                let id = if written.is_empty() { "" } else { ", and `Id` if it looks up another case" };
                format!("set `Prefix` of {} so that it writes {name}{id}", lookup.display_name())
            }
            None => format!("add a status lookup that writes {name} inside the loop"),
        });
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
