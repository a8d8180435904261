use crate::common::collections::HashSet;
use crate::facts::{Context, Loop, Place};
use crate::graph::{Condition, Decision, LoopOutcome, VarId};
use crate::model::{Activity, ActivityKind};
use crate::rules::flow::{condition_node, decision_step, loop_steps};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::{list, quote};

pub const RULE: Rule = rule!("WF403-endless-loop", Error, check);

/// Conditions that are shown with a loop.
const MAX_SHOWN: usize = 10;

/// Why a loop never ends.
enum Endless {
    /// Its body writes no variable of its condition, and no path reaches a Terminate in it.
    Unchanged,
    /// Whatever its body writes, the condition is true again, and no Terminate inside is reached. With the decisions of one
    /// iteration.
    Repeated(Vec<Decision>),
}

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for while_loop in cx.loops() {
        if let Some(endless) = endless(&while_loop) {
            report(&while_loop, &endless, out);
        }
    }
}

fn report(while_loop: &Loop<'_, '_>, endless: &Endless, out: &mut Reporter<'_>) {
    let (analysis, name) = (while_loop.analysis, while_loop.activity.display_name());
    let file = analysis.file;
    let variables = compared_variables(while_loop);
    let quoted = |ids: &[VarId]| list(&ids.iter().map(|&id| quote(analysis.names.name(id))).collect::<Vec<_>>(), "or");
    let written: Vec<VarId> = variables.iter().copied().filter(|&id| while_loop.writes(id)).collect();
    let (fault, advice, end) = if variables.is_empty() {
        let fault = "its condition compares constants".to_owned();
        let advice = "compare a variable that the loop writes".to_owned();
        (fault, advice, "the condition compares constants".to_owned())
    } else if written.is_empty() {
        let names = quoted(&variables);
        let fault = format!("nothing inside writes {names}");
        (fault, format!("write {names} inside the loop"), format!("nothing has written {names}"))
    } else {
        let advice = format!("write a value to {} that ends the loop", quoted(&written));
        ("its condition is true again each time".to_owned(), advice, "the condition is true again".to_owned())
    };
    let terminate = while_loop.body().find(|inner| matches!(inner.kind, ActivityKind::Terminate));
    let (terminate, further) = match terminate.map(Activity::display_name) {
        None => ("no Terminate is inside".to_owned(), "add a Terminate inside it".to_owned()),
        Some(name) => (format!("no path reaches {name} inside"), format!("correct the condition around {name}")),
    };
    let message = format!("endless loop {name}: {fault}, and {terminate}");
    let mut draft = out.report(&Place::value(file, condition_node(while_loop.activity)), message);
    draft.help(format!("{advice}, or {further}"));
    let deciding = deciding(while_loop);
    for blocking in deciding.into_iter().filter(|inner| is_never_true(while_loop, inner)).take(MAX_SHOWN) {
        draft.related(&Place::value(file, condition_node(blocking)), "this condition is always false");
    }
    draft.flow(loop_steps(while_loop, iteration(while_loop, endless), format!("{end}, so the loop repeats")));
    draft.cause(Cause::Node(file, while_loop.activity.node));
    for variable in variables {
        let name = analysis.names.name(variable).to_owned();
        draft.cause(Cause::Name(file, condition_node(while_loop.activity), name));
    }
}

/// One iteration, step by step.
fn iteration(while_loop: &Loop<'_, '_>, endless: &Endless) -> Vec<(Place, String)> {
    let file = while_loop.analysis.file;
    match endless {
        Endless::Unchanged => {
            let last = while_loop.body().last();
            last.map(|last| (Place::value(file, last.node), "the iteration ends here".to_owned())).into_iter().collect()
        }
        Endless::Repeated(decisions) => {
            decisions.iter().filter_map(|decision| decision_step(while_loop.analysis, *decision)).collect()
        }
    }
}

fn compared_variables(while_loop: &Loop<'_, '_>) -> Vec<VarId> {
    while_loop.condition().into_iter().flat_map(Condition::variables).collect()
}

/// Why no order that enters the loop leaves it; `None` if one may, or if another rule reports why none does.
fn endless(while_loop: &Loop<'_, '_>) -> Option<Endless> {
    if !while_loop.condition_is_known() || !while_loop.is_entered() {
        return None;
    }
    let may_change = compared_variables(while_loop).into_iter().any(|id| while_loop.may_change(id));
    if !may_change && !while_loop.contains_terminate() {
        return Some(Endless::Unchanged);
    }
    let deciding = deciding(while_loop);
    if !may_change && !while_loop.reaches_terminate() {
        return Some(Endless::Unchanged);
    }
    // WF402 names a condition that is constant, WF404 the status.
    let is_reported = while_loop.is_always_true()
        || deciding.iter().any(|inner| is_never_true(while_loop, inner))
        || while_loop.awaited_statuses().next().is_some();
    if is_reported || while_loop.compares_provided() {
        return None;
    }
    match while_loop.outcome_on_all(&[]) {
        Some(LoopOutcome::NeverEnds(decisions)) => Some(Endless::Repeated(decisions)),
        _ => None,
    }
}

/// The Ifs and Whiles in the loop that decide whether it ends: around a Terminate, or what writes a variable of its condition.
fn deciding<'c, 'a>(while_loop: &Loop<'c, 'a>) -> Vec<&'c Activity<'a>> {
    let analysis = while_loop.analysis;
    let compared = compared_variables(while_loop);
    let writes = |activity: &Activity<'_>| {
        let effects = analysis.effects(activity.id);
        effects.is_some_and(|effects| compared.iter().any(|&variable| effects.writes.to(variable).next().is_some()))
    };
    let mut deciding = Vec::new();
    let mut known = HashSet::default();
    for ending in while_loop.body().filter(|inner| matches!(inner.kind, ActivityKind::Terminate) || writes(inner)) {
        let around = analysis.workflow.ancestors(ending).take_while(|around| around.id != while_loop.activity.id);
        // Those around one that is known are known.
        for around in around.take_while(|around| known.insert(around.id)) {
            if around.expression().is_some() {
                deciding.push(around);
            }
        }
    }
    deciding
}

/// Whether the condition of an If or a While is false on all paths.
fn is_never_true(while_loop: &Loop<'_, '_>, inner: &Activity<'_>) -> bool {
    let outcomes = while_loop.analysis.paths.outcomes.get(&inner.id);
    outcomes.is_some_and(|outcomes| outcomes.is_constant() && outcomes.is_false)
}
