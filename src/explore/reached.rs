//! Which activities and branches some run takes.

use super::explored::{Reached, UnreachedBranch};
use super::replay::Replayer;
use super::sampled::sampled;
use super::search::{Explorer, Observation};
use crate::model::ActivityKind;
use crate::simulate::{Branch, Covered, Plan};

pub fn reached(replayer: &Replayer<'_, '_>, plan: &Plan<'_>, explorer: &Explorer<'_, '_, '_>) -> Reached {
    let takes = |covered| explorer.observed.all.contains_key(&Observation::Takes(covered));
    let mut reached = Reached::default();
    let sampled = sampled(plan);
    for activity in &plan.workflow.activities {
        let Some(place) = replayer.place(activity.id) else { continue };
        reached.activities_of += 1;
        if takes(Covered::Activity(activity.id)) {
            reached.activities += 1;
        } else {
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
            let is_sampled = sampled.is_read_by(plan, activity);
            reached.unreached_branches.push(UnreachedBranch { activity: place.clone(), branch, is_sampled });
        }
    }
    reached
}
