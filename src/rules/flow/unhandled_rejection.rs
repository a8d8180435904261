use std::collections::BTreeSet;

use crate::catalog::Simulation;
use crate::common::collections::HashSet;
use crate::facts::{Context, EndlessStatus, Loop, Place, SIGNED, StatusTest, Unhandled, status_tests};
use crate::graph::{Analysis, Decision, LoopOutcome, VarId};
use crate::model::{Activity, Operand};
use crate::rules::flow::{
    condition_node, contains_terminate, decision_step, loop_steps, offer_repair, report_unchecked,
};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::{list, quote};

pub const RULE: Rule =
    rule!("WF404-unhandled-rejection", Error | Info, check, recommends_infos: true, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut unchecked = HashSet::default();
    for while_loop in cx.loops().filter(|while_loop| while_loop.is_entered() && !requests_again(cx, while_loop)) {
        let file = while_loop.analysis.file;
        match verdict(&while_loop) {
            Some(Verdict::Endless(endless)) => report(&while_loop, &endless, out),
            Some(Verdict::Unknown) if unchecked.insert(file) => {
                report_unchecked(&while_loop, condition_node(while_loop.activity), out);
            }
            Some(Verdict::Unknown) | None => {}
        }
    }
}

/// Whether the body creates a case, or may write what a lookup takes, such as its id: the next lookup is about another case
/// than the one that ended.
fn requests_again(cx: &Context<'_>, while_loop: &Loop<'_, '_>) -> bool {
    let creates = |inner: &Activity<'_>| {
        let method = inner.provider().and_then(|provider| cx.config.catalog.method(provider.method.value()?));
        let simulation = method.and_then(|method| method.simulation);
        matches!(simulation, Some(Simulation::SigningRequest | Simulation::SigningRequestJson))
    };
    let lookups = while_loop.lookups().filter_map(|(lookup, _)| while_loop.analysis.effects(lookup.id));
    let inputs: BTreeSet<VarId> = lookups.flat_map(|effects| &effects.reads).map(|read| read.variable).collect();
    while_loop.body().any(creates) || inputs.into_iter().any(|input| while_loop.writes(input))
}

fn report(while_loop: &Loop<'_, '_>, endless: &Endless<'_>, out: &mut Reporter<'_>) {
    let variable = endless.variable;
    let statuses: Vec<&str> = endless.statuses.iter().map(|endless| endless.status).collect();
    let analysis = while_loop.analysis;
    let variable_name = analysis.names.name(variable);
    let quoted: Vec<String> = statuses.iter().map(|status| quote(status)).collect();
    let (name, status) = (while_loop.activity.display_name(), list(&quoted, "or"));
    let others: String = endless
        .others
        .iter()
        .map(|&(other, status)| format!(" and {} is {}", quote(analysis.names.name(other)), quote(status)))
        .collect();
    let message = format!("loop {name} never ends when {} is {status}{others}", quote(variable_name));
    let mut draft = out.report(&Place::value(analysis.file, condition_node(while_loop.activity)), message);
    let tests = status_tests(while_loop, variable);
    let is_unhelpful = |test: &&StatusTest<'_, '_>| {
        let mut met = endless.statuses.iter().filter(|endless| endless.status == test.status);
        met.any(|endless| {
            test.runs_on(endless.status) && (contains_terminate(analysis, test.activity) || test.runs_in(endless))
        })
    };
    let unhelpful = tests.iter().find(is_unhelpful);
    if !offer_repair(while_loop, &unhandled(while_loop, endless), &mut draft) {
        draft.help(help(analysis, unhelpful, &statuses, variable_name));
    }
    for test in &tests {
        if let Some(reason) = failure(test, analysis, &endless.statuses) {
            draft.related(&Place::value(analysis.file, condition_node(test.activity)), reason);
        }
    }
    draft.cause(Cause::Node(analysis.file, while_loop.activity.node));
    let others = endless.others.iter().map(|&(other, status)| (analysis.names.name(other), status));
    for (variable, status) in statuses.into_iter().map(|status| (variable_name, status)).chain(others) {
        draft.cause(Cause::Status(variable.to_owned(), status.to_owned()));
    }
    // An If that has a Terminate inside, or lacks one, was meant to handle the status: this loop and its fault are one.
    let handlers = while_loop.body().filter(|inner| contains_terminate(analysis, inner));
    for handler in handlers.chain(unhelpful.map(|test| test.activity)) {
        draft.cause(Cause::Node(analysis.file, handler.node));
    }
    if let Some(first) = endless.statuses.first() {
        draft.flow(iteration(while_loop, variable, first));
    }
    if let Some(lookup) = while_loop.lookup_of(variable) {
        draft.related(&Place::value(analysis.file, lookup.node), "the status is looked up here");
    }
}

/// What to do by hand.
fn help(analysis: &Analysis<'_>, unhelpful: Option<&StatusTest<'_, '_>>, statuses: &[&str], variable: &str) -> String {
    let quoted: Vec<String> = statuses.iter().map(|status| quote(status)).collect();
    let (variable, status) = (quote(variable), list(&quoted, "or"));
    match unhelpful.map(|test| (test.activity.display_name(), contains_terminate(analysis, test.activity))) {
        Some((name, false)) => format!("add a Terminate to {name}"),
        Some((name, true)) => format!("make {name} end the order when {variable} is {status}"),
        None if statuses == [SIGNED] => format!("let the condition end the loop when {variable} is {status}"),
        None => format!("add an If on {variable} equal {status} with a Terminate inside the loop"),
    }
}

/// All on which the loop never ends, so that a repair leaves nothing.
fn unhandled<'a>(while_loop: &Loop<'_, 'a>, endless: &Endless<'a>) -> Vec<Unhandled<'a>> {
    let never_ends = |statuses: &[(VarId, &str)]| match while_loop.outcome_on_all(statuses) {
        Some(LoopOutcome::NeverEnds(decisions)) => Some(decisions),
        _ => None,
    };
    if !endless.others.is_empty() {
        // Where the other cases end the loop when they are signed, this one is not needed.
        let signed = endless.others.iter().map(|&(other, _)| (other, SIGNED));
        let of_one = |status| {
            let all: Vec<(VarId, &str)> = std::iter::once((endless.variable, status)).chain(signed.clone()).collect();
            Some(EndlessStatus { status, decisions: never_ends(&all)? })
        };
        let statuses: Vec<EndlessStatus<'_>> = endless.statuses.iter().filter_map(|it| of_one(it.status)).collect();
        return if statuses.is_empty() { Vec::new() } else { vec![Unhandled { variable: endless.variable, statuses }] };
    }
    let of_each = while_loop.final_statuses().map(|(variable, statuses)| {
        // Where a comparison misspells the status, WF406 corrects that.
        let statuses = statuses.into_iter().filter(|status| !while_loop.misspells(variable, status));
        let endless = |status| Some(EndlessStatus { status, decisions: never_ends(&[(variable, status)])? });
        Unhandled { variable, statuses: statuses.filter_map(endless).collect() }
    });
    of_each.filter(|it| !it.statuses.is_empty()).collect()
}

/// Why an If does not end the loop on these statuses; `None` of one that is not meant to.
fn failure(test: &StatusTest<'_, '_>, analysis: &Analysis<'_>, endless: &[EndlessStatus<'_>]) -> Option<String> {
    let (name, tested) = (test.activity.display_name(), quote(test.status));
    let statuses = endless.iter().map(|endless| endless.status);
    let (missed, met): (Vec<&str>, Vec<&str>) = statuses.partition(|status| !test.runs_on(status));
    let has_terminate = contains_terminate(analysis, test.activity);
    match (met.is_empty(), has_terminate) {
        // One inside another If may not be reached.
        (false, false) => endless
            .iter()
            .any(|endless| test.runs_in(endless))
            .then(|| format!("{name} runs, but no Terminate is inside")),
        (false, true) => Some(format!("{name} has a Terminate, but it is not reached")),
        (true, true) => {
            let missed: Vec<String> = missed.iter().map(|status| quote(status)).collect();
            let not = if test.operand == Operand::Equal { "" } else { "not " };
            Some(format!("{name} tests for {not}{tested}, so it does nothing on {}", list(&missed, "or")))
        }
        (true, false) => None,
    }
}

/// Documented final statuses of a variable on which a loop never ends.
struct Endless<'a> {
    variable: VarId,
    statuses: Vec<EndlessStatus<'a>>,
    /// The final statuses of other variables on which this depends.
    others: Vec<(VarId, &'a str)>,
}

enum Verdict<'a> {
    Endless(Endless<'a>),
    /// There are too many paths to follow.
    Unknown,
}

fn verdict<'a>(while_loop: &Loop<'_, 'a>) -> Option<Verdict<'a>> {
    verdict_on_one(while_loop).or_else(|| verdict_on_all(while_loop).map(Verdict::Endless))
}

/// The fault of the first status variable that the loop waits for, whatever the statuses of the others.
fn verdict_on_one<'a>(while_loop: &Loop<'_, 'a>) -> Option<Verdict<'a>> {
    while_loop.final_statuses().find_map(|(variable, statuses)| {
        let outcomes = statuses.into_iter().map(|status| (status, while_loop.outcome_on(variable, status)));
        let (mut endless, mut is_unknown) = (Vec::new(), false);
        for (status, outcome) in outcomes {
            match outcome {
                Some(LoopOutcome::NeverEnds(decisions)) => endless.push(EndlessStatus { status, decisions }),
                Some(LoopOutcome::Unknown) => is_unknown = true,
                Some(LoopOutcome::Ends) | None => {}
            }
        }
        if endless.is_empty() {
            is_unknown.then_some(Verdict::Unknown)
        } else {
            Some(Verdict::Endless(Endless { variable, statuses: endless, others: Vec::new() }))
        }
    })
}

/// A loop that waits for several cases: the first combination of their final statuses on which it never ends.
fn verdict_on_all<'a>(while_loop: &Loop<'_, 'a>) -> Option<Endless<'a>> {
    while_loop.combined_final_statuses().into_iter().find_map(|mut others| {
        let Some(LoopOutcome::NeverEnds(decisions)) = while_loop.outcome_on_all(&others) else { return None };
        // The one that no If handles.
        let handles = |&(variable, status): &(VarId, &str)| {
            status_tests(while_loop, variable).iter().any(|test| test.runs_on(status))
        };
        let unhandled = others.iter().position(|other| !handles(other)).unwrap_or_default();
        let (variable, status) = others.remove(unhandled);
        Some(Endless { variable, statuses: vec![EndlessStatus { status, decisions }], others })
    })
}

/// One iteration on a status, step by step.
fn iteration(while_loop: &Loop<'_, '_>, variable: VarId, endless: &EndlessStatus<'_>) -> Vec<(Place, String)> {
    let analysis = while_loop.analysis;
    let (name, status) = (quote(analysis.names.name(variable)), quote(endless.status));
    let lookup = while_loop.lookup_of(variable);
    let is_before = |decision: &&Decision| lookup.is_some_and(|lookup| decision.activity < lookup.id);
    let before = endless.decisions.iter().take_while(is_before).count();
    let (before, after) = endless.decisions.split_at_checked(before).unwrap_or_default();
    let lookup = lookup
        .map(|lookup| (Place::value(analysis.file, lookup.node), format!("{name} is {status} from this lookup on")));
    let decisions = |decisions: &[Decision]| -> Vec<(Place, String)> {
        decisions.iter().filter_map(|decision| decision_step(analysis, *decision)).collect()
    };
    let steps = decisions(before).into_iter().chain(lookup).chain(decisions(after));
    loop_steps(while_loop, steps, format!("{name} is {status}, so the loop repeats"))
}
