//! What some run of a service does, takes and assumes.

use std::collections::BTreeSet;

use super::explored::{Possible, Reached, UnreachedBranch};
use super::inputs::Inputs;
use super::replay::Replayer;
use super::search::{Explorer, FoundEnd, Observation, own_reads};
use crate::model::{Activity, ActivityId, ActivityKind, Assumption, Binding, SCRIPT_RESULT};
use crate::simulate::{Branch, Covered, Plan, Slot, is_impure};
use crate::text::quote;

pub fn reached(replayer: &Replayer<'_, '_>, plan: &Plan<'_>, explorer: &Explorer<'_, '_, '_>) -> Reached {
    let takes = |covered| explorer.observed.all.contains_key(&Observation::Takes(covered));
    let mut reached = Reached::default();
    let sampled = sampled(plan);
    let left_out = explorer.settings.left_out;
    // What comes after a loop that only something ends which runs leave out.
    let stays = |id: &ActivityId| !takes(Covered::Branch(*id, Branch::of_condition(false)));
    let stays = left_out.ended_loops.keys().filter(|id| stays(id)).filter_map(|id| plan.activity(*id));
    // And after an Approval of which no run knows how it is decided.
    let ends = unknown_approvals(plan).filter(|(activity, _)| takes(Covered::Activity(activity.id)));
    let ends = ends.filter_map(|(activity, _)| plan.workflow.activities.iter().find(|next| next.id > activity.id));
    let first_end = stays.map(|while_loop| while_loop.end).chain(ends.map(|next| next.id)).min();
    let is_after = |activity: &Activity<'_>| first_end.is_some_and(|end| activity.id >= end);
    let is_left_out = plan.workflow.left_out();
    let counted = plan.workflow.activities.iter().zip(&is_left_out).filter(|(_, is_left_out)| !**is_left_out);
    for (activity, _) in counted {
        let Some(place) = replayer.place(activity.id) else { continue };
        reached.activities_of += 1;
        if takes(Covered::Activity(activity.id)) {
            reached.activities += 1;
        } else {
            if is_after(activity) {
                reached.excused.insert(place.location.pointer.clone());
            }
            reached.unreached.push(place.clone());
        }
        if !matches!(activity.kind, ActivityKind::If { .. } | ActivityKind::While { .. }) {
            continue;
        }
        for branch in [true, false] {
            reached.branches_of += 1;
            if takes(Covered::Branch(activity.id, Branch::of_condition(branch))) {
                reached.branches += 1;
                continue;
            }
            let may_write = |slot: &Slot| left_out.may_write(plan.workflow, activity, plan.names.name(*slot));
            let is_sampled = sampled.is_read_by(plan, activity) || own_reads(plan, activity).iter().any(may_write);
            reached.unreached_branches.push(UnreachedBranch { activity: place.clone(), branch, is_sampled });
        }
    }
    reached
}

/// Those with a value that is not documented, and words for it.
fn unknown_approvals<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = (&'p Activity<'p>, String)> {
    plan.workflow.activities.iter().filter_map(|activity| {
        let (member, _, value) = activity.approval()?.unknown_value()?;
        Some((activity, format!("`{member}` {}", quote(value))))
    })
}

pub fn possible(replayer: &Replayer<'_, '_>, plan: &Plan<'_>, explorer: &Explorer<'_, '_, '_>) -> Possible {
    let mut possible = Possible::default();
    for observation in explorer.observed.all.keys() {
        match observation {
            Observation::Takes(Covered::Activity(id)) => {
                let provider = plan.activity(*id).and_then(|activity| activity.provider());
                possible.calls.extend(provider.and_then(|provider| provider.method.value()).map(str::to_owned));
            }
            Observation::Decides(id, decision) => {
                possible.approvals.extend(replayer.place(*id).map(|place| (place, *decision)));
            }
            Observation::Mails(kind) => {
                possible.mails.insert(*kind);
            }
            _ => {}
        }
    }
    possible
}

pub struct Sampled(BTreeSet<Slot>);

/// The variables that scripts write, those that only the result of a real call sets, and their copies.
pub fn sampled(plan: &Plan<'_>) -> Sampled {
    let has_script = plan.workflow.activities.iter().any(|activity| matches!(activity.kind, ActivityKind::Code(_)));
    let script_result = has_script.then_some(SCRIPT_RESULT).into_iter();
    let names = script_result.chain(plan.config.catalog.result_outputs());
    let mut slots: BTreeSet<Slot> = names.filter_map(|name| plan.names.slot(name)).collect();
    loop {
        let before = slots.len();
        for activity in &plan.workflow.activities {
            let ActivityKind::Assign(assign) = &activity.kind else { continue };
            let is_sampled = plan.names.placeholders(assign).any(|slot| slots.contains(&slot));
            if is_sampled && let Some((_, target)) = assign.result.get().and_then(Binding::target) {
                slots.extend(plan.names.slot(target));
            }
        }
        if slots.len() == before {
            return Sampled(slots);
        }
    }
}

impl Sampled {
    /// Whether an activity reads one of them.
    pub fn is_read_by(&self, plan: &Plan<'_>, activity: &Activity<'_>) -> bool {
        own_reads(plan, activity).iter().any(|slot| self.0.contains(slot))
    }
}

/// Sentences without a period. docs/assumptions.md lists the assumptions of every simulation.
pub fn assumptions(
    plan: &Plan<'_>,
    inputs: &Inputs,
    explorer: &Explorer<'_, '_, '_>,
    found: &[FoundEnd<'_, '_>],
) -> Vec<String> {
    let mut all = Vec::new();
    if found.iter().any(|end| end.assumed == Some(Assumption::Expired)) {
        all.push(Assumption::Expired.text().to_owned());
    }
    let has = |is_wanted: fn(&ActivityKind<'_>) -> bool| {
        plan.workflow.activities.iter().any(|activity| is_wanted(&activity.kind))
    };
    if has(|kind| matches!(kind, ActivityKind::Declared { .. })) {
        all.push(Assumption::DeclaredTypes.text().to_owned());
    }
    if has(|kind| matches!(kind, ActivityKind::Unknown { is_undocumented: true, .. })) {
        all.push(Assumption::UnknownTypes.text().to_owned());
    }
    for (activity, value) in unknown_approvals(plan) {
        let name = plan.name(activity);
        all.push(format!("runs end at {name}, as {value} is not simulated; what comes after it may still be reached"));
    }
    for activity in &plan.workflow.activities {
        if let ActivityKind::Code(code) = &activity.kind
            && code.script.value().is_some_and(is_impure)
        {
            let name = plan.name(activity);
            all.push(format!("script of {name} may read the clock or random numbers, of which one value is tried"));
        }
        if explorer.only_fails(activity.id) {
            all.push(format!("lookup {} always fails, no entry can be made up that it finds", plan.name(activity)));
        }
    }
    all.extend(inputs.assumptions.iter().cloned());
    all
}
