//! Few runs that together reach everything that any run reaches (`--cover`), or what is missing (`--suggest`).

use std::collections::BTreeSet;

use super::explored::CoverRun;
use super::replay::Replayer;
use super::search::{Explorer, Observation};
use crate::simulate::Covered;

/// The indices of the runs to keep, in order: repeatedly the run that adds the most (the greedy algorithm for set
/// cover), then without runs that later ones made superfluous.
pub fn cover<T: Ord + Copy>(runs: &[&BTreeSet<T>]) -> Vec<usize> {
    let mut open: BTreeSet<T> = runs.iter().flat_map(|reaches| reaches.iter().copied()).collect();
    let mut kept = Vec::new();
    while !open.is_empty() {
        let added = runs.iter().map(|reaches| reaches.intersection(&open).count());
        // `max_by_key` returns the last of several maxima; reversed, the first one.
        let Some((best, _)) = added.enumerate().rev().max_by_key(|(_, added)| *added) else { break };
        let Some(reaches) = runs.get(best) else { break };
        open.retain(|one| !reaches.contains(one));
        kept.push(best);
    }
    without_superfluous(runs, kept)
}

fn without_superfluous<T: Ord + Copy>(runs: &[&BTreeSet<T>], mut kept: Vec<usize>) -> Vec<usize> {
    kept.sort_unstable();
    // Costly runs come last.
    for index in kept.clone().into_iter().rev() {
        let others: BTreeSet<T> = kept
            .iter()
            .filter(|other| **other != index)
            .filter_map(|other| runs.get(*other))
            .copied()
            .flatten()
            .copied()
            .collect();
        if runs.get(index).is_some_and(|reaches| reaches.is_subset(&others)) {
            kept.retain(|other| *other != index);
        }
    }
    kept
}

/// The candidates of `--cover`: the runs to the ends, and one run for each activity and branch.
pub fn candidates(
    replayer: &Replayer<'_, '_>,
    explorer: &mut Explorer<'_, '_, '_>,
    ends: &[CoverRun],
) -> Result<Vec<CoverRun>, String> {
    let explored = |run: &CoverRun| {
        let reaches = run.reaches.iter().copied().filter(|covered| covered.is_explored()).collect();
        CoverRun { reaches, ..run.clone() }
    };
    let mut runs: Vec<CoverRun> = ends.iter().map(explored).collect();
    let taken: BTreeSet<Covered> = runs.iter().flat_map(|run| run.reaches.iter().copied()).collect();
    let all: Vec<Observation> = explorer.observed.all.keys().cloned().collect();
    for observation in all {
        let Observation::Takes(covered) = &observation else { continue };
        if taken.contains(covered) {
            continue;
        }
        let Some(run) = explorer.run_with(&observation) else { continue };
        let (replayed, ()) = replayer.replay(&run, &replayer.takes(*covered), |_, _| Ok(()))?;
        runs.push(explored(&replayer.cover_run(&run, replayed)));
    }
    Ok(runs)
}

/// The candidates of `--suggest`: the cheapest run for each part in `missing` that some run takes.
pub fn covering(
    replayer: &Replayer<'_, '_>,
    explorer: &mut Explorer<'_, '_, '_>,
    ends: &[CoverRun],
    missing: &BTreeSet<Covered>,
) -> Result<Vec<CoverRun>, String> {
    let only_missing =
        |run: CoverRun| CoverRun { reaches: run.reaches.intersection(missing).copied().collect(), ..run };
    let found = missing.iter().filter_map(|covered| {
        let (cost, _) = explorer.observed.all.get(&Observation::Takes(*covered))?;
        Some((*cost, *covered))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    // Each with its number of unusual choices.
    let mut runs: Vec<(u32, CoverRun)> = Vec::new();
    for ((deviations, _), covered) in found {
        if runs.iter().any(|(known, run)| *known <= deviations && run.reaches.contains(&covered)) {
            continue;
        }
        let Some(run) = explorer.run_with(&Observation::Takes(covered)) else { continue };
        let (replayed, ()) = replayer.replay(&run, &replayer.takes(covered), |_, _| Ok(()))?;
        runs.push((deviations, only_missing(replayer.cover_run(&run, replayed))));
    }
    let mut runs: Vec<CoverRun> = runs.into_iter().map(|(_, run)| run).collect();
    // Some parts are taken only by orders that never end.
    for covered in missing {
        let takes = |run: &&CoverRun| run.reaches.contains(covered);
        if !runs.iter().any(|run| takes(&run)) {
            runs.extend(ends.iter().find(takes).cloned().map(only_missing));
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covering(runs: &[&[u32]]) -> Vec<usize> {
        let sets: Vec<BTreeSet<u32>> = runs.iter().map(|run| run.iter().copied().collect()).collect();
        cover(&sets.iter().collect::<Vec<_>>())
    }

    #[test]
    fn few_runs_reach_everything() {
        assert_eq!(covering(&[]), Vec::<usize>::new());
        assert_eq!(covering(&[&[], &[]]), Vec::<usize>::new());
        assert_eq!(covering(&[&[1, 2], &[1, 2, 3], &[4]]), [1, 2]);
        assert_eq!(covering(&[&[1, 2], &[1, 2]]), [0]);
    }

    #[test]
    fn superfluous_run_is_dropped() {
        // The second adds the most, and then both others are needed.
        assert_eq!(covering(&[&[1, 2, 3], &[2, 3, 4, 5], &[4, 5, 6]]), [0, 2]);
    }
}
